"""Opens the database: SQLite with one writer at a time and readers that never wait, or PostgreSQL."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from app.store.migrating import migrate

TURNS = 100
"""How often it is tried, every twentieth of a second, to turn a database to WAL while others do."""


def connect(url: str) -> sa.Engine:
    """An engine on a database with the tables of today. A transaction (`begin`) writes; what only reads uses
    `reader(engine)`. Raises SQLAlchemyError, OSError, RuntimeError (a database of a newer version)."""
    made = sa.make_url(url)
    if made.get_backend_name() == "sqlite":
        if made.database:
            # Others on this machine need not read it: whoever knows a run's id can drive it.
            Path(made.database).expanduser().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        engine = sa.create_engine(made, hide_parameters=True)
        sa.event.listen(engine, "connect", _prepare_sqlite)
        sa.event.listen(engine, "begin", _begin_sqlite)
    else:
        engine = sa.create_engine(made, pool_pre_ping=True, pool_size=10, max_overflow=10, hide_parameters=True)
    try:
        migrate(engine)
    except BaseException:
        engine.dispose()
        raise
    return engine


def reader(engine: sa.Engine) -> sa.Engine:
    """The same database for statements that only read: each sees the newest state, and none waits for a writer."""
    if engine.dialect.name == "sqlite":
        return engine.execution_options(only_reads=True)
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    """WAL: readers do not wait for writers. A commit survives the process's end at any moment."""
    connection.isolation_level = None  # the driver would begin transactions of its own, and not say that they write
    cursor = connection.cursor()
    cursor.execute("PRAGMA busy_timeout=10000")
    _turn_to_wal(cursor)
    for pragma in ("synchronous=NORMAL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _turn_to_wal(cursor: Any) -> None:
    """Several servers that turn a new database at once are not made to wait for each other by SQLite, but refused."""
    for left in reversed(range(TURNS)):
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if not left:
                raise
            time.sleep(0.05)


def _begin_sqlite(connection: sa.Connection) -> None:
    """Claim the right to write at once: two that read first and write then would be in each other's way."""
    if not connection.get_execution_options().get("only_reads"):
        connection.exec_driver_sql("BEGIN IMMEDIATE")
