"""Names of runs and of their states, and hashes of requests."""

from __future__ import annotations

import hashlib
import secrets

import msgspec

from app.store import Kept
from engine.run import Command


def new_id() -> str:
    """An id that cannot be guessed: 128 random bits."""
    return secrets.token_urlsafe(16)


def etag(kept: Kept) -> str:
    """The name of the state that a run is in: another one after each command."""
    return f"{kept.last}-{kept.stamp}"


def fingerprint(command: Command, at: int | None) -> str:
    """What an Idempotency-Key came with."""
    return hashlib.sha256(msgspec.json.encode([command, at])).hexdigest()
