"""The engine in PyTorch's place: modules of plain Python, every form of import, and files of its own."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
from engine.library import found
from engine.saving import load, save
from engine.script.modules import MODULES
from engine.script.surface import everything
from tests.engine.script.compare import in_interpreter

assert everything  # which offers the modules of scripts

APART = {
    "torch.hub",  # what a script is told about networks and exports that it cannot have
    "torch.onnx",
    "torch.functional",  # as scripts may import them, each shows all of what it is a part of
    "torch.nn.modules.module",
    "torch.tensor",
    "torch.utils.data._utils.collate",
    "torch.multiprocessing",  # Python's own
}


def offered() -> Iterator[tuple[str, list[str]]]:
    """The modules of PyTorch that scripts have, and the names in each that they can read (dir() lists more)."""
    places = sorted(name for name in MODULES if name == "torch" or name.startswith("torch."))
    listing = "\n".join(
        f"import {place}\nprint('{place}', *[n for n in dir({place}) if hasattr({place}, n)])" for place in places
    )
    for line in in_interpreter(listing).stdout.splitlines():
        place, *names = line.split()
        yield place, [name for name in names if name[:1] != "_"]


def test_what_scripts_have_the_engine_has_too() -> None:
    missing = []
    listed = list(offered())
    assert len(listed) > 100
    for place, names in listed:
        if place in APART:
            continue
        module = found(place)
        parts = {each.rpartition(".")[2] for each in MODULES}
        missing += [f"{place}.{name}" for name in names if name not in parts and not hasattr(module, name)]
    assert not missing


def test_no_name_is_made_up() -> None:
    with pytest.raises(AttributeError, match="module 'torch' has no attribute 'distribution'"):
        engine.distribution  # noqa: B018
    with pytest.raises(AttributeError, match=r"module 'torch\.optim' has no attribute 'swa'"):
        engine.optim.swa  # noqa: B018
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'torch\.nn\.function'"):
        found("torch.nn.function")


IN_PLACE = """
import sys
import engine
sys.modules["torch"] = engine
import torch.nn as nn
import torch.nn.functional as F
import torch.utils.data
import torch.cuda
from torch.distributions.normal import Normal
from torch.optim.optimizer import Optimizer, required
try:
    import torch.not_there
except ModuleNotFoundError as error:
    print(error)
print(nn is engine.nn, nn.__spec__.name, F.relu is engine.nn.functional.relu)
print(torch.utils.data.DataLoader is engine.data.DataLoader)
print(torch.cuda.is_available(), Normal.__module__, [name for name in sys.modules if name.startswith("torch.nn")])
"""


def test_all_can_be_imported_in_the_place_of_pytorch() -> None:
    done = subprocess.run([sys.executable, "-c", IN_PLACE], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "No module named 'torch.not_there'",
        "True engine.nn True",
        "True",
        "False torch.distributions ['torch.nn', 'torch.nn.functional']",
    ]


FILES_IN_PLACE = """
import sys
import engine
sys.modules["torch"] = engine
import torch.optim.adam
import torch.optim.adamw as adamw, torch.optim.lbfgs as lbfgs
from torch.optim.sgd import SGD
from torch.optim import adagrad, rprop
print(SGD is engine.optim.SGD, adamw.AdamW is engine.optim.AdamW, lbfgs.LBFGS is engine.optim.LBFGS)
print(adagrad.Adagrad is engine.optim.Adagrad, rprop.Rprop is engine.optim.Rprop)
print([name for name in dir(torch.optim) if name in ("adam", "adamw", "sgd", "lbfgs", "adagrad", "rprop")])
torch.optim.adam([torch.ones(1)])
"""


def test_files_that_are_imported_do_not_become_attributes() -> None:
    """Whoever takes `torch.optim.adam` for an optimizer is told the same, whatever was imported before."""
    done = subprocess.run([sys.executable, "-c", FILES_IN_PLACE], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["True True True", "True True", "[]"]
    assert done.stderr.splitlines()[-1].startswith("AttributeError: module 'torch.optim' has no attribute 'adam'")


def test_layers_are_pruned_in_the_library_too() -> None:
    """Whose hooks are a list there, and shown by numbers in scripts."""
    prune = found("torch.nn.utils.prune")
    layer = engine.nn.Linear(2, 1)
    layer.weight.data.copy_(engine.tensor([[1.0, -3.0]]))
    prune.l1_unstructured(layer, "weight", 1)
    prune.random_unstructured(layer, "weight", 0)
    assert prune.is_pruned(layer)
    assert layer.weight_mask.tolist() == [[0.0, 1.0]]
    prune.remove(layer, "weight")
    assert not prune.is_pruned(layer)
    assert layer.weight.tolist() == [[0.0, -3.0]]


def test_without_that_the_names_of_pytorch_are_left_alone() -> None:
    text = "import engine, sys; print([name for name in sys.modules if name.partition('.')[0] == 'torch'])"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


class Reached:
    def __reduce__(self) -> tuple[object, ...]:
        return print, ("reached",)


def test_weights_only_calls_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "any.pt"
    save([engine.ones(2), Reached()], path)
    with pytest.raises(pickle.UnpicklingError, match=r"GLOBAL builtins\.print was not an allowed global"):
        load(path)
    assert capsys.readouterr().out == ""
    load(path, weights_only=False)
    assert capsys.readouterr().out == "reached\n"


def test_a_class_is_made_where_it_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "any.pt"
    save(deque([1]), path)
    with found("torch.serialization").safe_globals([deque]):
        assert load(path) == deque([1])
    with pytest.raises(pickle.UnpicklingError, match=r"GLOBAL collections\.deque was not an allowed global"):
        load(path)


@pytest.mark.parametrize("name", ["np.load", "np", "set_default_dtype"])
def test_weights_only_follows_no_name_into_a_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / "any.pt"
    words = [b"\x8c" + bytes([len(word)]) + word.encode() for word in ("engine.dtypes", name, "missing")]
    path.write_bytes(b"\x80\x04" + words[0] + words[1] + b"\x93" + words[2] + b"\x85R.")  # the call name("missing")
    with pytest.raises(pickle.UnpicklingError, match=f"GLOBAL engine.dtypes.{name} was not an allowed global"):
        load(path)


def test_what_cannot_be_saved_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "any.pt"
    save({"epoch": 1}, path)
    with pytest.raises((pickle.PicklingError, AttributeError)):
        save({"f": lambda: None}, path)
    assert load(path) == {"epoch": 1}
