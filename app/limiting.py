"""How often one address may ask, and how often one run may be changed: `limits` counts, in this process's memory, what
came to this server and what others over the same database say came to them (app/tally.py).

What is left is said in every answer, as draft-ietf-httpapi-ratelimit-headers has it:
`RateLimit-Policy: "address";q=30000;w=60` and `RateLimit: "address";r=29994;t=37`.
"""

from __future__ import annotations

import ipaddress
import math
import re
import threading
import time
from dataclasses import dataclass, field

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from starlette.types import Scope

from app.settings import Settings
from app.tally import Tally

MAKING = re.compile(r"/api/v1/(runs|check|runs/[^/]+/fork)|/runs|/[se]/[^/]+/commands")
"""What makes a run: on a scenario's page the first press does."""
CHANGING = re.compile(r"(?:/api/v1/runs|/r|/e)/([^/]+)(?:/.*)?")
SWEEP = 60.0
UNCOUNTED = ("/static/", "/healthz", "/readyz", "/metrics")


class Counts(MemoryStorage):
    """The library's counts in memory, which forget what has expired once a minute. Its own starts a thread for that at
    nearly every request, if `timer` is not alive: here the counts are their own timer."""

    swept = 0.0
    sweep: threading.Timer

    @property  # type: ignore[override]
    def timer(self) -> Counts:
        return self

    @timer.setter
    def timer(self, sweep: threading.Timer) -> None:
        self.sweep = sweep

    def is_alive(self) -> bool:
        return time.monotonic() - self.swept < SWEEP

    def start(self) -> None:
        self.swept = time.monotonic()
        self.sweep.start()


@dataclass
class Verdict:
    """What is said of the limits in the answer. `refused` names the one that was reached, as a sentence."""

    headers: dict[str, str] = field(default_factory=dict)
    refused: str = ""
    retry_after: int = 0


class Limiter:
    """Counts requests. The limits are written as `30000/minute`; an empty one is none."""

    def __init__(self, settings: Settings, tally: Tally) -> None:
        self.tally = tally
        tally.heard = self.hear
        self.counts = Counts()
        self._counter = SlidingWindowCounterRateLimiter(self.counts)
        self._items = {
            name: parse(text)
            for name, text in (
                ("address", settings.rate_address),
                ("making", settings.rate_making),
                ("run", settings.rate_run),
            )
            if text
        }

    def count(self, scope: Scope) -> Verdict:
        """Count this request, and say whether it may be answered."""
        path, method = scope["path"], scope["method"]
        if path.startswith(UNCOUNTED) or not self._items:
            return Verdict()
        address = network_of(scope["client"][0] if scope.get("client") else "")
        asked = [("address", address)]
        if method == "POST" and MAKING.fullmatch(path):
            asked.append(("making", address))
        elif method in ("POST", "PUT", "DELETE") and (found := CHANGING.fullmatch(path)):
            asked.append(("run", found[1]))
        policies: list[str] = []
        left: list[str] = []
        verdict = Verdict()
        for name, whose in asked:
            item = self._items.get(name)
            if item is None:
                continue
            key = self.tally.topic(whose)
            allowed = self._counter.hit(item, name, key)
            if allowed:
                self.tally.add(name, key)
            stats = self._counter.get_window_stats(item, name, key)
            wait = max(1, math.ceil(stats.reset_time - time.time()))
            policies.append(f'"{name}";q={item.amount};w={item.get_expiry()}')
            left.append(f'"{name}";r={stats.remaining};t={wait}')
            if not allowed and not verdict.refused:
                verdict.refused = _sentence(name, item)
                verdict.retry_after = wait
        if policies:
            verdict.headers = {"RateLimit-Policy": ", ".join(policies), "RateLimit": ", ".join(left)}
        return verdict

    def hear(self, name: str, key: str, count: int) -> None:
        """Another server has counted so many more."""
        item = self._items.get(name)
        if item is not None:
            left = self._counter.get_window_stats(item, name, key).remaining
            if left:
                self._counter.hit(item, name, key, cost=min(count, left))


def network_of(address: str) -> str:
    """What counts as one address: of IPv6, the network that a household is given."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 6:
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return address


def _sentence(name: str, item: RateLimitItem) -> str:
    what = {
        "address": "requests from one address",
        "making": "runs made from one address",
        "run": "changes of one run",
    }[name]
    return f"the limit is {item.amount:,} {what} in {item.get_expiry()} seconds"
