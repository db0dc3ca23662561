"""Large graphs are drawn for the moments that somebody looks at: what is seen is the same as if all were drawn."""

from __future__ import annotations

import pytest

from engine.run import Command, Run

CHAIN = """
import torch

w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.01)
for e in range(3):
    h = w
    for k in range(90):
        h = torch.tanh(h * 1.01)
    loss = (h - 0.5) ** 2
    loss.backward()
    opt.step()
"""


@pytest.fixture(scope="module")
def pressed() -> Run:
    run = Run(CHAIN)
    run.begin()
    for do in ("forward", "backward", "step", "forward", "backward", "step"):
        run.execute(Command(do))
    return run


def test_the_last_moment_of_a_command_is_whole(pressed: Run) -> None:
    graph = pressed.moment(pressed.last).graph
    assert len(graph.nodes) == 90 * 2 + 2 + 1
    assert [node.name for node in graph.nodes if node.kind == "output"] == ["loss"]
    assert "sum of 2 backwards" in pressed.moment(pressed.last).explanation.text


def test_moments_in_between_are_drawn_when_asked_for(pressed: Run) -> None:
    everything = Run.replay(CHAIN, pressed.seed, pressed.commands, draws_from=0)
    sketched = [n for n in range(pressed.last + 1) if pressed._session.shelf.get(n) is None]
    assert len(sketched) > 100
    assert all(everything._session.shelf.get(n) is not None for n in range(pressed.last + 1))
    for number in (sketched[0], sketched[len(sketched) // 2], sketched[-1]):
        seen, wanted = pressed.moment(number), everything.moment(number)
        assert [node.id for node in seen.graph.nodes] == [node.id for node in wanted.graph.nodes]
        assert [t.node for t in seen.tensors] == [t.node for t in wanted.tensors]
        assert seen.explanation == wanted.explanation
    assert everything.digest() == pressed.digest()


def test_where_nothing_happens_to_a_large_graph_it_is_there() -> None:
    """The `for` between two presses: it is looked at whenever somebody goes from one iteration to the other."""
    run = Run(CHAIN.replace("opt.step()", "opt.step()\n    note = e"))
    run.begin()
    for do in ("forward", "backward", "step", "forward"):
        run.execute(Command(do))
    kept = [run._session.shelf.get(n) for n in range(run.last + 1)]
    stepped = next(moment for moment in kept if moment is not None and moment.do == "step")
    quiet = kept[stepped.number + 1 : stepped.number + 3]
    assert [moment and moment.statement for moment in quiet] == ["note = e", "for e in range(3):"]
    assert all(moment is not None and moment.graph is stepped.graph for moment in quiet)
