"""Names of runs, and hashes of requests."""

from __future__ import annotations

import hashlib
import secrets

import msgspec

from engine.run import Command


def new_id() -> str:
    """An id that cannot be guessed: 128 random bits."""
    return secrets.token_urlsafe(16)


def fingerprint(command: Command, at: int | None) -> str:
    """What an Idempotency-Key came with."""
    return hashlib.sha256(msgspec.json.encode([command, at])).hexdigest()
