"""Modules of the standard library that scripts import for a line or two. What is pure of them is there; what would read
a file, look into the process or draw a window raises when it is called, and says what to do instead."""

from __future__ import annotations

import colorsys
import errno
import html
import keyword
import shlex
from collections.abc import Callable
from functools import partial
from typing import Any

from engine.script.limits import exceeded
from engine.script.modules import MODULES, module
from engine.script.surface import Later, ScriptModule
from engine.script.surface.absent import NO_ARCHIVES, NO_SOURCE, Absent

MOST_TO_SPLIT = 20_000  # characters: shlex reads one at a time, outside of the run's budget
NO_RECORDINGS = "make the samples in the script, for example with torch.sin"
NO_TREES = "write the values into the script, as a dict or as a text for json.loads()"
KEYWORDS = frozenset(keyword.kwlist)
LOCALES = ("LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LC_COLLATE", "LC_MONETARY", "LC_MESSAGES", "LC_ALL")
_ABSENT: dict[str, tuple[str, str]] = {
    "wave": ("open Wave_read Wave_write", NO_RECORDINGS),
    "lzma": ("open compress decompress LZMAFile", NO_ARCHIVES),
    "sqlite3": ("connect Row", "keep the rows in a list"),
    "xml.etree.ElementTree": ("parse fromstring Element SubElement ElementTree tostring iterparse", NO_TREES),
    "xml.dom.minidom": ("parse parseString Document", NO_TREES),
    "tracemalloc": ("start stop get_traced_memory take_snapshot reset_peak", NO_SOURCE),
    "dis": ("dis Bytecode", NO_SOURCE),
    "webbrowser": ("open open_new open_new_tab", "print the address"),
    "atexit": ("register unregister", "call the function in the last line of the script"),
    "doctest": ("testmod run_docstring_examples", "assert what the function should give"),
    "array": ("array", "a list, or np.array() with a dtype"),
}


def _module(name: str, **members: Any) -> None:
    MODULES[name] = lambda: ScriptModule(
        name, {key: list(value) if type(value) is list else value for key, value in members.items()}
    )


def _package(name: str, *parts: str) -> None:
    MODULES[name] = lambda: ScriptModule(name, {part: Later(partial(module, f"{name}.{part}")) for part in parts})


def _wrapped(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the host, of texts that it takes in no time: nothing of the function itself is given out."""

    def called(*args: Any) -> Any:
        for each in args:
            if isinstance(each, str) and len(each) > MOST_TO_SPLIT:
                exceeded("string_chars", MOST_TO_SPLIT, f"{function.__name__}() of a text of {len(each):,} characters")
        return function(*args)

    called.__name__ = called.__qualname__ = function.__name__
    return called


for _name, (_members, _instead) in _ABSENT.items():
    _module(_name, **{each: Absent(f"{_name}.{each}", _instead) for each in _members.split()})
_package("xml.etree", "ElementTree")
_package("xml.dom", "minidom")
_package("xml", "etree", "dom")
_module("html", escape=_wrapped(html.escape), unescape=_wrapped(html.unescape))
_module(
    "keyword",
    kwlist=list(keyword.kwlist),
    softkwlist=list(keyword.softkwlist),
    iskeyword=lambda s: s in KEYWORDS,
)
_module("shlex", split=_wrapped(shlex.split), quote=_wrapped(shlex.quote))
_module("colorsys", **{each: _wrapped(getattr(colorsys, each)) for each in colorsys.__all__})
_module("errno", **{each: value for each, value in vars(errno).items() if isinstance(value, int)})
_module(
    "locale",
    **{name: at for at, name in enumerate(LOCALES)},
    setlocale=lambda category, locale=None: "C",
    getlocale=lambda category=0: ("en_US", "UTF-8"),
    getpreferredencoding=lambda do_setlocale=True: "utf-8",
)
