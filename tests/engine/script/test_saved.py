"""What a script saves it can load again, in the same run only."""

from __future__ import annotations

import pytest

from engine.script.interpreter import Interpreter
from engine.script.reading.source import read_script


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


def test_nothing_else_can_be_loaded() -> None:
    run("torch.save(1, 'a.pt')\n")
    assert run("torch.load('a.pt')\n")[1] == "FileNotFoundError: [Errno 2] No such file or directory: 'a.pt'"


@pytest.mark.parametrize(("how", "kept"), [("", False), (", weights_only=False", True)])
def test_whole_modules_are_loaded_when_asked_for(how: str, kept: bool) -> None:
    printed, failed = run(f"torch.save(torch.nn.Linear(1, 2), 'm')\nprint(torch.load('m'{how}))\n")
    assert (printed, failed is None) == ("Linear(in_features=1, out_features=2, bias=True)\n" if kept else "", kept)
