"""Settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.settings import Settings


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
