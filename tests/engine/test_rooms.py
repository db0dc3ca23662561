"""What most scripts do not need is imported when they name it, and is then what it always was."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from inspect import unwrap
from types import ModuleType

import pytest

import engine
from engine import nn, optim, rooms
from engine.nn.layers import FILES
from engine.ops import seldom

TRAINING = """
import sys
import engine as torch
from engine import nn
model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
optimizer = torch.optim.Adam(model.parameters())
nn.MSELoss()(model(torch.ones(4, 2)), torch.ones(4, 1)).backward()
optimizer.step()
print(*(name for name in sys.modules if name.startswith("engine.")))
"""
SELDOM = (
    "nn.rnn nn.transformer nn.conv nn.lazy nn.adaptive optim.lbfgs optim.adafactor optim.lr_scheduler data linalg"
    " ops.conv ops.factors ops.sorting ops.special ops.pool ops.loss_ctc"
)


def printed(text: str) -> list[str]:
    return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout.split()


def test_training_a_small_network_imports_no_more_than_it_needs() -> None:
    imported = printed(TRAINING)
    assert "engine.nn.linear" in imported
    assert [name for name in SELDOM.split() if f"engine.{name}" in imported] == []


@pytest.mark.parametrize("text", ["nn.LSTM", "optim.LBFGS", "nn.functional.conv2d"])
def test_a_name_is_found_by_all_ways_of_asking(text: str) -> None:
    package, _, name = text.rpartition(".")
    ways = [
        f"import engine; print(engine.{text})",
        f"from engine.{package} import {name}; print({name})",
        f"import engine.{package} as it; print(it.{name})",
        f"from engine.{package} import *; print({name})",
        f"import engine.{package}; print(engine.{package}.{name} if '{name}' in dir(engine.{package}) else None)",
    ]
    told = {" ".join(printed(each)).partition(" at 0x")[0] for each in ways}
    assert len(told) == 1
    assert told != {"None"}


@pytest.mark.parametrize("file", FILES)
def test_every_layer_of_a_file_is_listed(file: str) -> None:
    module = import_module(f"engine.nn.{file}")
    here = vars(module).items()
    own = {name for name, one in here if isinstance(one, type) and one.__module__ == module.__name__ and name[0] != "_"}
    assert {name for name in own if issubclass(getattr(module, name), nn.Module)} <= {"NonDynamicallyQuantizableLinear"}
    for name in FILES[file].split():
        assert getattr(nn, name) is getattr(module, name)
        assert getattr(nn, name).__module__.startswith("torch.nn.")


@pytest.mark.parametrize(("file", "names"), seldom.FILES.items())
def test_operations_are_where_they_are_listed(file: str, names: seldom.Names) -> None:
    module = import_module(f"engine.ops.{file}")
    assert not hasattr(module, "FUNCTIONS")
    for name in f"{names.both} {names.functions}".split():
        assert unwrap(getattr(engine, name)) is unwrap(getattr(module, name))
        assert name in dir(engine)
    for name in f"{names.both} {names.methods}".split():
        assert unwrap(getattr(engine.Tensor, name)) is unwrap(getattr(module, name))
    for name in names.in_place.split():
        assert unwrap(getattr(engine, f"{name}_")) is unwrap(getattr(engine.Tensor, f"{name}_"))
        assert not isinstance(vars(engine.Tensor)[f"{name}_"], seldom.Method)


def test_a_method_is_imported_by_whoever_reads_it() -> None:
    text = "import engine; x = engine.tensor([2.0, 1.0]); print({}, 'engine.ops.sorting' in __import__('sys').modules)"
    for way in ("x.sort()[0].tolist()", "engine.Tensor.sort(x)[0].tolist()", "getattr(x, 'sort')()[0].tolist()"):
        assert printed(text.format(way)) == ["[1.0,", "2.0]", "True"]
    assert printed(text.format("hasattr(x, 'sorted')")) == ["False", "False"]


def test_files_of_optimizers_are_no_attributes() -> None:
    """Asked in a process of its own: whoever imports `torch.optim.adam` as a module makes it one."""
    text = "from engine import optim; print(optim.LBFGS.__module__, optim.Rprop.__module__, "
    text += "*(hasattr(optim, name) for name in ('adam', 'adafactor', 'lbfgs', 'rprop')))"
    assert printed(text) == ["torch.optim.lbfgs", "torch.optim.rprop", "False", "False", "False", "False"]
    with pytest.raises(AttributeError, match=r"^module 'torch\.optim' has no attribute 'no_such'$"):
        getattr(optim, "no_such")  # noqa: B009 - which mypy would not have


def test_nothing_is_left_to_be_imported_while_a_clock_runs() -> None:
    """Scripts are given all parts, imported before any of them begins."""
    text = "import engine.script.surface.everything, sys; before = set(sys.modules); from engine import rooms;"
    text += "rooms.fill(); print(*(each for each in sys.modules if each not in before))"
    assert printed(text) == []
    rooms.fill()
    assert isinstance(nn.rnn, ModuleType)
    assert "LBFGS" in vars(optim)
    assert "Transformer" in vars(nn)
