"""torch.nn.utils.rnn, and recurrent layers over packed sequences, against PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine
from tests.differential import oracle

LAYERS = ["RNN", "LSTM", "GRU"]
CASES = [(layer, *which, *how) for layer in LAYERS for which in [(1, False), (2, True)]
         for how in [(False, False), (True, False), (False, True)]]  # fmt: skip


def _through(torch: Any, rnn: Any, layer: str, depth: int, both: bool, batch_first: bool, given: bool) -> list[Any]:
    """The output, its lengths, the last states and the gradients of a seeded layer over three sequences."""
    torch.manual_seed(3)
    model = getattr(torch.nn, layer)(2, 3, depth, batch_first=batch_first, bidirectional=both)
    shape = (3, 4, 2) if batch_first else (4, 3, 2)
    x = torch.randn(*shape, requires_grad=True)
    packed = rnn.pack_padded_sequence(x, [2, 4, 1], batch_first, enforce_sorted=False)
    states: Any = None
    if given:
        states = torch.randn(depth * (2 if both else 1), 3, 3)
        states = (states, states * 2) if layer == "LSTM" else states
    out, last = model(packed, states)
    padded, lengths = rnn.pad_packed_sequence(out, batch_first, padding_value=-1.0)
    finals = list(last) if layer == "LSTM" else [last]
    (padded.sum() + sum((final * 2).sum() for final in finals)).backward()
    results = [padded, lengths, *finals, x.grad, *(p.grad for p in model.parameters())]
    return [np.round(t.detach().numpy().astype(np.float64), 5).tolist() for t in results] + [
        out.batch_sizes.tolist(),
        out.sorted_indices.tolist(),
    ]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_layers_over_packed_sequences(case: tuple[Any, ...]) -> None:
    wanted = oracle.answer("packed", str(case), lambda torch: _through(torch, torch.nn.utils.rnn, *case))
    for ours, theirs in zip(_through(engine, engine.nn.utils.rnn, *case), wanted, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=2e-5)


# fmt: off
CALLS: dict[str, Any] = {
    "packed": lambda t, R: R.pack_padded_sequence(t.arange(12.0).view(4, 3), [4, 2, 1]),
    "packed with a graph": lambda t, R: R.pack_padded_sequence(t.ones(2, 2, requires_grad=True), [2, 1]),
    "sorted": lambda t, R: R.pack_padded_sequence(t.arange(12.0).view(4, 3), t.tensor([1, 4, 2]), enforce_sorted=False),
    "not sorted": lambda t, R: R.pack_padded_sequence(t.zeros(4, 3), [1, 2, 3]),
    "too few": lambda t, R: R.pack_padded_sequence(t.zeros(4, 3), [4, 2]),
    "nothing": lambda t, R: R.pack_padded_sequence(t.zeros(4, 3), [4, 2, 0]),
    "too short": lambda t, R: R.pad_packed_sequence(R.pack_padded_sequence(t.zeros(4, 3), [4, 2, 1]), total_length=2),
    "longer": lambda t, R: R.pad_packed_sequence(R.pack_padded_sequence(t.ones(2, 2), [2, 1]), total_length=4),
    "pad": lambda t, R: R.pad_sequence([t.ones(3), t.ones(2)], batch_first=True, padding_value=7),
    "pad left": lambda t, R: R.pad_sequence([t.ones(3, 1), t.ones(2, 1)], padding_side="left"),
    "pad nothing": lambda t, R: R.pad_sequence([]),
    "pack": lambda t, R: R.pack_sequence([t.ones(3), t.ones(2)]),
    "pack unsorted": lambda t, R: R.pack_sequence([t.ones(2), t.ones(3)]),
    "unpack": lambda t, R: R.unpack_sequence(R.pack_sequence([t.ones(3), t.ones(2)])),
    "unpad": lambda t, R: R.unpad_sequence(t.ones(3, 2), t.tensor([3, 1])),
    "as double": lambda t, R: R.pack_sequence([t.ones(3)]).double(),
}
# fmt: on


def _outcome(torch: Any, rnn: Any, name: str) -> Any:
    try:
        return repr(CALLS[name](torch, rnn))
    except Exception as error:
        return [type(error).__name__, str(error)]


@pytest.mark.parametrize("name", CALLS)
def test_packing(name: str) -> None:
    wanted = oracle.answer("packed", name, lambda torch: _outcome(torch, torch.nn.utils.rnn, name))
    assert _outcome(engine, engine.nn.utils.rnn, name) == wanted
