"""Scripts and commands for the tests of runs."""

from __future__ import annotations

from hypothesis import strategies as st

from app.library import scenarios
from engine.run import Command, Run

NESTED = """\
import torch

torch.manual_seed(3)
w = torch.randn(2, requires_grad=True)
data = [(torch.tensor([1.0, 2.0]), torch.tensor(1.0)), (torch.tensor([0.0, 1.0]), torch.tensor(-1.0))]
opt = torch.optim.Adam([w], lr=0.1)
for epoch in range(3):
    total = 0.0
    for x, y in data:
        opt.zero_grad()
        pred = (w * x).sum()
        loss = (pred - y) ** 2
        loss.backward()
        opt.step()
        total += loss.item()
    print(f"epoch {epoch}: {total:.4f}")
print("done")
"""

ACCUMULATING = """\
import torch

w = torch.tensor([1.0, -2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1, momentum=0.5)
step = 0
while step < 8:
    x = torch.tensor([float(step), 1.0])
    loss = ((w * x).sum() - 1.0) ** 2 / 2
    loss.backward()
    if step % 2 == 1:
        opt.step()
        opt.zero_grad()
    step += 1
print(w.tolist())
"""

BY_HAND = """\
import torch

w = torch.tensor(2.0, requires_grad=True)
for k in range(5):
    y = w ** 3 + w
    y.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
        w.grad.zero_()
    print(k, round(w.item(), 5))
"""

IN_A_FUNCTION = """\
import torch

w = torch.tensor(2.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)


def train(n):
    for k in range(n):
        opt.zero_grad()
        loss = (w - 1) ** 2
        loss.backward()
        opt.step()
        print(k, f"{loss.item():.4f}")
    return n


n = train(4)
print("trained", n)
"""

NO_LOOP = """\
import torch

w = torch.tensor(2.0, requires_grad=True)
y = w * 3
y.backward()
print(w.grad)
"""

SOURCES = {
    **{slug: scenario.source for slug, scenario in scenarios().items()},
    "nested": NESTED, "accumulating": ACCUMULATING, "by-hand": BY_HAND, "in-a-function": IN_A_FUNCTION,
    "no-loop": NO_LOOP,
}

presses = st.sampled_from(["zero_grad", "forward", "backward", "step"]).map(Command)
others = st.one_of(
    st.sampled_from([Command("next"), Command("next", times=3), Command("into"), Command("run"),
                     Command("run", times=2)]),
    st.sampled_from(["w.grad", "w = w + 0", "loss.backward(retain_graph=True)", "1 / 0", "q = 3", "print('hello')",
                     "opt.zero_grad(set_to_none=False)"]).map(lambda text: Command("statement", statement=text)),
)
commands = st.lists(st.one_of(presses, presses, presses, others), max_size=9)


def printed(run: Run) -> str:
    """All that a run printed, with its errors as the transcript prints them."""
    text = ""
    for number in range(run.last + 1):
        moment = run.moment(number)
        text += moment.stdout
        if moment.error is not None:
            text += f"{moment.error.type}: {moment.error.message}\n"
    return text
