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
