"""What `gradflow serve` says when it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.given import Complaint
from app.serving import open_app, read_settings


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"database_url": "postgresql://me:secret@127.0.0.1:9/x"}, "DATABASE_URL cannot be opened: connection failed"),
        ({"database_url": "nonsense"}, "DATABASE_URL is no address of a database, as postgresql://"),
        ({"database_url": "nonsense://me:secret@host/x"}, "DATABASE_URL is no address of a database, as postgresql://"),
        ({"data_dir": "there is a file"}, "the database in there is a file cannot be opened: "),
        ({"data_dir": "no database"}, "the database in no database cannot be opened: file is not a database"),
    ],
)
def test_a_database_that_cannot_be_opened(
    settings: dict[str, str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("there is a file").touch()
    Path("no database").mkdir()
    Path("no database", "gradient-flow.sqlite3").write_text("some text, " * 100)
    with pytest.raises(Complaint, match="^" + said) as complaint:
        open_app(read_settings({"database_url": ""} | settings))
    assert "secret" not in str(complaint.value)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("GRADFLOW_WORKERS", "0", "GRADFLOW_WORKERS is '0': Input should be greater than or equal to 1"),
        ("GRADFLOW_RATE_RUN", "often", "GRADFLOW_RATE_RUN is 'often': "),
        ("GRADFLOW_CORS_ORIGINS", "https://course.example", 'a setting cannot be read: .*"cors_origins".*JSON'),
    ],
)
def test_a_setting_that_makes_no_sense(name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(Complaint, match=said):
        read_settings({})
