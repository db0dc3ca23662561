"""Limits that several servers keep together."""

from __future__ import annotations

from app.limiting import Limiter
from app.news import News, pack
from app.settings import Settings
from app.tally import MOST, Tally
from tests.app.test_limits import scope


class Server:
    """One that counts."""

    def __init__(self) -> None:
        self.tally = Tally(shared=True)
        self.limiter = Limiter(Settings(rate_address="10/day", rate_run="5/day"), self.tally)

    def ask(self, times: int, path: str = "/api/v1/runs/drive/commands", address: str = "10.0.0.1") -> list[bool]:
        asked = [self.limiter.count(scope("POST", path, address)) for _ in range(times)]
        return [not verdict.refused for verdict in asked]

    def tell(self, other: Server) -> int:
        told = list(self.tally.to_tell())
        for counts in told:
            other.tally.hear(counts)
        return len(told)


def test_what_was_counted_elsewhere_counts_here() -> None:
    one, two = Server(), Server()
    assert one.ask(3) == [True] * 3
    one.tell(two)
    assert one.tell(two) == 0
    assert two.ask(3) == [True, True, False]
    assert two.ask(5, "/api/v1/runs/other/commands") == [True] * 4 + [False], "ten of the address, with one refused"
    assert two.ask(1, address="10.0.0.2") == [False], "the run is used up for everybody"


def test_more_than_is_left_uses_the_limit_up() -> None:
    one, two = Server(), Server()
    one.ask(5)
    two.ask(3)
    one.tell(two)
    assert two.ask(1) == [False]
    assert two.tell(one) == 1
    assert one.ask(1) == [False]


def test_what_is_told_names_neither_addresses_nor_runs_and_fits() -> None:
    server = Server()
    for number in range(400):
        server.ask(1, f"/api/v1/runs/secret-{number}/commands", f"192.0.2.{number % 250}")
    told = list(server.tally.to_tell())
    assert sum(len(counts) for counts in told) == 650
    for counts in told:
        message = pack(News("a" * 90, counted=counts))
        assert len(message) < 8000
        assert b"secret" not in message
        assert b"192.0" not in message


def test_what_nobody_hears_is_not_kept_for_ever() -> None:
    tally = Tally(shared=True)
    for number in range(MOST + 10):
        tally.add("address", str(number))
    assert sum(len(counts) for counts in tally.to_tell()) < MOST


def test_a_server_by_itself_tells_nobody() -> None:
    tally = Tally(shared=False)
    tally.add("address", tally.topic("10.0.0.1"))
    assert list(tally.to_tell()) == []
    tally.hear({"unknown:x": 1, "address": 2})
