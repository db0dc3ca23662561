"""A recurrent layer that is one operation is what its recorded steps are: numbers to the bit, names, messages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine as torch
from engine import nn, observe
from engine.nn import recurrent
from engine.nn.packed import pack_padded_sequence


@pytest.fixture
def step_by_step(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Calls a function twice: where layers are one operation, and where their steps are recorded."""

    def both(function: Any) -> tuple[Any, Any]:
        asked, unwatched = [], recurrent.unwatched

        def noted() -> bool:
            asked.append(unwatched())
            return asked[-1]

        monkeypatch.setattr(recurrent, "unwatched", noted)
        whole = function()
        assert any(asked)
        monkeypatch.setattr(recurrent, "unwatched", lambda: False)
        steps = function()
        monkeypatch.setattr(recurrent, "unwatched", unwatched)
        return whole, steps

    return both


def _layer(kind: str, settings: dict[str, Any]) -> tuple[Any, Any, Any]:
    """A layer, an input (5, 3, 4) and first states, all of which require grad."""
    torch.manual_seed(3)
    layer = getattr(nn, kind)(4, 6, **settings)
    count = layer.num_layers * (2 if layer.bidirectional else 1)
    x = torch.randn(3, 5, 4) if layer.batch_first else torch.randn(5, 3, 4)
    first = [torch.randn(count, 3, 6).requires_grad_() for _ in range(2 if kind == "LSTM" else 1)]
    return layer, x.requires_grad_(), first


def _states(found: Any) -> tuple[Any, ...]:
    return found if isinstance(found, tuple) else (found,)


SETTINGS: list[dict[str, Any]] = [
    {},
    {"bias": False, "batch_first": True},
    {"num_layers": 2, "bidirectional": True},
    {"num_layers": 2, "dropout": 0.5, "batch_first": True},
]
LAYERS = [(kind, settings) for kind in ("RNN", "GRU", "LSTM") for settings in SETTINGS]
LAYERS.append(("RNN", {"nonlinearity": "relu"}))


@pytest.mark.parametrize("uses", ["output", "last", "both"])
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(("kind", "settings"), LAYERS)
def test_it_is_the_same_to_the_bit(
    kind: str, settings: dict[str, Any], packed: bool, uses: str, step_by_step: Any
) -> None:
    def run() -> list[Any]:
        layer, x, first = _layer(kind, settings)
        found, loss = [], torch.zeros(())
        for states in (None, first if kind == "LSTM" else first[0]):  # twice, to see what is added to what
            given = pack_padded_sequence(x, [5, 2, 2], layer.batch_first) if packed else x
            output, last = layer(given, states)
            rows = output.data if packed else output
            found += [rows, *_states(last)]
            loss = loss + (rows**2).sum() if uses != "last" else loss
            loss = loss + sum((each**3).sum() for each in _states(last)) if uses != "output" else loss
        loss.backward()
        found += [each.grad for each in (x, *first, *layer.parameters())]
        layer(x)[0].sum().backward()  # into .grads that are there
        found += [each.grad for each in layer.parameters()]
        with torch.no_grad():
            found += [layer(x)[0]]
        return found

    for whole, steps in zip(*step_by_step(run), strict=True):
        assert whole.shape == steps.shape
        assert np.array_equal(whole._array, steps._array)


@pytest.mark.parametrize("kind", ["GRU", "LSTM"])
@pytest.mark.parametrize("hidden", [10, 20, 40])
def test_it_is_the_same_where_only_several_rows_fill_registers(kind: str, hidden: int, step_by_step: Any) -> None:
    def run() -> Any:
        torch.manual_seed(3)
        return getattr(nn, kind)(4, hidden)(torch.randn(5, 7, 4))[0].detach()

    whole, steps = step_by_step(run)
    assert np.array_equal(whole.numpy(), steps.numpy())


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(("kind", "settings"), LAYERS)
def test_what_is_seen_of_its_graph_is_the_same(
    kind: str, settings: dict[str, Any], packed: bool, step_by_step: Any
) -> None:
    def chain(node: Any) -> list[str]:
        names = []
        while node is not None and len(names) < 40:
            names.append(node.name())
            node = next((each for each, _ in node.next_functions if each is not None), None)
        return names

    def named() -> Any:
        layer, x, _ = _layer(kind, settings)
        output, last = layer(pack_padded_sequence(x, [5, 2, 2], layer.batch_first) if packed else x)
        nodes = [each.grad_fn for each in (output.data if packed else output, *_states(last))]
        return [(chain(each), each.short_name(), len(each.next_functions)) for each in nodes]

    whole, steps = step_by_step(named)
    assert whole == steps


CHANGES = {
    "weight": "layer.weight_hh_l0.data += 1\nlayer.weight_hh_l0._changed()",
    "twice": "loss.backward()",
    "first": "first[0].data.add_(1)\nfirst[0]._changed()",
    "output": "with torch.no_grad():\n    output.mul_(2)",
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("kind", ["RNN", "GRU", "LSTM"])
def test_what_backward_says_is_the_same(kind: str, change: str, step_by_step: Any) -> None:
    def run() -> Any:
        layer, x, first = _layer(kind, {})
        output, _ = layer(x, tuple(first) if kind == "LSTM" else first[0])
        loss = output.sum()
        exec(CHANGES[change], {"layer": layer, "first": first, "output": output, "loss": loss, "torch": torch})
        try:
            loss.backward()
        except RuntimeError as error:
            return str(error)
        return layer.weight_hh_l0.grad.tolist()

    whole, steps = step_by_step(run)
    assert whole == steps


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(("kind", "settings"), LAYERS)
def test_gradients_of_its_gradients_are_those_of_the_steps(
    kind: str, settings: dict[str, Any], packed: bool, step_by_step: Any
) -> None:
    def run() -> list[Any]:
        layer, x, first = _layer(kind, settings)
        given = pack_padded_sequence(x, [5, 2, 2], layer.batch_first) if packed else x
        output, last = layer(given, first if kind == "LSTM" else first[0])
        loss = ((output.data if packed else output) ** 2).sum() + sum((each**3).sum() for each in _states(last))
        leaves = [x, *first, *layer.parameters()]
        gradients = torch.autograd.grad(loss, leaves, create_graph=True)
        sum((each**2).sum() for each in gradients).backward()
        return [*gradients, *(leaf.grad for leaf in leaves)]

    for whole, steps in zip(*step_by_step(run), strict=True):
        np.testing.assert_allclose(whole._array, steps._array, rtol=1e-4, atol=1e-3)


def test_gradients_pass_hooks_once() -> None:
    layer, x, _ = _layer("GRU", {})
    seen: list[Any] = []
    output, last = layer(x)
    output.register_hook(lambda g: seen.append(tuple(g.shape)))
    layer.weight_hh_l0.register_hook(lambda g: seen.append(tuple(g.shape)))
    (gradient,) = torch.autograd.grad(output.sum() + last.sum(), [layer.weight_hh_l0], create_graph=True)
    assert seen == [(5, 3, 6), (18, 6)]
    assert gradient.grad_fn is not None


def test_a_watched_layer_shows_its_steps() -> None:
    class Watcher:
        every_gradient = True
        layers_whole = False

        def __getattr__(self, name: str) -> Any:
            return lambda *given: None

    with observe.watching(Watcher()):  # type: ignore[arg-type]
        layer, x, _ = _layer("GRU", {})
        output, _ = layer(x)
    assert type(output.grad_fn).__name__ == "StackBackward0"
