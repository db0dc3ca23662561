"""Scenarios of a teacher's own folder."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from app.cli import main
from app.library import ScenarioError, own_scenario, scenarios, with_folder


def test_a_folder_adds_to_the_library(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    text = scenarios()["two-moons"].source.replace("# # Two moons", "# # Mine")
    (tmp_path / "mine.py").write_text(text)
    (tmp_path / "bad.py").write_text("x = 1\n")
    with caplog.at_level(logging.WARNING):
        found = with_folder(tmp_path)
    assert list(found) == [*scenarios(), "mine"]
    assert found["mine"].title == "Mine"
    assert "bad" in caplog.text
    assert with_folder(None) == scenarios()


LESSON = """# %% [markdown]
# # Halfway
# One weight.
# level: beginner
# minutes: 2

# %%
import torch
w = torch.tensor(1.0, requires_grad=True)
for i in range(3):
    loss = (w - 3) ** 2
    loss.backward()

# %% [markdown]
# ## Back
# do: forward, backward
# look: w, line 12
# predict: w.grad?
# answer: w.grad.item()
# slip: -2 -> The square.
"""


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("two-moons.py", LESSON, "two-moons: the library has a scenario of that name"),
        ("a.py", LESSON.replace("beginner", "easy"), "a: there is no level 'easy'; levels are beginner,"),
        ("a.py", LESSON.replace("# # Halfway", "#"), "a: the first cell lacks a `# ` title."),
        ("a.py", LESSON.replace("import torch", "import torch ("), "a.py, line 8: "),
        ("a.py", LESSON + "# so it is " * 100, " bytes; a script may have 1,000 (GRADFLOW_SOURCE_BYTES)"),
        ("a.py", LESSON.replace("backward\n# look", "fly\n# look"), "a: card 1: `do: fly`: Unknown command"),
        ("a.py", "\udcff", "a.py is not UTF-8: invalid start byte at byte 0"),
    ],
)
def test_what_is_left_out_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, name: str, text: str, said: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8", errors="surrogateescape")
    assert with_folder(tmp_path, 1000) == scenarios()
    assert said in caplog.text


def test_a_folder_that_is_not_there_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert with_folder(tmp_path / "none") == scenarios()
    assert "there is no folder" in caplog.text


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(LESSON, encoding="utf-8-sig")
    assert with_folder(tmp_path)["a"].title == "Halfway"


@pytest.mark.parametrize(
    ("change", "status", "told"),
    [
        (("", ""), 0, "passed  card 1, Back: the answer is -4.0\n"),
        (("look: w,", "look: v,"), 1, "        look: there is no 'v' on the page then\n"),
        (("slip: -2", "slip: -4.0"), 1, "        slip: -4.0 is -4.0, which is taken for the answer\n"),
        (("answer: w.grad", "answer: v.grad"), 2, "card 1: 'v.grad.item()' has no value: name 'v' is not defined"),
        (("do: forward", "do: step"), 2, "card 1: the press step was refused: This script has no phase step."),
        (("import torch", "import torch ("), 2, "lesson.py, line 8: "),
    ],
)
def test_a_lesson_is_checked_without_a_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: tuple[str, str], status: int, told: str
) -> None:
    file = tmp_path / "lesson.py"
    file.write_text(LESSON.replace(*change) if change[0] else LESSON)
    assert main(["check", str(file)]) == status
    captured = capsys.readouterr()
    assert told in (captured.err if status == 2 else captured.out)


def test_a_notebook_is_no_lesson_that_went_wrong() -> None:
    notebook = "# %% [markdown]\n# # My homework\n# Fit a line.\n# %%\nimport torch\n"
    assert own_scenario(notebook) is None
    with pytest.raises(ScenarioError, match="lacks a `level:` line"):
        own_scenario(notebook + "# %% [markdown]\n# ## Press\n# do: forward\n")
