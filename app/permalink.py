"""A run in a link: script (or scenario), seed, commands and cursor, compressed into the address's fragment.

    https://HOST/open#gf1=<base64url of raw deflate of JSON>z

The server that opens it needs to know nothing of the run; a fragment is not even sent to it before somebody opens the
page. The "z" at the end keeps the text from ending in "-" or "_", which mail and Markdown take off a link.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

import msgspec

from app.errors import BadCommand, TooLarge
from engine.errors import CommandError
from engine.run import Command

VERSION = 1
MARK = f"gf{VERSION}="
DIGITS = 12
"""Of the digest of the state that the commands came to: enough to see that they come to another one."""
MOST_COMMANDS = 10_000


@dataclass(frozen=True, slots=True)
class Program:
    """A run as a link carries it. One of `source` and `scenario` is given; `moment` None is the last one. `digest` is
    the beginning of that of the state after the commands ("": not known, as in links of earlier versions)."""

    source: str | None
    scenario: str | None
    commands: tuple[Command, ...] = ()
    seed: int | None = None
    moment: int | None = None
    event: int | None = None
    digest: str = ""


class _Carried(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    source: str | None = None
    scenario: str | None = None
    seed: int | None = None
    commands: list[dict[str, Any]] = []
    m: int | None = None
    e: int | None = None
    d: str = ""


def to_fragment(program: Program) -> str:
    """What stands behind the "#"."""
    carried = _Carried(
        program.source,
        program.scenario,
        program.seed,
        [command.to_dict() for command in program.commands],
        program.moment,
        program.event,
        program.digest[:DIGITS],
    )
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(msgspec.json.encode(carried)) + packer.flush()
    return f"{MARK}{base64.urlsafe_b64encode(packed).decode().rstrip('=')}z"


def from_fragment(fragment: str, most_bytes: int) -> Program:
    """The program of a fragment, or of a whole link, as mail and Markdown hand it on: broken into lines, in brackets or
    with a full stop behind it, "=" as "%3D", hyphens joined to dashes, the source of a mail, marks of where it may be
    broken. Raises BadCommand, and TooLarge when the text that comes out has more than `most_bytes` bytes."""
    text = _ON_THE_WAY.sub(_as_it_was, _decoded(fragment))
    found = _CARRIED.search(text)
    other = None if found else _VERSIONED.search(text)
    if other is not None:
        raise BadCommand(
            f"this link is of version {other[1]} of its format; this server knows version {VERSION}",
            "Open it on the server that it comes from.",
        )
    if found is None:
        raise BadCommand(f"a link's fragment begins with {MARK}, not with {fragment[:8]!r}", "Copy the whole link.")
    encoded = _CARRIED.search(text.replace("=3D", "="))
    try:
        return _unpacked(found, most_bytes)
    except BadCommand:
        if encoded is None or encoded[0] == found[0]:
            raise
    return _unpacked(encoded, most_bytes)


def _unpacked(found: re.Match[str], most_bytes: int) -> Program:
    packed = found[1].removesuffix("z")
    packed = packed[: len(packed) - (len(packed) % 4 == 1)]  # what stands behind a link may have been joined to it
    try:
        unpacker = zlib.decompressobj(wbits=-15)
        raw = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        text = unpacker.decompress(raw, most_bytes).decode()
        whole = not unpacker.unconsumed_tail and unpacker.eof
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        raise _broken() from None
    if not whole:
        if unpacker.unconsumed_tail:
            raise TooLarge(f"the link holds more than {most_bytes:,} bytes of text, which is the limit")
        raise _broken()
    try:
        carried = msgspec.json.decode(text, type=_Carried)
        if len(carried.commands) > MOST_COMMANDS:
            raise TooLarge(f"the link holds {len(carried.commands):,} commands; the limit is {MOST_COMMANDS:,}")
        commands = tuple(Command.from_dict(values) for values in carried.commands)
    except (msgspec.DecodeError, CommandError):
        raise _broken() from None
    if (carried.source is None) == (carried.scenario is None):
        raise BadCommand("a link holds either a script or the name of a scenario")
    return Program(carried.source, carried.scenario, commands, carried.seed, carried.m, carried.e, carried.d)


_AS_IT_WAS = {"–": "--", "—": "---", "\u2010": "-", "\u2011": "-", "\u2212": "-"}
_ON_THE_WAY = re.compile(
    "[–—\u2010\u2011\u2212\u00ad\u200b-\u200f\u2060\ufeff]|</?wbr */?>"
    "|&(?:shy|wbr|ZeroWidthSpace|zwnj|zwj|NoBreak|#173|#8203|#x0*ad|#x0*200b);"
    r"|\\(?=[_-])|=?[ \t]*[\r\n]+[> \t]*",
    re.IGNORECASE,
)
"""What happens to a link beside codes: dashes and other hyphens, marks where it may be broken (also as a page's source
has them), strokes before what Markdown could take for its own, and line breaks (quoted, or mail's own "=")."""
MOST_CODES = 5
"""How often what stands in a link may have been written as codes, and those as codes again."""
_CARRIED = re.compile(rf"{MARK}([A-Za-z0-9_-]*)")
_VERSIONED = re.compile(r"\bgf(\d+)=[A-Za-z0-9_-]")


def _decoded(text: str) -> str:
    """Nothing of a link itself is a "%"."""
    for _ in range(MOST_CODES):
        if "%" not in text:
            break
        text = unquote(text, errors="ignore")
    return text


def _as_it_was(mark: re.Match[str]) -> str:
    return _AS_IT_WAS.get(mark[0], "")


def _broken() -> BadCommand:
    return BadCommand("this link is damaged: a part of it is missing or changed", "Copy the whole link, from # on.")
