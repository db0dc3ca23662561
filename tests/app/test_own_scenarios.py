"""Scenarios of a teacher's own folder."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from app.library import scenarios, with_folder


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
