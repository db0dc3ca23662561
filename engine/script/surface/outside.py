"""Modules that lead out of a script elsewhere: here they answer for a script that runs alone. Progress bars
do nothing; arguments have their defaults."""

from __future__ import annotations

import sys
from collections import namedtuple
from typing import Any, NoReturn

from engine.script.classes.making import BASES, script_type
from engine.script.executing.calls import invoke
from engine.script.executing.chained import Trace, handled
from engine.script.frames import current
from engine.script.modules import MODULES
from engine.script.surface import Later, Rule, ScriptModule, names, register
from engine.script.surface.drawn import Shown, quiet
from engine.script.surface.paths import OS
from engine.script.values.attributes import get
from engine.script.values.builtin import BUILTINS, CALLS
from engine.script.values.texts import text_str


def _module(name: str, **members: Any) -> None:
    MODULES[name] = lambda: ScriptModule(
        name, {key: list(value) if type(value) is list else value for key, value in members.items()}
    )


def _display(*values: Any, **kwargs: Any) -> None:
    """display(): without a notebook around it, values are printed as a notebook shows them; not what only draws."""
    keeping = current.machine.modules.get("_captured")
    for value in values:
        if type(value) is Shown:
            continue
        text = _of("IPython.lib.pretty").own("pretty")(value)
        if keeping is None or not invoke(keeping.own("keeps"), (text,)):
            current.machine.write(text + "\n")


def _is_notebook() -> bool:
    """Whether the script is what a notebook with something to show has become: cells, and the import for showing."""
    source = current.machine.source
    if not source or not source[0].startswith("# %%"):
        return False
    return any(line.startswith("from IPython.display import ") for line in source)


_module("IPython")
_module("_notebook", is_notebook=_is_notebook)
_module(
    "IPython.display",
    display=_display,
    **dict.fromkeys(("clear_output", "set_matplotlib_formats"), quiet),
    **{name: Shown() for name in ("HTML", "Image", "Markdown", "Latex", "Math", "SVG", "Video", "Audio", "IFrame")},
)


def _of(name: str) -> ScriptModule:
    from engine.script.modules import module

    return module(name)


def _help(value: Any = None, /) -> None:
    """help(): what the script says of its own."""
    invoke(_of("_help").own("told"), (value,))


_help.__name__ = _help.__qualname__ = "help"
BUILTINS["help"] = _help


class Progress:
    """tqdm: the iterable itself."""

    __slots__ = ("_iterable", "desc", "disable", "n", "total")

    def __init__(self, iterable: Any = (), *args: Any, **kwargs: Any) -> None:
        self._iterable = iterable
        self.n = kwargs.get("initial", 0)
        self.desc = args[0] if args else kwargs.get("desc")
        total = args[1] if len(args) > 1 else kwargs.get("total")
        self.total = len(iterable) if total is None and type(iterable) in (list, tuple, range, dict) else total
        self.disable = bool(kwargs.get("disable", False))

    def __iter__(self) -> Any:
        return iter(self._iterable)

    def __len__(self) -> int:
        return len(self._iterable)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *args: object) -> None:
        return

    def update(self, n: Any = 1) -> None:
        self.n += n

    def ignored(self, *args: Any, **kwargs: Any) -> None:
        return

    set_postfix = close = set_postfix_str = refresh = clear = display = moveto = unpause = ignored

    def set_description(self, desc: Any = None, refresh: bool = True) -> None:
        self.desc = f"{text_str(desc)}: " if desc else ""

    def set_description_str(self, desc: Any = None, refresh: bool = True) -> None:
        self.desc = desc or ""

    def reset(self, total: Any = None) -> None:
        self.n = 0
        self.total = self.total if total is None else total

    @property
    def format_dict(self) -> dict[str, Any]:
        """What a bar is drawn from."""
        return {"n": self.n, "total": self.total, "elapsed": 0.0, "prefix": self.desc or "", "rate": None, "unit": "it"}


def _write(text: Any = "", file: Any = None, end: str = "\n", nolock: bool = False) -> None:
    """tqdm.write(): a line among progress bars."""
    get(Stream(False) if file is None else file, "write")(text_str(text) + text_str(end))


Progress.__name__ = Progress.__qualname__ = "tqdm"
register(
    Progress,
    Rule(
        names=names("update set_postfix set_description close set_postfix_str refresh set_description_str reset clear")
        | names("display n total desc disable format_dict moveto unpause"),
        settable=names("n total desc"),
        static={"write": _write, "pandas": quiet},
        open=True,
        hidden=frozenset({"_iterable"}),
        class_names=names("__init__ __iter__ __len__ __enter__ __exit__"),
    ),
)
CALLS[Progress] = Progress
BASES.add(Progress)


def _trange(*args: int, **kwargs: Any) -> Progress:
    from engine.script.values.containers import script_range

    return Progress(script_range(*args))


for _name in ("tqdm.auto", "tqdm.notebook", "tqdm.autonotebook", "tqdm.std", "tqdm.asyncio"):
    _module(_name, tqdm=Progress, trange=_trange)
_module("tqdm", tqdm=Progress, trange=_trange, tqdm_notebook=Progress, tnrange=_trange)


class Stream:
    """sys.stdout and sys.stderr."""

    __slots__ = ("error",)

    def __init__(self, error: bool) -> None:
        self.error = error

    def write(self, text: Any) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        (current.machine.write_error if self.error else current.machine.write)(text)
        return len(text)

    def flush(self) -> None:
        return

    def isatty(self) -> bool:
        return False


register(
    type(sys.float_info),
    Rule(names=names("max min epsilon dig mant_dig max_exp min_exp max_10_exp min_10_exp radix rounds")),
)
register(Stream, Rule(names=names("write flush isatty")))


def _exit(code: Any = None) -> NoReturn:
    raise SystemExit(*(() if code is None else (code,)))


class Imported:
    """sys.modules: what the run has imported."""

    __slots__ = ()

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in current.machine.modules

    def __iter__(self) -> Any:
        return iter(list(current.machine.modules))

    def __len__(self) -> int:
        return len(current.machine.modules)


register(Imported, Rule())
Imported.__name__ = Imported.__qualname__ = "dict"


def _exc_info() -> tuple[Any, Any, Any]:
    error = handled(current.machine.stack)
    return (None, None, None) if error is None else (script_type(error), error, Trace(error))


VersionInfo = namedtuple("VersionInfo", "major minor micro releaselevel serial")
register(VersionInfo, Rule(names=frozenset(VersionInfo._fields) | names("count index")))
MODULES["sys"] = lambda: ScriptModule(
    "sys",
    {
        "argv": ["script.py"],
        "__stdout__": Stream(False),
        "__stderr__": Stream(True),
        "exit": _exit,
        "maxsize": 2**63 - 1,
        "version": "3.11.0",
        "version_info": VersionInfo(3, 11, 0, "final", 0),
        "platform": "linux",
        "path": [],
        "float_info": sys.float_info,
        "getrecursionlimit": lambda: 1000,
        "setrecursionlimit": lambda limit: None,
        "modules": Imported(),
        "exc_info": _exc_info,
        "exception": lambda: handled(current.machine.stack),
        "byteorder": "little",
        "executable": "python",
        "getsizeof": lambda value, *_: 64,
    },
    settings={"stdout": Stream(False), "stderr": Stream(True)},
)
MODULES["os"] = lambda: ScriptModule(
    "os",
    {
        "path": _of("os.path"),
        "environ": {},
        **OS,
        "getenv": lambda name, default=None: default,
        "cpu_count": lambda: 1,
        "sep": "/",
        "linesep": "\n",
        "name": "posix",
        "curdir": ".",
        "pathsep": ":",
        "getpid": lambda: 1,
        "error": OSError,
        "PathLike": Later(lambda: _of("_paths_like").own("PathLike")),
    },
)


_module("gc", collect=lambda *args: 0)
_module(
    "string",
    hexdigits="0123456789abcdefABCDEF",
    octdigits="01234567",
    whitespace=" \t\n\r\x0b\x0c",
    ascii_lowercase="abcdefghijklmnopqrstuvwxyz",
    ascii_uppercase="ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    ascii_letters="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    digits="0123456789",
    punctuation="!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    printable="0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJK"
    "LMNOPQRSTUVWXYZ!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ \t\n\r\x0b\x0c",
)
