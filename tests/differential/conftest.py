"""Tests that draw at random ask the real PyTorch live: where it is not asked they are not collected."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.differential import oracle


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if oracle.LIVE:
        return
    here = Path(__file__).parent
    live = {each for each in items if each.get_closest_marker("oracle") and here in each.path.parents}
    if live:
        config.hook.pytest_deselected(items=[each for each in items if each in live])
        items[:] = [each for each in items if each not in live]


@pytest.fixture(autouse=True)
def _told_whether_answers_are_recorded(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    rare = any(request.node.get_closest_marker(name) for name in ("slow", "oracle"))
    monkeypatch.setattr(oracle, "quick", not rare)
