"""The picture of a loop that works its gradients out itself: variables, what they hold, and what a step moved."""

from __future__ import annotations

import numpy as np
import pytest

from engine.run import Command, Run
from engine.tracing import beside
from engine.tracing.moments import GraphNode, Moment
from tests.engine.script.test_dataflow import NET


def moments(text: str, *presses: str) -> list[Moment]:
    run = Run(text)
    run.begin()
    for do in presses:
        run.execute(Command(do))
    return [run.moment(number) for number in range(run.last + 1)]


def by_name(moment: Moment) -> dict[str, GraphNode]:
    return {node.name: node for node in moment.graph.nodes}


def test_roles_and_states_go_with_the_presses() -> None:
    *_, last = moments(NET, "forward")
    nodes = by_name(last)
    assert {name: node.role for name, node in nodes.items()} == {
        "X": "data", "y": "data", "net.W": "weight", "net.x": "forward", "net.z": "forward", "pred": "forward",
        "loss": "forward", "grad": "backward", "net.dW": "backward",
    }  # fmt: skip
    assert nodes["loss"].kind == "output"
    assert (nodes["pred"].state, nodes["net.dW"].state) == ("live", "ghost")
    assert ("var:net.z", "var:pred") in {(edge.source, edge.target) for edge in last.graph.edges}
    *_, stepped = moments(NET, "forward", "backward", "step")
    nodes = by_name(stepped)
    assert nodes["net.W"].value is not None
    np.testing.assert_allclose(nodes["net.W"].change, nodes["net.W"].value - 1)
    assert (nodes["net.x"].state, nodes["pred"].state, nodes["net.dW"].state) == ("live", "stale", "stale")
    *_, again = moments(NET, "forward", "backward", "step", "forward")
    assert (by_name(again)["loss"].state, by_name(again)["net.dW"].state) == ("live", "stale")


def test_what_is_said_has_the_numbers() -> None:
    told = [moment.explanation.text for moment in moments(NET, "forward", "backward", "step", "forward") if moment.do]
    assert told[1] == "forward: loss = 16."
    assert told[3].startswith("backward: net.dW (2×1, norm 33.9411). ")
    assert told[3].endswith("The script works this gradient out itself: there is no .grad.")
    assert told[4] == "step: net.W moved by a change of norm 3.3941."
    assert told[-1].startswith("forward: loss = 31.36, up from 16.")


def test_what_did_not_change_is_the_same_object() -> None:
    *_, before, after = moments(NET, "forward", "backward")
    assert by_name(before)["X"] is by_name(after)["X"]


def test_what_is_too_large_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "LARGEST", 4)
    *_, last = moments(NET, "forward")
    assert "X" not in by_name(last)
    assert "net.W" in by_name(last)


def test_a_fork_goes_on_with_the_same_picture() -> None:
    run = Run(NET)
    run.begin()
    run.execute(Command("run", times=2))
    fork = run.fork(run.last - 1)
    assert [node.state for node in fork.moment(fork.last).graph.nodes] == [
        node.state for node in run.moment(run.last - 1).graph.nodes
    ]


IN_A_DICT = """import numpy as np
x, y, p = np.ones(3), 2.0, {"w": np.zeros(3)}
for i in range(3):
    pred = {"out": (p["w"] * x).sum()}
    loss = (pred["out"] - y) ** 2
    grads = {"w": 2 * (pred["out"] - y) * x}
    p["w"] -= 0.1 * grads["w"]
"""


def test_what_holds_no_numbers_is_left_out_and_what_it_came_from_is_read_through_it() -> None:
    *_, last = moments(IN_A_DICT, "forward", "backward")
    assert {name: node.state for name, node in by_name(last).items()} == {"x": "live", "y": "live", "loss": "live"}
    assert {(edge.source, edge.target) for edge in last.graph.edges} == {("var:x", "var:loss"), ("var:y", "var:loss")}
