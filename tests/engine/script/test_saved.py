"""What a script saves it can load again, in the same run only."""

from __future__ import annotations

import pytest

from engine.script.interpreter import Interpreter
from engine.script.reading.source import read_script
from tests.engine.script.compare import in_interpreter


def run(text: str) -> tuple[str, str | None]:
    """(what is printed, the error's type and message)."""
    printed: list[str] = []
    interpreter = Interpreter(read_script("import os\nimport torch\n" + text), write=printed.append)
    failed = interpreter.run()
    return "".join(printed), None if failed is None else f"{failed.type}: {failed.message}"


def test_what_is_loaded_is_a_copy_of_what_was_saved() -> None:
    text = (
        "w = torch.zeros(2)\ntorch.save({'w': w}, 'a.pt')\nw += 1\nloaded = torch.load('a.pt')\nloaded['w'] += 5\n"
        "print(torch.load('a.pt')['w'], w, os.path.exists('a.pt'), os.path.exists('b.pt'))\n"
    )
    assert run(text) == ("tensor([0., 0.]) tensor([1., 1.]) True False\n", None)


def test_what_is_saved_has_no_graph_and_no_gradients() -> None:
    text = (
        "import pickle\nw = torch.tensor([1., 2.], requires_grad=True)\n(w * 2).sum().backward()\n"
        "torch.save({'w': w, 'y': w * 2}, 'a.pt')\nfound = torch.load('a.pt')\n"
        "print(found['w'], found['y'], found['w'].grad, w.grad, pickle.loads(pickle.dumps(w * 3)).grad_fn)\n"
    )
    leaves = "tensor([1., 2.], requires_grad=True) tensor([2., 4.], requires_grad=True)"
    assert run(text) == (f"{leaves} None tensor([2., 2.]) None\n", None)


def test_nothing_else_can_be_loaded() -> None:
    run("torch.save(1, 'a.pt')\n")
    assert run("torch.load('a.pt')\n")[1] == "FileNotFoundError: [Errno 2] No such file or directory: 'a.pt'"


@pytest.mark.parametrize(("how", "kept"), [("", False), (", weights_only=False", True)])
def test_whole_modules_are_loaded_when_asked_for(how: str, kept: bool) -> None:
    printed, failed = run(f"torch.save(torch.nn.Linear(1, 2), 'm')\nprint(torch.load('m'{how}))\n")
    assert (printed, failed is None) == ("Linear(in_features=1, out_features=2, bias=True)\n" if kept else "", kept)


def test_classes_are_loaded_when_the_script_allows_them() -> None:
    """As PyTorch 2.13 prints it, from a file."""
    source = """from argparse import Namespace
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass
import numpy as np
import torch
from torch import nn

@dataclass
class Config:
    lr: float = 0.1

def load(value, **options):
    torch.save(value, "held.pt")
    try:
        print(torch.load("held.pt", **options))
    except Exception as error:
        print(type(error).__name__, str(error)[str(error).find("GLOBAL") :].split(" was")[0])

for value in (Config(0.5), [Config], np.float64(1.5), {"loss": np.mean([1.0, 2.0])}, np.ones(2), range(3)):
    load({"epoch": 1, "held": value})
for value in (defaultdict(list, a=[1]), deque([1]), Namespace(lr=1), load):
    load({"epoch": 1, "held": value})
load({"a": OrderedDict(b=1), "c": Counter("aab")})
load({"d": (1, 2.5, "x", None, True, 1j, b"y"), "e": torch.Size([1, 2])})
load([torch.float32, torch.device("cpu"), torch.ones(2), nn.Parameter(torch.zeros(1))])
load({"cfg": Config(2.0)}, weights_only=False)
load(defaultdict(list, a=[1]), weights_only=False)
torch.serialization.add_safe_globals([Config])
load({"cfg": Config(0.5), "w": torch.ones(2)})
torch.serialization.clear_safe_globals()
load(Config(0.5))
with torch.serialization.safe_globals([Config]):
    load(Config(0.5))
load(Config(0.5))
"""
    expected = """UnpicklingError GLOBAL __main__.Config
UnpicklingError GLOBAL __main__.Config
UnpicklingError GLOBAL numpy._core.multiarray.scalar
UnpicklingError GLOBAL numpy._core.multiarray.scalar
UnpicklingError GLOBAL numpy._core.multiarray._reconstruct
UnpicklingError GLOBAL range
UnpicklingError GLOBAL collections.defaultdict
UnpicklingError GLOBAL collections.deque
UnpicklingError GLOBAL argparse.Namespace
UnpicklingError GLOBAL __main__.load
{'a': OrderedDict([('b', 1)]), 'c': Counter({'a': 2, 'b': 1})}
{'d': (1, 2.5, 'x', None, True, 1j, b'y'), 'e': torch.Size([1, 2])}
[torch.float32, device(type='cpu'), tensor([1., 1.]), Parameter containing:
tensor([0.], requires_grad=True)]
{'cfg': Config(lr=2.0)}
defaultdict(<class 'list'>, {'a': [1]})
{'cfg': Config(lr=0.5), 'w': tensor([1., 1.])}
UnpicklingError GLOBAL __main__.Config
Config(lr=0.5)
UnpicklingError GLOBAL __main__.Config
"""
    assert in_interpreter(source).stdout == expected


def test_joblib_keeps_values_in_files_and_makes_calls_in_their_order() -> None:
    source = """import joblib
from joblib import Parallel, delayed
import numpy as np
print(joblib.dump({"w": np.arange(3), "k": [1, None]}, "held.pkl"))
print(joblib.load("held.pkl"))
def power(x, n=2):
    return x**n
print(Parallel(n_jobs=2)(delayed(power)(i, n=3) for i in range(4)))
try: joblib.load("not there")
except FileNotFoundError as e: print(e)
"""
    ending = in_interpreter(source)
    assert ending.type is None, ending
    assert ending.stdout == (
        "['held.pkl']\n{'w': array([0, 1, 2]), 'k': [1, None]}\n[0, 1, 8, 27]\n"
        "[Errno 2] No such file or directory: 'not there'\n"
    )


def test_nothing_is_saved_in_folders_that_are_not_there():
    printed, _ = run(
        "import os, pathlib\nimport numpy as np\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\n"
        "for save in (lambda: np.save('no/a', np.ones(2)), lambda: np.savez('no/a', np.ones(2)),\n"
        "             lambda: plt.savefig('no/a'), lambda: plt.gcf().savefig(pathlib.Path('no') / 'b.pdf')):\n"
        "    try:\n        save()\n    except FileNotFoundError as e:\n        print(e)\n"
        "os.mkdir('no')\nnp.save('no/a', np.ones(2))\nplt.savefig('no/a')\nprint(os.listdir('no'))\n"
    )
    assert printed == "".join(
        [
            *[f"[Errno 2] No such file or directory: 'no/{name}'\n" for name in ("a.npy", "a.npz", "a.png", "b.pdf")],
            "['a.npy']\n",
        ]
    )
