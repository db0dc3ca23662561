"""What is said when the database is away, full, locked, or has no connection left: to whoever asked, and in the log."""

from __future__ import annotations

import logging

from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as NoConnectionLeft

from app.errors import Unavailable

log = logging.getLogger("gradflow.store")

AWAY = (OperationalError, InterfaceError, InternalError, NoConnectionLeft)
"""What SQLAlchemy raises then. What does not fit into the database is something else: a bug of ours."""


def reason(error: SQLAlchemyError) -> str:
    """Why, in the database's own words where they name no run: a full disk, a lock, no connection."""
    naming_rows = isinstance(error, IntegrityError | DataError)
    if isinstance(error, DBAPIError) and not naming_rows and (said := str(error.orig).strip()):
        return said.splitlines()[0][:200]
    return type(error).__name__


def unavailable(error: Exception) -> Unavailable:
    """What a person is told. The log gets the reason."""
    assert isinstance(error, SQLAlchemyError)
    log.error("the store does not answer: %s", reason(error))
    return Unavailable("the server's database does not answer, or cannot be written to", "try again in a moment")
