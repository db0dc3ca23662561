"""Who follows a run, here and on other servers."""

from __future__ import annotations

import pytest

from app import followers
from app.followers import REPEAT, TOGETHER, Followers
from app.news import News, pack, topic_of, unpack


class Clock:
    """Stands in for the module `time`."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(followers, "time", clock)
    return clock


def pass_on(told: Followers, heard: Followers, name: str) -> int:
    """Everything that one server tells another; how many topics that were."""
    messages = [unpack(pack(News(name, followers=counts))) for counts in told.to_tell()]
    for news in messages:
        assert news is not None
        heard.hear(news.server, news.followers)
    return sum(len(news.followers) for news in messages if news is not None)


def test_people_are_counted_on_all_servers(clock: Clock) -> None:
    here, there, third = Followers(), Followers(), Followers()
    with here.following("run", counted=True), there.following("run", counted=True):
        with there.following("run", counted=True), third.following("run", counted=True):
            pass_on(there, here, "there")
            pass_on(third, here, "third")
            assert (here.count("run"), len(here), here.count("another")) == (4, 1, 0)
        pass_on(there, here, "there")
        pass_on(third, here, "third")
        assert here.count("run") == 2
    assert here.count("run") == 1


def test_whoever_waits_for_their_turn_is_no_follower(clock: Clock) -> None:
    here = Followers()
    with here.following("run"):
        assert (here.count("run"), len(here), list(here.to_tell())) == (0, 0, [])


def test_only_what_is_new_is_told_until_all_is_told_again(clock: Clock) -> None:
    here, there = Followers(), Followers()
    with here.following("a", counted=True), here.following("b", counted=True):
        assert pass_on(here, there, "here") == 2
        clock.now += 1
        assert pass_on(here, there, "here") == 0
        with here.following("a", counted=True):
            assert pass_on(here, there, "here") == 1
            assert there.count("a") == 2
        clock.now += REPEAT
        assert pass_on(here, there, "here") == 2


def test_a_server_that_says_nothing_any_more_counts_no_more(clock: Clock) -> None:
    here, there = Followers(), Followers()
    with there.following("run", counted=True):
        for _ in range(20):
            pass_on(there, here, "there")
            clock.now += 1
            assert here.count("run") == 1
        clock.now += followers.HEARD
        assert here.count("run") == 0
        here.hear("third", {})
        assert here._elsewhere == {}


def test_messages_fit_into_what_the_database_passes_on(clock: Clock) -> None:
    messages = [pack(News("x" * 90, followers=dict.fromkeys(map(topic_of, map(str, range(TOGETHER))), 100_000)))]
    assert len(messages[0]) < 8000
