"""Settings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.settings import Settings
from tests.conftest import ROOT


def test_the_environment_sets_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADFLOW_WORKERS", "7")
    monkeypatch.setenv("GRADFLOW_CORS_ORIGINS", '["https://example.org"]')
    settings = Settings()
    assert (settings.workers, settings.cors_origins) == (7, ["https://example.org"])


def test_the_store_is_sqlite_in_the_data_folder_unless_a_database_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert Settings(data_dir=tmp_path).store_url == f"sqlite:///{tmp_path}/gradient-flow.sqlite3"
    monkeypatch.setenv("DATABASE_URL", "postgres://a@b/c")
    assert Settings(data_dir=tmp_path).store_url == "postgresql+psycopg://a@b/c"
    assert Settings(database_url="sqlite://").store_url == "sqlite://"


def test_every_setting_says_what_it_is() -> None:
    assert all(field.description for field in Settings.model_fields.values())


@pytest.mark.parametrize("wrong", [{"workers": 0}, {"port": 70_000}, {"long_after": 0}])
def test_values_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Settings(**wrong)  # type: ignore[arg-type]


def documented() -> dict[str, str]:
    """The settings of docs/running.md with their defaults, as they are written there."""
    rows = re.findall(r"^\| (`GRADFLOW_.*?) \| (.*?) \|", (ROOT / "docs" / "running.md").read_text(), re.MULTILINE)
    found: dict[str, str] = {}
    for names, defaults in rows:
        settings = re.findall(r"`GRADFLOW_(\w+)`", names)
        found |= dict(zip(settings, defaults.split(", ") if len(settings) > 1 else [defaults], strict=True))
    return found


def written(value: object) -> str:
    """A default as the document has it."""
    if isinstance(value, int) and value >= 1024 and value % 1024 == 0:
        sizes = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))
        return next(f"{value // size} {name}" for size, name in sizes if value % size == 0)
    return f"{value:g}" if isinstance(value, float) else str(value)


def test_every_default_is_documented_as_it_is() -> None:
    fields = Settings.model_fields
    rows = documented()
    assert sorted(rows) == sorted(name.upper() for name in fields)
    in_words = {"PUBLIC_URL", "DATA_DIR", "DATABASE_URL", "SCENARIOS_DIR", "WORKERS", "CORS_ORIGINS"}
    for name, told in rows.items():
        if name not in in_words:
            assert told.strip("`") == written(fields[name.lower()].default), name
