"""What servers over one database tell each other, and which server a process is."""

from __future__ import annotations

import hashlib
import os
import secrets
import socket

import msgspec

from app.views import Happening


class News(msgspec.Struct, frozen=True, omit_defaults=True):
    """`topic` names a run without giving its id away. Either something happened to it, or somebody asked to `stop`
    what it executes; or, with no topic, so many `followers` of each topic are on that server, and so many requests were
    `counted` there since it last said so (app/tally.py)."""

    server: str
    topic: str = ""
    happening: Happening | None = None
    stop: bool = False
    followers: dict[str, int] = {}
    counted: dict[str, int] = {}


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(News)


def pack(news: News) -> bytes:
    """News as text for a database's channel."""
    return _encoder.encode(news)


def unpack(body: bytes) -> News | None:
    """None when it is no news of ours (a server of another version)."""
    try:
        return _decoder.decode(body)
    except msgspec.DecodeError:
        return None


def topic_of(run_id: str) -> str:
    """The name under which servers talk of a run: databases may log what is told."""
    return hashlib.sha256(run_id.encode()).hexdigest()[:24]


def server_name() -> str:
    """This process's name: no other has it, and others on this machine can tell whether it still lives."""
    return f"{socket.gethostname()[:60]}:{os.getpid()}:{secrets.token_hex(6)}"


def has_ended(server: str, own: str) -> bool:
    """Whether that server's process is known to have ended: only on the machine where it lived."""
    host, _, rest = server.rpartition(":")[0].rpartition(":")
    own_host, _, own_process = own.rpartition(":")[0].rpartition(":")
    if not server:
        return True  # it handed over
    if host != own_host or not rest.isdigit():
        return False
    if rest == own_process:
        return server != own  # the same number, but another life: a container's first process always has the same
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
