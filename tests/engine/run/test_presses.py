"""Every sequence of three presses on "Gradients add up", against a model of w and w.grad written by hand.

The model knows nothing of tensors, graphs or interpreters: a weight, its gradient, the loss's gradient if it can still
be asked for, and where in the loop's four lines the program stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import pytest

from app.library import scenario
from engine.run import Command, Run

SOURCE = scenario("gradients-add-up").source
PHASES = ("zero_grad", "forward", "backward", "step")
LR, X, TARGET = 0.05, 2.0, 5.0


@dataclass
class Model:
    w: float = 1.5
    grad: float | None = None
    loss_at: float | None = None  # the w with which the loss was computed
    used_up: bool = False  # a backward has been through it
    next: int = -1  # the phase that is next in this iteration; -1: before the loop's header, 4: behind all four
    last: int | None = None
    iteration: int = 0

    def press(self, k: int) -> str | None:
        """What the press of phase k does; the error's type if it fails."""
        if self.next == -1 or (self.next == 4 and self.last != k):
            self.iteration += 1
        failed = self._do(k)
        self.next = k if failed else k + 1
        self.last = k
        return failed

    def _do(self, k: int) -> str | None:
        if k == 0:
            self.grad = None
        elif k == 1:
            self.loss_at, self.used_up = self.w, False
        elif k == 2:
            if self.loss_at is None:
                return "NameError"
            if self.used_up:
                return "RuntimeError"
            self.grad = (self.grad or 0.0) + 2 * (self.loss_at * X - TARGET) * X
            self.used_up = True
        elif self.grad is not None:
            self.w -= LR * self.grad
        return None


@pytest.fixture(scope="module")
def begun() -> Run:
    run = Run(SOURCE)
    run.begin()
    return run


@pytest.mark.parametrize("sequence", list(product(range(4), repeat=3)), ids=lambda s: "-".join(PHASES[k][0] for k in s))
def test_all_sequences_of_three_presses(sequence: tuple[int, int, int]) -> None:
    run = Run(SOURCE)
    run.begin()
    model = Model()
    for k in sequence:
        before = run.last
        outcome = run.execute(Command(PHASES[k]))
        failed = model.press(k)
        moment = run.moment(run.last)
        assert (outcome.first, outcome.last) == (before + 1, run.last)
        assert moment.do == PHASES[k]
        assert (moment.error.type if moment.error else None) == failed
        assert run.state == ("failed" if failed else "ready")
        w = next(t for t in moment.tensors if t.name == "w")
        assert w.value == pytest.approx(model.w, rel=1e-6)
        assert (w.grad is None) == (model.grad is None)
        if model.grad is not None:
            assert w.grad == pytest.approx(model.grad, rel=1e-5)
        if model.loss_at is not None:
            loss = next(t for t in moment.tensors if t.name == "loss")
            assert loss.value == pytest.approx((model.loss_at * X - TARGET) ** 2, rel=1e-5)
        assert moment.iteration == model.iteration
        assert moment.explanation.text.endswith(".")
        assert moment.usual_next in PHASES
        assert moment.graph.nodes, "there is always something to draw"
    assert [m.number for m in (run.moment(n) for n in range(run.last + 1))] == list(range(run.last + 1))


def test_the_state_at_the_loop(begun: Run) -> None:
    moment = begun.moment(begun.last)
    assert begun.state == "ready"
    assert begun.usual_next == "zero_grad"
    assert [phase.id for phase in begun.phases] == list(PHASES)
    assert {node.id: node.state for node in moment.graph.nodes} == {
        "leaf:w": "live",
        "leaf:x": "live",
        "leaf:target": "live",
        "op:18.0": "ghost",
        "op:18.1": "ghost",
        "op:18.2": "ghost",
    }
    ghosts = [node for node in moment.graph.nodes if node.state == "ghost"]
    assert [(node.kind, node.name, node.value) for node in ghosts] == [
        ("op", "", None),
        ("op", "", None),
        ("output", "loss", None),
    ]
    assert len(moment.graph.edges) == 5


def test_ghosts_come_to_life_under_the_same_ids(begun: Run) -> None:
    run = begun.fork(begun.last)
    before = [(node.id, node.operands, node.shape) for node in run.moment(run.last).graph.nodes]
    run.execute(Command("forward"))
    after = run.moment(run.last).graph.nodes
    assert [(node.id, node.operands, node.shape) for node in after] == before
    assert [float(node.value) for node in after if node.kind != "leaf" and node.value is not None] == [3, -2, 4]


def test_identity_of_nodes_over_iterations(begun: Run) -> None:
    run = begun.fork(begun.last)
    run.execute(Command("run", times=1))
    first = [node.id for node in run.moment(run.last).graph.nodes]
    run.execute(Command("run", times=3))
    assert [node.id for node in run.moment(run.last).graph.nodes] == first


def test_moments_share_what_did_not_change(begun: Run) -> None:
    run = begun.fork(begun.last)
    run.execute(Command("run", times=2))
    moments = [run.moment(n) for n in range(1, run.last + 1)]
    xs = {id(t.value) for m in moments for t in m.tensors if t.name == "x"}
    assert len(xs) == 1
    for moment in moments:
        for tensor in moment.tensors:
            assert not tensor.value.flags.writeable


TRAINS = """import torch
w = torch.ones(2, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
def train(n):
    for i in range(n):
        loss = (w ** 2).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()
"""


@pytest.mark.parametrize(
    "call",
    [
        "print(train(2), train(1))",
        "r = [train(n) for n in (2, 1)]",
        "r = {n: train(n) for n in (2, 1)}",
        "r = train(2) + train(1)",
        "assert train(2) > train(1)",
        "r = sorted([train(2), train(1)])",
        "if train(2) > 0: r = train(1)",
        "print(f'{train(2):.3f} {train(1)}')",
    ],
)
def test_a_training_within_an_expression_can_be_driven(call: str) -> None:
    run = Run(TRAINS + call + "\n")
    run.begin()
    assert run.moment(run.last).next_line == 5
    run.execute(Command("run"))
    assert (run.moment(run.last).line, run.moment(run.last).iteration) == (9, 1)
    run.execute(Command("finish"))
    assert [summary.line for summary in run.summaries()].count(9) == 3
    again = Run.replay(run.source, run.seed, run.commands)
    assert (again.last, again.digest()) == (run.last, run.digest())
