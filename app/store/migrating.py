"""Brings a database to the tables of today, whatever version it has. Happens when a server starts."""

from __future__ import annotations

import sqlalchemy as sa

FIRST, HEAD = "0001", "0003"
LOCK = 0x67726164
"""The PostgreSQL advisory lock under which one server migrates and the others wait."""


def migrate(engine: sa.Engine, to: str = HEAD) -> None:
    """Raises SQLAlchemyError; RuntimeError when the database is of a newer version than this server."""
    with engine.connect() as connection:
        if version_of(connection) == to:
            return
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
        found = version_of(connection)  # another server may have been faster
        if found == to:
            return
        if found > HEAD:
            raise RuntimeError(
                f"the database has version {found}, this server knows {HEAD} at most: install a newer one"
            )
        _upgrade(connection, found, to)


def version_of(connection: sa.Connection) -> str:
    """The version of the tables; "" when there are none. Before there were versions, the tables were the first's."""
    there = sa.inspect(connection).get_table_names()
    if "alembic_version" in there:
        version = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one_or_none()
        if version is not None:
            return str(version)
    return FIRST if "runs" in there else ""


def _upgrade(connection: sa.Connection, found: str, to: str) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "app.store:migrations")
    config.attributes["connection"] = connection
    if found == FIRST:
        command.stamp(config, FIRST)
    command.upgrade(config, to)
