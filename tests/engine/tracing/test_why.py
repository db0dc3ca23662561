"""Why a number is there: every link's numbers are those of the trace, and the chain hangs together."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from app.drawing.worked import worked_entry
from app.library import scenario
from engine.run import Command, Run
from engine.tracing.moments import Moment
from engine.tracing.why import Link, Why, why
from tests.engine.tracing.diagnosis.corpus import CORRECT


def after(source: str, *commands: Command | str) -> Run:
    run = Run(source)
    run.begin()
    for command in commands:
        run.execute(Command(command) if isinstance(command, str) else command)
    return run


SCALAR = scenario("gradients-add-up").source


def test_a_weight_goes_back_to_where_it_was_made() -> None:
    run = after(SCALAR, "zero_grad", "forward", "backward", "step")
    told = why(run, run.last, "w")
    assert told.text == f"w = 1.9 at moment {run.last}."
    assert told.complete
    assert [link.field for link in told.links] == ["value", "grad", "passing", "passing", "passing", "value", "value"]
    texts = [link.text for link in told.links]
    assert texts[0] == "step() moved w from 1.5 to 1.9: w − lr × grad = 1.5 − 0.05 × (−8)."
    assert texts[1] == "backward() put −8 into w.grad."
    assert texts[2].endswith("sent −8 to w: (−4) passing × 2.")
    assert texts[-2] == "That backward() began at loss = 4, which the forward had computed."
    assert texts[-1] == "`w = torch.tensor(1.5, requires_grad=True)` made w = 1.5."


def test_the_ledger_of_a_gradient() -> None:
    run = after(SCALAR, "forward", "backward", "forward", "backward")
    link = why(run, run.last, "w", "grad").links[0]
    first, second = [m for m in range(run.last + 1) if run.moment(m).do == "backward"]
    assert link.text == f"w.grad = −16 adds up 2 contributions: (−8) (moment {first}) + (−8) (moment {second})."
    assert (link.moment, link.value) == (second, -16.0)
    assert run.moment(link.moment).events[link.event or 0].kind == "accumulate"


def test_through_momentum_and_iterations() -> None:
    run = after(scenario("linear-regression").source, Command("run", times=3))
    told = why(run, run.last, "model.weight", most=40)
    assert told.complete
    steps = [link for link in told.links if link.text.startswith("step()")]
    assert len(steps) == 3
    assert "momentum × buf + grad" in steps[0].text
    assert told.links[-1].text == "`model = nn.Linear(1, 1)` made model.weight[0, 0] = −0.007487."


def test_an_activation_goes_back_through_its_operands() -> None:
    run = after(scenario("linear-regression").source, Command("run", times=1))
    told = why(run, run.last, "prediction", index=(1, 0))
    weight = [t for t in run.moment(run.last - 4).tensors if t.name == "model.weight"]
    assert weight
    assert told.links[0].text.startswith("prediction[1, 0] = model.bias[0] + x · model.weight = ")
    assert told.links[1].name == "model.weight"


CONVOLUTION = """import torch
from torch import nn
x = torch.arange(32.0).reshape(2, 1, 4, 4) / 8
conv = nn.Conv2d(1, 2, 3, padding=1, stride=2)
nn.init.constant_(conv.weight, 0.5)
nn.init.constant_(conv.bias, 0.25)
opt = torch.optim.SGD(conv.parameters(), lr=0.1)
for i in range(2):
    opt.zero_grad()
    h = conv(x)
    loss = (h ** 2).mean()
    loss.backward()
    opt.step()
"""


def test_an_entry_of_a_convolution_is_what_stands_under_its_window() -> None:
    run = after(CONVOLUTION, "zero_grad", "forward", "backward")
    corner = why(run, run.last, "h", index=(0, 1, 0, 0)).links[0].text
    assert corner == (
        "h[0, 1, 0, 0] = conv.bias[1] + x[0, 0, 0:2, 0:2] · conv.weight[1, 0, 1:3, 1:3] = 0.25 + 0 × 0.5 + 0.125 × 0.5"
        " + 0.5 × 0.5 + … (4 products) = 0.875 (line 10)."
    )
    middle = why(run, run.last, "h", index=(1, 0, 1, 1)).links[0].text
    assert middle.startswith(
        "h[1, 0, 1, 1] = conv.bias[0] + x[1, 0, 1:4, 1:4] · conv.weight[0, 0, 0:3, 0:3] = 0.25 + 2.625"
    )


@pytest.mark.parametrize(
    ("layer", "shape"),
    [("Conv1d(4, 6, 3, groups=2, dilation=2)", (2, 4, 9)), ("Conv2d(3, 2, (1, 3), bias=False)", (1, 3, 4, 5))],
)
def test_every_entry_of_a_convolution_is_worked_out(layer: str, shape: tuple[int, ...]) -> None:
    text = CONVOLUTION.replace("Conv2d(1, 2, 3, padding=1, stride=2)", layer)
    text = text.replace("torch.arange(32.0).reshape(2, 1, 4, 4) / 8", f"torch.randn({shape})")
    run = after("\n".join(line for line in text.split("\n") if "init" not in line), "zero_grad", "forward")
    value = next(tensor.value for tensor in run.moment(run.last).tensors if tensor.name == "h")
    for place in np.ndindex(value.shape):
        assert " · conv.weight[" in why(run, run.last, "h", index=place).links[0].text


def test_what_a_backward_added_up_is_written_out() -> None:
    run = after(CONVOLUTION, "zero_grad", "forward", "backward")
    told = why(run, run.last, "conv.weight", "grad", (0, 0, 1, 1), work=worked_entry).links[1].text
    assert told.startswith("ConvolutionBackward0 (line 10) sent ")
    assert told.count("×") >= 4
    silent = why(run, run.last, "conv.weight", "grad", (0, 0, 1, 1)).links[1].text
    assert silent.endswith("it adds up over the gradient passing (2×2×2×2).")


TRUNK = """import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(1, 3, 2), nn.ReLU(), nn.Flatten(), nn.Linear(12, 4), nn.Tanh(), nn.Linear(4, 2))
x, y = torch.randn(5, 1, 3, 3), torch.tensor([0, 1, 1, 0, 1])
for i in range(2):
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
"""


@pytest.mark.parametrize(("name", "sender"), [("net.3.weight", "AddmmBackward0"), ("net.0.weight", "Convolution")])
def test_the_chain_goes_on_with_an_entry_that_contributed(name: str, sender: str) -> None:
    """Of a weight's row (a kernel) only what passed in its own column (channel) adds to it."""
    run = after(TRUNK, "forward", "backward")
    weight = next(tensor for tensor in run.moment(run.last).tensors if tensor.name == name)
    assert weight.grad is not None
    work = partial(worked_entry, trace=True)
    for place in [tuple(map(int, one)) for one in np.argwhere(weight.grad)]:
        _, sent, *rest = why(run, run.last, name, "grad", place, work=work).links
        assert sent.text.startswith(sender)
        assert rest[0].index[1] == place[0]


def test_the_largest_part_of_a_sum_is_found() -> None:
    given, gradient = np.array([[2.0], [3.0], [-1.0]]), np.array([[1.0, 5.0], [-4.0, 5.0], [2.0, 5.0]])
    values = [given, np.ones((1, 2))]
    told = worked_entry("mm", 1, values, None, gradient, given.T @ gradient, (0, 0), trace=True)
    assert told is not None
    assert told.came_from == (1, 0)
    halves = [np.ones((4000, 1)), np.ones((1, 2))]
    long = np.zeros((4000, 2))
    long[1234, 1] = 0.5
    told = worked_entry("mm", 1, halves, None, long, halves[0].T @ long, (0, 1), trace=True)
    assert told is not None
    assert told.came_from == (1234, 1)


def test_what_a_softmax_sends_is_not_only_what_passed_at_its_place() -> None:
    run = after(
        "import torch\nw = torch.tensor([[1.0, 2.0]], requires_grad=True)\nfor i in range(2):\n"
        "    loss = torch.nn.functional.cross_entropy(w * 1, torch.tensor([0]))\n    loss.backward()\n",
        "forward",
        "backward",
    )
    texts = [link.text for link in why(run, run.last, "w", "grad", (0, 1), work=worked_entry).links]
    softmax = next(text for text in texts if "LogSoftmax" in text)
    assert "nothing (0) was passing" not in softmax
    assert "×" in softmax or "−" in softmax


def test_values_set_by_hand() -> None:
    run = after(SCALAR, Command("statement", statement="w.data.fill_(7.0)"))
    told = why(run, run.last, "w")
    assert told.links[0].text == "`w.data.fill_(7.0)` changed w from 1.5 to 7."
    run.execute(Command("statement", statement="w.grad = torch.tensor(3.0)"))
    told = why(run, run.last, "w", "grad")
    assert told.links[0].text == "w.grad = 3 was put there by hand, not by a backward()."


def test_updates_by_hand_lead_to_the_gradient() -> None:
    run = after(CORRECT["update through .data"], Command("run", times=1))
    told = why(run, run.last, "w1")
    assert [link.field for link in told.links[:2]] == ["value", "grad"]


def test_what_does_not_fit() -> None:
    run = after(SCALAR)
    with pytest.raises(KeyError, match="there is no tensor 'q' at moment"):
        why(run, run.last, "q")
    with pytest.raises(KeyError, match=r"w\.grad is None"):
        why(run, run.last, "w", "grad")
    with pytest.raises(IndexError, match="does not fit"):
        why(run, run.last, "w", index=(0,))


def number_of(moment: Moment, link: Link) -> float | None:
    """The number that a link is about, as its moment has it."""
    state = next((t for t in moment.tensors if t.name == link.name), None)
    if state is None or link.field == "passing":
        return None
    array = state.value if link.field == "value" else state.grad
    return None if array is None or np.shape(array[link.index]) else float(array[link.index])


SOURCES = ["two-moons", "linear-regression", "gradients-add-up"]
NAMES = [
    "gradient accumulation, divided at backward",
    "DCGAN style, both networks every iteration",
    "RNN with a hidden state carried on, detached",
    "LBFGS with a closure",
    "several heads, a backward for each in a loop",
    "attention with a mask of minus infinity",
    "convolution",
    "logistic regression on plain tensors",
    "embeddings, some rows never used",
    "Adam with a closure",
]


@pytest.mark.parametrize("name", SOURCES + NAMES)
def test_links_say_what_the_trace_says(name: str) -> None:
    source = scenario(name).source if name in SOURCES else CORRECT[name]
    run = after(source, Command("run", times=2))
    asked: list[Why] = []
    for tensor in run.moment(run.last).tensors[:12]:
        if tensor.value.size:
            asked.append(why(run, run.last, tensor.name, most=15))
        if tensor.grad is not None and tensor.grad.size:
            asked.append(why(run, run.last, tensor.name, "grad", most=15))
    assert asked
    for told in asked:
        assert told.links, told.text
        assert len(told.links) <= 15
        assert [link.moment for link in told.links] == sorted((link.moment for link in told.links), reverse=True)
        for link in told.links:
            moment = run.moment(link.moment)
            assert link.text.endswith("."), link.text
            assert "nan" not in link.text or "nan" in source
            if link.event is not None:
                assert 0 <= link.event < len(moment.events)
            wanted = number_of(moment, link)
            if wanted is not None and link.value is not None:
                assert link.value == wanted or (np.isnan(wanted) and np.isnan(link.value))


def test_moments_that_are_not_kept() -> None:
    run = after(SCALAR, Command("run", times=20))
    whole = why(run, run.last, "w", most=30)
    run._session.shelf._kept = type(run._session.shelf._kept)(
        None if place < run.last - 3 else moment for place, moment in enumerate(run._session.shelf._kept)
    )
    assert why(run, run.last, "w", most=30) == whole
