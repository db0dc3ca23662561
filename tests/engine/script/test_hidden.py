"""What the engine and NumPy write of a value they do not know tells neither an address of the process nor the names of
the interpreter's files; what the script itself writes stays as it is."""

from __future__ import annotations

import encodings
import re
import warnings

import pytest

from engine.script.interpreter import Interpreter
from engine.script.reading.source import read_script
from tests.engine.script.compare import in_interpreter

START = "import torch, numpy as np\nnn = torch.nn\n"
OF_THE_HOST = re.compile(r"0x(?!7f0000)[0-9a-f]{8,}|engine\.|<locals>", re.IGNORECASE)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("torch.relu", "<built-in function relu>"),
        ("torch.tanh", "<built-in function tanh>"),
        ("[].append", "<built-in method append of list object at 0x7f0000001030>"),
        ("torch.Generator()", "<torch._C.Generator object at 0x7f0000001030>"),
        ("zip([1], [2])", "<zip object at 0x7f0000001030>"),
        ("np.random.default_rng(0)", "Generator(PCG64)"),
        ("np.random.RandomState(0)", "RandomState(MT19937)"),
        ("np.s_", "<Chosen object at 0x7f0000001030>"),
        ("torch.no_grad()", "<torch.autograd.grad_mode.no_grad object at 0x7f0000001030>"),
        ("[torch.relu, zip([1], [2])]", "[<built-in function relu>, <zip object at 0x7f0000001030>]"),
    ],
)
def test_a_setting_of_a_module(value: str, shown: str) -> None:
    source = f"m = nn.LayerNorm(3, eps={value})\n"
    expected = f"eps={shown}, elementwise_affine=True, bias=True"
    ending = in_interpreter(START + source + "print(m)")
    assert ending.stdout == f"LayerNorm((3,), {expected})\n"
    for text in ("str(m)", "f'{m}'", "'%r' % m", "'{}'.format([m])", "m.extra_repr()"):
        assert expected in in_interpreter(START + source + f"print({text})").stdout


@pytest.mark.parametrize(
    "call",
    [
        "np.ones(2).prod(0, zip([1], [2]))",
        "nn.BCEWithLogitsLoss(map(len, []))",
        "nn.Linear(zip([1], [2]), 1)",
        "torch.ones(2).sum(dim=torch.Generator())",
        "torch.ones(2, device=np.random.default_rng(0))",
    ],
)
def test_messages(call: str) -> None:
    caught = f"try:\n    {call}\nexcept Exception as e:\n    print(e, repr(e), e.args, '%s' % e)"
    ending = in_interpreter(START + call)
    assert ending.message
    assert not OF_THE_HOST.search(ending.message), ending
    shown = in_interpreter(START + caught)
    assert shown.stdout
    assert not OF_THE_HOST.search(shown.stdout), shown


def test_what_a_script_writes_stays() -> None:
    text = "<x object at 0xdeadbeef99> engine.script.x"
    source = f"""
class A:
    def __repr__(self): return t
class S(str): pass
t = {text!r}
print(t, [t], A(), [A()], f"{{A()}}", {{t}}, S(t), ValueError(t))
try:
    raise ValueError(t)
except ValueError as e:
    print(e, repr(e), e.args)
raise ValueError(t)
"""
    ending = in_interpreter(source)
    assert ending.stdout.count(text) == 11
    assert ending.message == text


def test_nodes_are_numbered_by_the_run() -> None:
    """Not by the process, where other runs make nodes too, and where old moments are computed again."""
    source = "import torch\nw = torch.ones(1, requires_grad=True)\nf = (w * 2).grad_fn\nprint(f, f, f.next_functions)"
    endings = [in_interpreter(source).stdout for _ in range(2)]
    node = "<MulBackward0 object at 0x7f0000001030>"
    assert endings == [f"{node} {node} ((<AccumulateGrad object at 0x7f0000001060>, 0), (None, 0))\n"] * 2


LEFT = """
import numpy as np
def dirty():
    some = [np.full(n, 7.5) for n in SIZES]
SIZES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 120, 500] * 5
"""


@pytest.mark.parametrize(
    "made",
    [
        "np.empty(n)",
        "np.ndarray(n)",
        "np.empty_like(np.zeros(n))",
        "np.pad(np.zeros(0), (n, 0), mode='empty')",
        "np.add(np.zeros(n), 1, where=False)",
        "np.sqrt(np.zeros(n), where=np.zeros(n, bool))",
        "np.divmod(np.zeros(n), 1, where=np.zeros(n, bool))[0]",
        "np.clip(np.zeros(n), 1, 2, where=np.zeros(n, bool))",
        "np.zeros(n).clip(1, 2, where=np.zeros(n, bool))",
        "np.add.outer(np.zeros(n), np.ones(1), where=False)",
    ],
)
def test_an_array_shows_nothing_of_what_was_in_memory(made: str) -> None:
    source = f"{LEFT}for n in SIZES:\n    dirty()\n    assert not np.any({made}), n\n"
    assert in_interpreter(source).message is None


def test_what_the_host_warns_of_is_told_as_of_the_script() -> None:
    """Each time, by every run of the process, and without the host's file."""
    source = "import numpy as np\nfor i in range(2):\n    np.mean([])\nnp.add(np.ones(2), 1, where=True)"
    told: list[tuple[str, str, int]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # as outside of tests
        for _ in range(2):
            interpreter = Interpreter(read_script(source), warn=lambda *warned: told.append(warned))
            assert interpreter.run() is None
    assert told == [("RuntimeWarning", "Mean of empty slice", 3)] * 4


def test_a_tensor_s_own_array_is_out_of_reach() -> None:
    """Its shape, which may be changed in place, is the tensor's."""
    source = (
        "import torch, numpy as np\nt, a = torch.ones(2, 3), np.ones(4)\n"
        "t.numpy().base.shape = np.asarray(t).shape = t.numpy().base.base.shape = (6,)\n"
        "t.numpy()[0, 0] = 5\nprint(t.shape, t[0, 0].item(), a[1:].base is a)"
    )
    assert in_interpreter(source).stdout == "torch.Size([2, 3]) 5.0 True\n"


def test_help_of_the_host_is_not_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """It prints where the process does, which is no output of the run."""
    ending = in_interpreter("help(request=1)")
    assert (ending.type, ending.stdout, capsys.readouterr().out) == ("TypeError", "", "")


def test_names_of_encodings_are_not_kept() -> None:
    """By the process, which remembers whatever it was asked for."""
    before = len(encodings._cache)  # type: ignore[attr-defined]
    source = "for i in range(50):\n    try: 'x'.encode(f'no such {i}')\n    except LookupError: pass\n"
    assert in_interpreter(source).message is None
    assert len(encodings._cache) == before  # type: ignore[attr-defined]
