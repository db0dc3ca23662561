"""From any version of the tables to today's, on both databases."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from app.store import Store
from app.store.migrating import FIRST, HEAD, migrate, version_of
from app.store.tables import metadata
from engine.run import Breakpoint
from tests.conftest import ROOT

SCRIPTS = ScriptDirectory(str(ROOT / "app" / "store" / "migrations"))
EARLIER = sorted(script.revision for script in SCRIPTS.walk_revisions() if script.revision != HEAD)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'runs.sqlite3'}"
    else:
        yield request.getfixturevalue("postgresql").new_database().replace("://", "+psycopg://")


def test_migrations_lead_to_the_tables_of_today(url: str) -> None:
    store = Store(url)
    with store.engine.connect() as connection:
        assert version_of(connection) == HEAD
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    store.close()


@pytest.mark.parametrize("version", EARLIER)
def test_every_earlier_version_is_brought_to_today_with_its_runs(url: str, version: str) -> None:
    engine = sa.create_engine(url)
    migrate(engine, version)
    row = {"id": "drive", "view_id": "view", "source": "x = 1", "engine": "old", "created": 0.0, "used": time.time()}
    with engine.begin() as connection:
        assert version_of(connection) == version
        old = sa.Table("runs", sa.MetaData(), autoload_with=connection)
        connection.execute(sa.insert(old), row | {"stamp": "s", "commands": 0, "last": 0, "breakpoints": []})
    engine.dispose()
    store = Store(url)
    with store.engine.connect() as connection:
        assert version_of(connection) == HEAD
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    found = store.find("drive")
    assert found is not None
    assert found.source == "x = 1"
    store.close()


def test_a_database_from_before_there_were_versions_keeps_its_runs(url: str) -> None:
    engine = sa.create_engine(url)
    migrate(engine, FIRST)
    now = time.time()
    row = {"id": "drive", "view_id": "view", "source": "x = 1", "engine": "old", "created": now, "used": now}
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE alembic_version")
        old = sa.Table("runs", sa.MetaData(), autoload_with=connection)
        connection.execute(sa.insert(old), row | {"stamp": "s", "commands": 0, "last": 0, "breakpoints": [3]})
        assert version_of(connection) == FIRST
    engine.dispose()
    store = Store(url)
    found = store.find("view")
    assert found is not None
    assert (found.id, found.breakpoints, found.pinned) == ("drive", (Breakpoint(3),), False)
    store.set_pinned("drive", True)
    migrate(store.engine)  # nothing to do
    store.close()


def test_a_database_of_a_newer_version_is_refused(url: str) -> None:
    Store(url).close()
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()
    with pytest.raises(RuntimeError, match=r"version 9999.*install a newer one"):
        Store(url)


def test_servers_that_start_at_once_migrate_once(url: str) -> None:
    stores: list[Store] = []
    threads = [threading.Thread(target=lambda: stores.append(Store(url))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stores) == 3
    for store in stores:
        assert store.find("nothing") is None
        store.close()


def test_the_newest_migration_is_the_one_that_servers_expect() -> None:
    assert SCRIPTS.get_current_head() == HEAD
