"""Runs of scripts with complex numbers: what is recorded, where numbers came from, that other runs do not notice."""

from __future__ import annotations

import json

import numpy as np
import pytest

from app import encode
from app.api.moment_models import MomentOut
from app.drawing import cells, numbers
from app.export.offline import export
from engine.autograd import careful, wirtinger
from engine.run import Command, Run
from engine.tracing.why import why

SCRIPT = """import torch
w = torch.tensor([1 + 1j, 2 - 1j], requires_grad=True)
f = torch.polar(torch.ones(2), torch.tensor([0.5, 1.0]))
opt = torch.optim.Adam([w], lr=0.1)
for i in range(3):
    opt.zero_grad()
    z = torch.exp(1j * w) * f
    y = torch.fft.rfft(torch.arange(4.0)) * z.sum()
    loss = (z - 2j).abs().pow(2).sum() + y.real.sum() + torch.view_as_real(z).mean()
    loss.backward()
    opt.step()
print(w)
"""
REAL = """import torch
x = torch.tensor(2.0, requires_grad=True)
for i in range(3):
    y = x * x
    y.backward()
"""


@pytest.fixture(scope="module")
def run() -> Run:
    made = Run(SCRIPT)
    made.begin()
    for _ in range(2):
        made.execute(Command("run"))
    return made


def test_every_moment_is_json(run: Run) -> None:
    for number in range(run.last + 1):
        told = json.loads(encode.encode(encode.moment_dict(run.moment(number))))
        MomentOut.model_validate(told)
    (w,) = [each for each in told["tensors"] if each["name"] == "w"]
    assert w["dtype"] == "complex64"
    assert all(complex(text) for text in w["data"])


def test_the_page_shows_complex_numbers(run: Run) -> None:
    assert "Complex" in export(run, "Complex")  # where a cast to real numbers would warn
    assert numbers.number(np.complex64(1 - 2j)) == "1.0000−2.0000j"
    drawn = cells.figure(np.array([1 + 1j, -3j], np.complex64), (2,), limit=3.0)
    assert drawn.texts == ("1+1j", "-0-3j")
    assert {each.sign for each in drawn.shades} == {"positive"}


def test_where_a_complex_entry_came_from(run: Run) -> None:
    found = why(run, run.last, "w", "value", (0,))
    assert found.links
    assert isinstance(found.value, complex)
    assert "j at moment" in found.text


def test_other_runs_do_not_notice() -> None:
    one, other = Run(SCRIPT), Run(REAL)
    one.begin()
    one.execute(Command("run"))
    seen = []
    other.begin()
    with other._world.entered(lambda *_: None):
        seen.append((wirtinger.on, careful.on))
    with one._world.entered(lambda *_: None):
        seen.append((wirtinger.on, careful.on))
    assert seen == [(False, False), (True, True)]
    assert not wirtinger.on
    one.execute(Command("run"))
    assert one.moment(one.last).error is None
