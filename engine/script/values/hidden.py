"""What the host wrote, as scripts may read it. The engine and NumPy put values into their texts as Python prints them:
with an address of this process, and with the names of the interpreter's own files."""

from __future__ import annotations

import re

from engine.script.frames import current

ADDRESS = re.compile(r" at 0x([0-9a-f]{8,16})(?=>)", re.IGNORECASE)
OWN = re.compile(r"\bengine\.script\.([a-z_0-9]{1,30}\.){1,4}(?=\w)")
GIVEN = "7f0000"
"""How a machine's stand-ins for addresses begin."""
FUNCTION = re.compile(r"<(?:function|built-in function) ([\w.]+(?:<\w+>[\w.]*){0,9})$")
LONGEST = 200
"""Characters in which the name of a function of the host stands."""


def without_addresses(text: str) -> str:
    """`text` with the machine's stand-ins in the place of addresses, and without the names of files."""
    if " at 0x" in text:
        parts: list[str] = []
        start = 0
        for found in ADDRESS.finditer(text):
            if not found[1].startswith(GIVEN):
                parts += _before(text[start : found.start()])
                start = found.end()
        text = "".join((*parts, text[start:]))
    return OWN.sub("", text) if "engine.script." in text else text


def _before(text: str) -> tuple[str, str]:
    """What stands before an address, which a function of the engine's has none of in such a text."""
    function = FUNCTION.search(text[-LONGEST:])
    if function is None:
        return text, f" at {current.machine.address(object())}"
    return text[: len(text) - len(function[0])], f"<built-in function {function[1].rpartition('.')[2]}"


def hide(error: BaseException) -> None:
    """Have an error of the host tell nothing of it."""
    if any(type(arg) is str and (" at 0x" in arg or "engine.script." in arg) for arg in error.args):
        error.args = tuple([without_addresses(arg) if type(arg) is str else arg for arg in error.args])
