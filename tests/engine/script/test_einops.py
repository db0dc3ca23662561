"""einops: what each expression prints, as einops 0.8.2 over PyTorch and NumPy prints it (recorded).

`python -m tests.engine.script.test_einops` writes einops.json anew, where einops and PyTorch are installed.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path

import pytest

from tests.engine.script.compare import in_interpreter
from tests.selection import some

RECORDED = Path(__file__).with_name("einops.json")
HEAD = """
import numpy as np
import torch
from torch import nn
import einops
from einops import asnumpy, einsum, pack, parse_shape, rearrange, reduce, repeat, unpack
from einops.layers.torch import EinMix, Rearrange, Reduce
x = torch.arange(96.0).reshape(2, 3, 4, 4).requires_grad_()
n = np.arange(24).reshape(2, 3, 4)
a, b, c = torch.ones(2, 5), torch.arange(24.0).reshape(2, 3, 4), torch.zeros(2)
packed, shapes = pack([a, b, c], "b *")
def told(made):
    way, node = [], getattr(made, "grad_fn", None)
    while node is not None:
        way.append(node.name())
        node = node.next_functions[0][0] if node.next_functions else None
    return tuple(made.shape), way, made.reshape(-1)[:6].tolist()
"""
MOVED = """b c h w -> b (c h w)|b c h w -> b h w c|... h w -> ... w h|b ... -> b (...)|b c h w -> b c h w
b c h w -> b 1 c (h w)|b c h w -> (b c) h w ()|b (c 1) h w -> b c h w|b c (h p) w -> b c h p w
b c h -> b c h|b c h w -> b c h|b c h w|b c h w -> b c h 2w|b b h w -> b h w|b c h w -> b c (h w|b c ((h) w) -> b c h w
b c h w -> ... h w|b - h w -> b h w|b c h w -> b c h w 2|b .. h -> b h|b (... h) -> b h|b c) h w -> b c h w
a b c d e ... -> ... a b c d e|b_ c h w -> b_ c h w|b c h 0 -> b c h""".replace("\n", "|").split("|")
REDUCED = (
    "b c h w -> b c",
    "b c h w -> w b",
    "b c (h 2) (w 2) -> b c h w",
    "b c h w -> b c 1 1",
    "... w -> ...",
    "b c h w ->",
)
CASES = [
    *[f"told(rearrange(x, '{pattern}'))" for pattern in MOVED if "(h p) w" not in pattern],
    *[f"told(reduce(x, '{p}', '{how}'))" for p in REDUCED for how in ("mean", "max", "sum", "min", "prod")],
    "told(rearrange(x, 'b c (h p) (w q) -> b (h w) (p q c)', p=2, q=2))",
    "told(rearrange(x, '(b1 b2) c h w -> b1 b2 c h w', b1=1))",
    "told(rearrange(x, 'b c h w -> b (c h w)', q=2))",
    "told(rearrange(x, 'b c (h p) w -> b c h p w', p=3))",
    "told(rearrange(x, 'b c (h p) w -> b c h p w', h=3, p=2))",
    "told(rearrange(x, 'b c h w -> b c h w', h=5))",
    "told(rearrange([x, x], 'n b c h w -> b n c h w'))",
    "told(rearrange([x, x], 'b c h w -> b c h w'))",
    "rearrange([], 'a -> a')",
    "rearrange(3, 'b -> b')",
    "told(reduce(x > 5, 'b c h w -> b c', 'any'))",
    "told(reduce(x > 5, 'b c h w -> b c', 'all'))",
    "reduce(x, 'b c h w -> b c', 'median')",
    "reduce(x, 'b c h w -> b z', 'mean')",
    "reduce(x.long(), 'b c h w -> b', 'mean')",
    "told(reduce(x, 'b c h w -> b c', lambda t, dims: t.mean(dims)))",
    "told(repeat(x, 'b c h w -> b c h w k', k=2))",
    "told(repeat(x, 'b c h w -> b (k c) h w', k=3))",
    "told(repeat(x, 'b c h w -> b c (h 2) (w 2)'))",
    "told(repeat(x, 'b c h w -> 2 b c h w'))",
    "repeat(torch.arange(3), 'd -> b d', b=2)",
    "repeat(x, 'b c h w -> b c h w k')",
    "repeat(x, 'b c h w -> b c h')",
    "einsum(x, torch.ones(4, 5), 'b c h w, w out -> b c h out').detach()[1, 2]",
    "einsum(x, x, '... i j, ... k j -> ... i k').shape",
    "einsum(n, n, 'a b c, a b c -> a')",
    "einsum(x, 'a b c d')",
    "einsum(x, 'a b c d -> e')",
    "einsum('a')",
    "einsum(x, 'a b c (d e) -> a')",
    "(packed.shape, shapes, [each.shape for each in unpack(packed, shapes, 'b *')])",
    "[each.shape for each in unpack(torch.zeros(2, 10, 3), [[2], [-1], [1, 3]], 'a * c')]",
    "pack([a], 'b c')",
    "pack([a], 'b b *')",
    "pack([c], 'b d *')",
    "unpack(packed, shapes, 'b * c')",
    "unpack(torch.zeros(2, 10), [[3], [3]], 'b *')",
    "unpack(torch.zeros(2, 10), [[-1], [-1]], 'b *')",
    "(parse_shape(x, 'b c _ w'), parse_shape(n, 'a ...'), asnumpy(x).shape)",
    "parse_shape(x, 'a b')",
    "parse_shape(x, 'a b c 5')",
    "(rearrange(n, 'a b c -> c (b a)')[0], reduce(n, 'a b c -> a', 'sum'), repeat(n[0, 0], 'c -> c k', k=2))",
    "told(nn.Sequential(Rearrange('b c h w -> b (c h w)'), Reduce('b (p 2) -> b', 'max'))(x))",
    "Rearrange('b c -> c b')(x)",
    "Rearrange('b (c d) h w -> b c d h w', c=2)(x)",
    "Rearrange('b c -> b')",
    "Reduce('a -> b', 'max')",
    "(EinMix('b (p q) -> b p k', 'p q k', 'k', p=2, q=3, k=5), Rearrange('a b -> b a'), Reduce('a b -> b', 'sum'))",
    "[tuple(p.shape) for p in EinMix('b (p q) -> b p k', 'p q k', 'k', p=2, q=3, k=5).parameters()]",
    "EinMix('b (p q) -> b (k p)', 'p q k', p=2, q=3, k=5)(torch.zeros(4, 6)).shape",
    "EinMix('... a -> ... b', 'a b', 'b', a=2, b=3)(torch.zeros(1, 5, 2)).shape",
    "EinMix('a b -> a c', 'b d', b=2, d=2)",
    "EinMix('a b -> a c', 'b c', b=2)",
    "(einops.EinopsError, issubclass(einops.EinopsError, RuntimeError))",
]


def _program(case: str) -> str:
    return f"{HEAD}try: print({case})\nexcept Exception as e: print(type(e).__name__, e)\n"


@pytest.mark.parametrize("case", some(CASES, 2))
def test_as_einops(case: str) -> None:
    assert in_interpreter(_program(case)).stdout == json.loads(RECORDED.read_text("utf-8"))[case]


def record() -> None:
    """Ask the real ones, where they are installed."""
    answers = {}
    for case in CASES:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(_program(case), {})
        answers[case] = out.getvalue()
    RECORDED.write_text(json.dumps(answers, indent=0) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(record())
