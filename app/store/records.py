"""What the store keeps, as plain records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.run import Breakpoint, Command


@dataclass(frozen=True, slots=True)
class Kept:
    """A run as it is stored. `last` is the number of its last moment, `commands` how many there are; `created` and
    `used` are in seconds since 1970, `used` to the hour."""

    id: str
    view_id: str
    source: str
    scenario: str | None
    seed: int | None
    engine: str
    created: float
    used: float
    parent: str | None
    stamp: str
    commands: int
    last: int
    breakpoints: tuple[Breakpoint, ...] = ()
    pinned: bool = False

    @property
    def etag(self) -> str:
        """The name of the state that the run is in: another one after each command."""
        return f"{self.last}-{self.stamp}"


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """An Idempotency-Key: a hash of the request that it came with, and the answer."""

    key: str
    request: str
    answer: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Claim:
    """A command that was accepted and is not done yet.

    `run_id` is the run that it changes, `asked` the one that was asked (the same until the command has forked);
    `request` the hash of what was asked, with the Idempotency-Key `key`. `server` executes it until `left` seconds
    from now, if it does not say that it still does; `age` is how many seconds ago it was accepted (both by the
    database's clock). `tries`: how many servers ended at it. `done` of `of`: its progress (0 of 0: not told)."""

    run_id: str
    token: str
    server: str
    asked: str
    request: str
    command: Command
    key: str | None = None
    at: int | None = None
    tries: int = 0
    stop: bool = False
    done: int = 0
    of: int = 0
    age: float = 0.0
    left: float = 0.0
