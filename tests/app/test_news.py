"""What servers tell each other, and how one knows that another has ended."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from app.news import News, has_ended, pack, server_name, topic_of, unpack
from app.views import Happening, ProgressView

OWN = f"here:{os.getpid()}:mine"


def test_news_come_as_they_went() -> None:
    happening = Happening("progress", "3-a", 3, "running", ProgressView(1, 2), "")
    for news in (News("s", "t", happening), News("s", "t", stop=True)):
        assert unpack(pack(news)) == news
    assert len(pack(News("s", "t", happening))) < 8000  # what NOTIFY takes
    for nonsense in (b"", b"[]", b'{"server": 1}', b"\xff"):
        assert unpack(nonsense) is None


def test_a_topic_does_not_give_the_run_away() -> None:
    assert topic_of("drive") == topic_of("drive") != topic_of("other")
    assert "drive" not in topic_of("drive")


def test_names_are_of_one_process_each() -> None:
    assert server_name() != server_name()
    assert server_name().rpartition(":")[0] == server_name().rpartition(":")[0]


def test_a_server_that_has_ended_on_this_machine_is_known_to_have() -> None:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    assert has_ended(f"here:{done.pid}:x", OWN)
    assert has_ended("", OWN)
    assert has_ended(f"here:{os.getpid()}:earlier", OWN)  # a container's first process always has the same number


@pytest.mark.parametrize(
    "server",
    [OWN, f"here:{os.getppid()}:x", "there:1:x", "there:999999999:x", "here:what:x"],
    ids=["itself", "a neighbour", "elsewhere", "elsewhere, far", "no number"],
)
def test_others_may_live(server: str) -> None:
    assert not has_ended(server, OWN)
