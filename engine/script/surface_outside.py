"""Modules that lead out of a script elsewhere: here they answer for a script that runs alone. Plots and progress bars
do nothing; arguments have their defaults; files do not exist."""

from __future__ import annotations

from typing import Any, NoReturn

from engine.script import attributes
from engine.script.calls import invoke
from engine.script.frames import current
from engine.script.modules import MODULES
from engine.script.surface import Rule, ScriptModule, names, register


def _module(name: str, **members: Any) -> None:
    MODULES[name] = lambda: ScriptModule(
        name, {key: list(value) if type(value) is list else value for key, value in members.items()}
    )


class Shown:
    """Stands for a figure, an axis, a line: every method exists and does nothing that a script could see."""

    __slots__ = ("_name",)

    def __init__(self, name: str = "plot") -> None:
        self._name = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _shown(self._name, args, kwargs)

    def __getitem__(self, key: Any) -> Shown:
        return Shown()

    def __setitem__(self, key: Any, value: Any) -> None:
        return

    def __enter__(self) -> Shown:
        return self

    def __exit__(self, *args: object) -> None:
        return

    def __repr__(self) -> str:
        return "<Figure>"

    def read(self, name: str) -> Any:
        if name.startswith("_"):
            raise attributes.missing(self, name)
        return Shown(name)


def _shown(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if name == "subplots":
        rows, columns = [
            int(kwargs.get(key, args[i] if len(args) > i else 1)) for i, key in enumerate(("nrows", "ncols"))
        ]
        if not (0 < rows <= 100 and 0 < columns <= 100):
            raise ValueError("Number of rows and columns must be positive and at most 100 here")
        grid: list[Any] = [Axes([Shown() for _ in range(columns)]) for _ in range(rows)]
        if rows == 1 and columns == 1:
            return Shown(), Shown()
        if rows == 1 or columns == 1:
            return Shown(), grid[0] if rows == 1 else Axes([row[0] for row in grid])
        return Shown(), Axes(grid)
    if name in ("plot", "step", "semilogy", "loglog"):
        return [Shown()]
    if name == "hist":
        return Shown(), Shown(), Shown()
    return Shown()


class Axes:
    """The grid of axes that plt.subplots gives."""

    __slots__ = ("_items",)

    def __init__(self, items: list[Any]) -> None:
        self._items = items

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            return self._items[key[0]][key[1]]
        return self._items[key]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Any:
        return iter(self._items)

    def flatten(self) -> Axes:
        flat: list[Any] = []
        for item in self._items:
            flat.extend(item._items if isinstance(item, Axes) else [item])
        return Axes(flat)


register(Shown, Rule(getter=Shown.read, settable=frozenset()))
register(Axes, Rule(names=names("flatten"), computed={"flat": Axes.flatten, "ravel": lambda self: self.flatten}))
PLOT = """plot scatter hist imshow bar figure subplots subplot show title xlabel ylabel legend savefig close axis xlim
ylim grid tight_layout clf cla pause draw ion ioff contour contourf colorbar fill_between text annotate errorbar
suptitle gca gcf axhline axvline xticks yticks semilogy loglog step pie boxplot matshow quiver cm style rcParams
subplots_adjust gray pcolormesh plot_surface axes arrow violinplot stem hlines vlines semilogx cla sca colormaps"""
_pyplot = {name: Shown(name) for name in PLOT.split()}
_module("matplotlib.pyplot", **_pyplot)
_module("pylab", **_pyplot)
MODULES["matplotlib"] = lambda: ScriptModule(
    "matplotlib",
    {
        "pyplot": _of("matplotlib.pyplot"),
        "use": Shown("use"),
        "rcParams": Shown("rcParams"),
        "cm": Shown("cm"),
        "rc": Shown("rc"),
        "style": Shown("style"),
    },
)
_module("matplotlib.animation", FuncAnimation=Shown("FuncAnimation"))
_module("matplotlib.cm", **{name: Shown(name) for name in ["viridis", "plasma", "gray", "jet", "coolwarm", "get_cmap"]})
_module("mpl_toolkits.mplot3d", Axes3D=Shown("Axes3D"))
_module("mpl_toolkits")
_module("IPython")
_module("IPython.display", clear_output=Shown(), display=lambda *values: None, HTML=Shown(), Image=Shown())


def _of(name: str) -> ScriptModule:
    from engine.script.modules import module

    return module(name)


class Progress:
    """tqdm: the iterable itself."""

    __slots__ = ("_iterable",)

    def __init__(self, iterable: Any = (), *args: Any, **kwargs: Any) -> None:
        self._iterable = iterable

    def __iter__(self) -> Any:
        return iter(self._iterable)

    def __len__(self) -> int:
        return len(self._iterable)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *args: object) -> None:
        return

    def ignored(self, *args: Any, **kwargs: Any) -> None:
        return

    update = set_postfix = set_description = close = set_postfix_str = refresh = ignored

    def write(self, text: Any) -> None:
        current.machine.write(str(text) + "\n")


register(Progress, Rule(names=names("update set_postfix set_description close set_postfix_str refresh write")))


def _tqdm(iterable: Any = (), *args: Any, **kwargs: Any) -> Progress:
    return Progress(iterable)


def _trange(*args: int, **kwargs: Any) -> Progress:
    from engine.script.containers import script_range

    return Progress(script_range(*args))


for _name in ("tqdm", "tqdm.auto", "tqdm.notebook"):
    _module(_name, tqdm=_tqdm, trange=_trange)


class Namespace:
    """argparse.Namespace."""

    def __init__(self, **values: Any) -> None:
        for name, value in values.items():
            attributes.put(self, name, value)

    def __repr__(self) -> str:
        from engine.script.texts import text_repr

        return f"Namespace({', '.join(f'{name}={text_repr(value)}' for name, value in self.__dict__.items())})"

    def __contains__(self, name: Any) -> bool:
        return name in self.__dict__


register(Namespace, Rule(open=True, computed={"__dict__": lambda value: dict(value.__dict__)}))


class Parser:
    """argparse.ArgumentParser: a script has no command line, so every argument has its default."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._defaults: dict[str, Any] = {}

    def add_argument(self, *flags: str, **options: Any) -> None:
        name = options.get("dest")
        if name is None:
            long = [flag for flag in flags if flag.startswith("--")]
            name = (long[0] if long else flags[0]).lstrip("-").replace("-", "_")
        action = options.get("action")
        default = options.get("default")
        if default is None and action in ("store_true", "store_false"):
            default = action == "store_false"
        if isinstance(default, str) and options.get("type") is not None:
            default = invoke(options["type"], (default,))
        self._defaults.setdefault(str(name), default)

    def add_argument_group(self, *args: Any, **kwargs: Any) -> Parser:
        return self

    def set_defaults(self, **values: Any) -> None:
        self._defaults.update(values)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Namespace:
        return Namespace(**self._defaults)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Namespace, list[str]]:
        return Namespace(**self._defaults), []

    def print_help(self, *args: Any) -> None:
        return


register(
    Parser,
    Rule(
        names=names("""add_argument add_argument_group set_defaults parse_args parse_known_args
print_help""")
    ),
)
_module(
    "argparse",
    ArgumentParser=lambda *args, **kwargs: Parser(),
    Namespace=lambda **values: Namespace(**values),
    ArgumentDefaultsHelpFormatter=None,
    RawTextHelpFormatter=None,
)


class Stream:
    """sys.stdout and sys.stderr."""

    __slots__ = ("quiet",)

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet

    def write(self, text: Any) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if not self.quiet:
            current.machine.write(text)
        return len(text)

    def flush(self) -> None:
        return

    def isatty(self) -> bool:
        return False


register(Stream, Rule(names=names("write flush isatty")))


def _exit(code: Any = None) -> NoReturn:
    raise SystemExit(*(() if code is None else (code,)))


_module(
    "sys",
    argv=["script.py"],
    stdout=Stream(False),
    stderr=Stream(True),
    exit=_exit,
    maxsize=2**63 - 1,
    version="3.11.0",
    version_info=(3, 11, 0, "final", 0),
    platform="linux",
    path=[],
    float_info=None,
    getrecursionlimit=lambda: 1000,
    setrecursionlimit=lambda limit: None,
    getsizeof=lambda value, *_: 64,
)


def _ignored(what: str) -> Any:
    def function(*args: Any, **kwargs: Any) -> None:
        current.machine.warn("UserWarning", f"{what}() is ignored: scripts have no files here")

    return function


def _join(*parts: str) -> str:
    result = ""
    for part in parts:
        result = part if part.startswith("/") or not result else result.rstrip("/") + "/" + part
    return result


_PATH = {
    "join": _join,
    "exists": lambda path: False,
    "isfile": lambda path: False,
    "isdir": lambda path: False,
    "dirname": lambda path: path.rpartition("/")[0],
    "basename": lambda path: path.rpartition("/")[2],
    "splitext": lambda path: (path.rpartition(".")[0], "." + path.rpartition(".")[2]) if "." in path else (path, ""),
    "abspath": lambda path: path,
    "realpath": lambda path: path,
    "expanduser": lambda path: path,
}
MODULES["os.path"] = lambda: ScriptModule("os.path", dict(_PATH))
MODULES["os"] = lambda: ScriptModule(
    "os",
    {
        "path": _of("os.path"),
        "environ": {},
        "getcwd": lambda: "/",
        "makedirs": _ignored("os.makedirs"),
        "mkdir": _ignored("os.mkdir"),
        "listdir": _no_files,
        "getenv": lambda name, default=None: default,
        "cpu_count": lambda: 1,
        "sep": "/",
        "linesep": "\n",
    },
)


def _no_files(*args: Any, **kwargs: Any) -> NoReturn:
    raise FileNotFoundError("there are no files here")


_module("gc", collect=lambda *args: 0)
_module("pprint", pprint=lambda value, *args, **kwargs: _pprint(value))
_module(
    "string",
    ascii_lowercase="abcdefghijklmnopqrstuvwxyz",
    ascii_uppercase="ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    ascii_letters="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    digits="0123456789",
    punctuation="!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    printable="0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJK"
    "LMNOPQRSTUVWXYZ!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ \t\n\r\x0b\x0c",
)
_module(
    "operator",
    **{
        name: getattr(__import__("operator"), name)
        for name in sorted(
            names("""
sub truediv floordiv neg pos lt le gt ge eq ne and_ or_ xor not_
""")
        )
    },
)


def _pprint(value: Any) -> None:
    from engine.script.texts import text_repr

    current.machine.write(text_repr(value) + "\n")
