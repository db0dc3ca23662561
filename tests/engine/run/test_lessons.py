"""What the page teaches: the sentence, the number and the way on, case by case."""

from __future__ import annotations

import pytest

from app.library import scenario
from engine.run import Command, Run
from engine.tracing.moments import Moment

SOURCE = scenario("gradients-add-up").source


def press(*words: str, source: str = SOURCE) -> Run:
    run = Run(source)
    run.begin()
    for word in words:
        run.execute(Command(word))
    return run


def last(run: Run) -> Moment:
    return run.moment(run.last)


def take_offer(run: Run, label: str) -> Run:
    """What happens when the person chooses an offer of the last moment."""
    offer = next(offer for offer in last(run).explanation.offers if offer.label == label)
    for values in offer.commands:
        if "at" in values:
            run = run.fork(values["at"])
        run.execute(Command.from_dict(values))
    return run


def test_the_first_sentence_invites_to_press() -> None:
    assert last(press()).explanation.text == (
        "opt (SGD, lr = 0.05) will update w. The training loop is next: press zero_grad to begin."
    )


def test_the_usual_order() -> None:
    run = press("zero_grad")
    assert last(run).explanation.text == "zero_grad() changed nothing: w.grad is None already."
    run.execute(Command("forward"))
    assert last(run).explanation.text == "forward computed loss = 4: 3 operations recorded for backward()."
    run.execute(Command("backward"))
    assert last(run).explanation.text == "backward() put −8 into w.grad, which was None."
    assert last(run).optimizers[0].parameters[0].after_step == pytest.approx(1.9)
    run.execute(Command("step"))
    assert last(run).explanation.text == "step() moved w from 1.5 to 1.9: −lr × grad = −0.05 × (−8) = +0.4."
    run.execute(Command("zero_grad"))
    assert last(run).explanation.text == "zero_grad() set w.grad to None: the −8 it held is gone."
    assert last(run).explanation.lead == "zero_grad()"
    run.execute(Command("forward"))
    assert last(run).explanation.text == (
        "forward computed loss = 1.44, down from 4: 3 operations recorded for backward()."
    )
    assert run.losses() == [(7, 1, 4.0), (last(run).number, 2, pytest.approx(1.44))]


def test_accumulation_names_the_value_and_that_it_is_one() -> None:
    moment = last(press("forward", "backward", "forward", "backward"))
    assert moment.explanation.text == (
        "backward() added −8 to w.grad, which still held −8: now −16. Nobody called zero_grad()."
    )
    w = next(node for node in moment.graph.nodes if node.id == "leaf:w")
    assert w.grad == -16
    assert [float(part) for part in w.contributions] == [-8, -8]
    assert [finding.kind for finding in moment.findings] == ["missing-zero-grad"]


def test_what_two_losses_send_to_one_leaf_is_no_missing_zero_grad() -> None:
    run = Run(scenario("two-heads").source)
    run.begin()
    for phase in ("zero_grad", "forward", "forward-2", "backward", "backward-2"):
        run.execute(Command(phase.partition("-")[0], phase=phase))
    assert last(run).explanation.text == (
        "backward() added 4 to trunk.grad, which still held −4: now 0. "
        "That came from line 25: the gradients of both losses add up."
    )


def test_step_after_accumulation_says_what_it_used() -> None:
    moment = last(press("forward", "backward", "forward", "backward", "step"))
    assert moment.explanation.text.startswith("step() moved w from 1.5 to 2.3")
    assert moment.explanation.text.endswith("w.grad was the sum of 2 backwards.")


def test_backward_before_forward_offers_forward() -> None:
    run = press("backward")
    moment = last(run)
    assert moment.error is not None
    assert (moment.error.type, moment.error.message) == ("NameError", "name 'loss' is not defined")
    assert (moment.error.line, moment.line) == (19, 19)
    assert moment.error.suggestion == "There is no loss yet: press forward."
    assert moment.usual_next == "forward"
    run = take_offer(run, "forward")
    assert last(run).loss == 4
    run.execute(Command("backward"))
    assert last(run).error is None


def test_backward_twice_offers_forward_again() -> None:
    run = press("zero_grad", "forward", "backward", "backward")
    moment = last(run)
    assert moment.error is not None
    assert moment.error.type == "RuntimeError"
    assert moment.error.message.startswith("Trying to backward through the graph a second time")
    assert moment.tensors == run.moment(run.last - 1).tensors, "nothing else changed"
    assert run.state == "failed"
    after = take_offer(run, "forward again")
    assert after.state == "ready"
    assert last(after).explanation.text.startswith("backward() added −8 to w.grad, which still held −8: now −16.")


def test_backward_twice_offers_retain_graph() -> None:
    run = press("zero_grad", "forward", "backward", "backward")
    after = take_offer(run, "use retain_graph")
    assert last(after).error is None
    first = after.moment(after.last - 1)
    assert first.statement == "loss.backward(retain_graph=True)"
    assert first.explanation.text.endswith("retain_graph=True kept the graph, so backward() can run through it again.")
    assert last(after).explanation.text.startswith("backward() added −8 to w.grad, which still held −8: now −16.")
    assert [node.state for node in first.graph.nodes if node.kind != "leaf"] == ["live"] * 3
    freed = [node.state for node in last(after).graph.nodes if node.kind != "leaf"]
    assert freed == ["freed", "live", "freed"], "a subtraction saves nothing"


def test_step_before_backward_says_why_nothing_moves() -> None:
    moment = last(press("step"))
    assert moment.explanation.text == (
        "step() moved nothing: w.grad is None, and step() skips a parameter without"
        " .grad. Press backward first: it fills .grad."
    )
    assert [finding.kind for finding in moment.findings] == ["step-before-backward"]


def test_step_twice_uses_the_same_gradient() -> None:
    moment = last(press("forward", "backward", "step", "step"))
    assert moment.explanation.text.endswith(
        "It used the same gradient as the step() before: no backward() has run in between."
    )


def test_step_after_zero_grad() -> None:
    moment = last(press("forward", "backward", "zero_grad", "step"))
    assert moment.explanation.text.endswith("zero_grad() has cleared it since the last backward().")


def test_what_was_computed_from_an_old_weight_is_stale() -> None:
    run = press("forward", "backward", "step")
    states = {node.id: node.state for node in last(run).graph.nodes}
    assert states == {
        "leaf:w": "live",
        "leaf:x": "live",
        "op:18.0": "stale",
        "leaf:target": "live",
        "op:18.1": "stale",
        "op:18.2": "stale",
    }
    run.execute(Command("forward"))
    assert {node.state for node in last(run).graph.nodes} == {"live"}


def test_after_the_loop_phases_use_the_last_bindings_and_say_so() -> None:
    run = press("finish")
    assert run.state == "finished"
    w = last(run).tensors[0].value
    run.execute(Command("forward"))
    moment = last(run)
    assert moment.explanation.text.endswith("The loop has ended, so this used what its last iteration left behind.")
    assert (moment.line, moment.free, moment.phase) == (18, True, "forward")
    assert moment.loss == pytest.approx((float(w) * 2 - 5) ** 2)
    assert [node.id for node in moment.graph.nodes] == [node.id for node in run.moment(7).graph.nodes]


def test_a_press_that_meets_the_end_of_the_loop() -> None:
    source = SOURCE.replace("range(20)", "range(1)")
    run = press("zero_grad", "forward", "backward", "step", "forward", source=source)
    assert [run.moment(n).explanation.text for n in range(run.last - 2, run.last)] == [
        "Printed “1: w = 1.9000”.",
        "The loop has ended after one iteration.",
    ]
    assert "The loop has ended, so this used" in last(run).explanation.text


def test_a_plain_line_that_fails_on_the_way_is_shown_and_passed_over() -> None:
    source = SOURCE.replace("    opt.step()\n", "    print(loss.item())\n    opt.step()\n")
    run = press("step", source=source)
    failed = run.moment(run.last - 1)
    assert failed.error is not None
    assert failed.error.type == "NameError"
    assert last(run).do == "step"
    assert last(run).error is None
    assert "A line on the way failed and was passed over." in last(run).explanation.text


def test_zeros_are_not_none() -> None:
    run = press("forward", "backward")
    run.execute(Command("statement", statement="opt.zero_grad(set_to_none=False)"))
    assert last(run).explanation.text == "zero_grad() filled w.grad with zeros: it held −8."
    assert last(run).free
    run.execute(Command("step"))
    assert last(run).explanation.text.startswith("step() left w at 1.5: its gradient is 0.")


def test_momentum_stays_and_moves_without_a_gradient() -> None:
    source = SOURCE.replace("lr=0.05", "lr=0.05, momentum=0.9")
    run = press("zero_grad", "forward", "backward", "step", "zero_grad", source=source)
    assert last(run).explanation.text.endswith("The optimizer keeps its own state (momentum_buffer).")
    run.execute(Command("statement", statement="w.grad = torch.tensor(0.0)"))
    run.execute(Command("step"))
    assert last(run).explanation.text.endswith("The gradient of w is 0, but the optimizer's own state still moves it.")
    update = last(run).events[0]
    assert [line.left for line in update.lines] == ["buf", "w"]
    assert update.lines[0].text == "momentum × buf + grad = 0.9 × (−8) + 0"
    assert update.lines[0].value == pytest.approx(-7.2)


def test_a_missing_zero_grad_is_found_once_with_its_proof() -> None:
    run = press("run", "run", "run", source=SOURCE.replace("    opt.zero_grad()\n", ""))
    (finding,) = last(run).findings
    assert finding.kind == "missing-zero-grad"
    assert finding.text == (
        "w.grad still held −8 that step() had used already (moment 8) when backward() added to it:"
        " there was no zero_grad() between, so it is −12.8 instead of −4.8."
    )
    assert run.moment(finding.moment).do == "backward"


@pytest.mark.parametrize("slug", ["gradients-add-up", "linear-regression", "two-moons"])
def test_no_finding_in_correct_scripts(slug: str) -> None:
    run = press("run", source=scenario(slug).source)
    run.execute(Command("run", times=4))
    assert last(run).findings == ()


def test_gradient_accumulation_is_no_finding() -> None:
    source = SOURCE.replace("    opt.zero_grad()\n", "    if i % 2 == 0:\n        opt.zero_grad()\n").replace(
        "    opt.step()\n", "    if i % 2 == 1:\n        opt.step()\n"
    )
    run = press("run", "run", "run", "run", "run", source=source)
    assert last(run).findings == ()


def test_a_free_expression_shows_its_value() -> None:
    run = press("forward", "backward")
    for text, told in [
        ("w.grad", "w.grad gives tensor(-8)."),
        ("w.grad is None", "w.grad is None gives False."),
        ("x.grad", "x.grad gives None."),
        ("q = 3", "q = 3."),
    ]:
        run.execute(Command("statement", statement=text))
        assert last(run).explanation.text == told


def test_reading_the_grad_of_a_tensor_that_is_no_leaf_warns() -> None:
    run = press("forward", "backward")
    run.execute(Command("statement", statement="loss.grad"))
    (warned,) = last(run).warnings
    assert warned.category == "UserWarning"
    assert warned.text.startswith("The .grad attribute of a Tensor that is not a leaf Tensor is being accessed.")
    assert last(run).explanation.text.startswith("loss.grad gives None. PyTorch warns: The .grad attribute")


TWICE = """import torch

def train(start):
    w = torch.tensor(start, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        loss = w * 1
        loss.backward()
        optimizer.step()

train(2.3)
print("again")
train(5.0)
"""


def test_whole_iterations_say_what_became_of_the_loss() -> None:
    run = Run(scenario("gradients-add-up").source)
    run.begin()
    assert (
        run.execute(Command("run", times=10)).note == "10 iterations ran: loss went from 4 to 0.0004062."
    )  # 4 * 0.36 ** 9
    assert run.execute(Command("run", times=1)).note == ""
    assert run.execute(Command("run", times=100)).note == "The loop has ended."


def test_a_loop_that_another_call_begins_anew_has_ended_for_now() -> None:
    run = Run(TWICE)
    run.begin()
    notes = [run.execute(Command("run", times=times)).note for times in (1, 2, 1, 1)]
    assert notes[1:] == ["2 iterations ran: loss went from 2.2 to 5.", "", "The loop has ended."]
    told = [run.moment(n).explanation.text for n in range(run.last + 1)]
    assert [text for text in told if "has ended" in text] == [
        "The loop has ended for now: 2 iterations so far.",
        "The loop has ended after 4 iterations.",
    ]


def test_a_leaf_that_lost_its_name_is_the_old_one() -> None:
    run = Run(BY_HAND)
    run.begin()
    for command in (
        Command("forward"),
        Command("backward"),
        Command("statement", statement="w = w - lr * w.grad"),
        Command("forward"),
        Command("backward"),
    ):
        run.execute(command)
    moment = last(run)
    assert moment.explanation.text.startswith("backward() added 4.8 to old w.grad, which still held 6: now 10.8.")
    (leaf,) = [node for node in moment.graph.nodes if node.name == "old w"]
    assert leaf.state == "stale"
    assert leaf.grad is not None
    assert leaf.grad.item() == pytest.approx(10.8)
    assert next(tensor.grad for tensor in moment.tensors if tensor.name == "w") is None


BY_HAND = """import torch
w = torch.tensor(4.0, requires_grad=True)
lr = 0.1
for i in range(10):
    loss = (w - 1) ** 2
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
    w.grad = None
"""

TWO = """import torch
a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
opt_a = torch.optim.SGD([a], lr=0.1)
opt_b = torch.optim.SGD([b], lr=0.1)
for i in range(10):
    loss = a * b
    loss.backward()
    opt_a.step()
    opt_b.step()
"""


@pytest.mark.parametrize(
    ("commands", "ending"),
    [
        (["forward", "backward", "step", "step step-2"], "−0.1 × 2 = −0.2."),
        (["forward", "backward", "step", "a.grad = torch.tensor(5.0)", "step step"], "−0.1 × 5 = −0.5."),
        (
            ["forward", "backward", "step", "step step"],
            "It used the same gradient as the step() before: no backward() has run in between.",
        ),
        (["forward", "backward", "a.grad = None", "step"], "It has been cleared since the last backward()."),
        (["forward", "backward", "opt_a.zero_grad()", "step"], "zero_grad() has cleared it since the last backward()."),
        (["b.square().backward()", "step"], "The last backward() did not reach it."),
        (
            ["for k in range(3): (a * b).backward()"],
            "backward() put 9 into a.grad and 6 into b.grad. It ran 3 times in this statement.",
        ),
        (
            ["forward", "backward", "for k in range(2): (2 * a).backward()"],
            "backward() added 4 to a.grad, which still held 3: now 7. It ran 2 times in this statement.",
        ),
    ],
)
def test_what_is_said_of_a_gradient_is_so(commands: list[str], ending: str) -> None:
    run = Run(TWO)
    run.begin()
    for said in commands:
        word, _, phase = said.partition(" ")
        presses = word in ("forward", "backward", "step")
        run.execute(Command(word, phase=phase or None) if presses else Command("statement", statement=said))
    assert last(run).explanation.text.endswith(ending)
