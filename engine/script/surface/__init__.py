"""THE allow-list: what a script can reach on values of each type. What is not written here does not exist.

`RULES` holds one rule per host type; `READY` is the same, name by name, for the fast path. The other files of this
folder hold the names of torch, NumPy and the standard modules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from engine.script.surface.versions import VERSIONS


def names(text: str) -> frozenset[str]:
    """The words of `text`."""
    return frozenset(text.split())


# Dunder names that a class of a script may define.
DEFINABLE = names("""
__init__ __call__ __len__ __getitem__ __setitem__ __delitem__ __contains__ __iter__ __next__ __reversed__ __enter__
__exit__ __repr__ __str__ __format__ __bool__ __int__ __float__ __index__ __complex__ __hash__ __eq__ __ne__ __lt__
__le__ __gt__ __ge__ __add__ __sub__ __mul__ __truediv__ __floordiv__ __mod__ __divmod__ __pow__ __matmul__ __and__
__or__ __xor__ __lshift__ __rshift__ __radd__ __rsub__ __rmul__ __rtruediv__ __rfloordiv__ __rmod__ __rpow__
__rmatmul__ __rand__ __ror__ __rxor__ __rlshift__ __rrshift__ __iadd__ __isub__ __imul__ __itruediv__ __ifloordiv__
__imod__ __ipow__ __imatmul__ __iand__ __ior__ __ixor__ __ilshift__ __irshift__ __neg__ __pos__ __abs__ __invert__
__round__ __trunc__ __floor__ __ceil__ __getattr__ __setattr__ __delattr__ __get__ __set__ __delete__ __set_name__
__new__ __post_init__ __missing__ __match_args__ __init_subclass__ __array__ __array_priority__ __class_getitem__
__getattribute__ __rdivmod__ __await__ __aiter__ __anext__ __aenter__ __aexit__
__torch_function__ __bytes__ __copy__ __deepcopy__ __getstate__ __setstate__ __dataclass_fields__ __attrs_attrs__
__attrs_init__ __attrs_pre_init__ __attrs_post_init__
""")

# Dunder names readable on instances of a script's classes besides those that they define.
CLASS_NAMES = frozenset({"__doc__", "__module__"})
# Those that a script may set on them (functools.update_wrapper).
NAMES_SET = names("__name__ __qualname__ __doc__ __wrapped__")


@dataclass(slots=True)
class Rule:
    """What a script may do with values of one host type.

    `names` are read as they are; `wrapped` are methods replaced by a guarded function that takes the value first;
    `computed` are attributes replaced by a function of the value. `open`: names of the script's own may be set and
    read, except those in `hidden`; `private`: also such as begin with an underscore. `static`: functions of the class.
    `getter` replaces everything else. `class_names` may be read from the class (constructors, and what super() needs).
    `adopt` is what setting `__dict__` does."""

    names: frozenset[str] = frozenset()
    wrapped: dict[str, Callable[..., Any]] = field(default_factory=dict)
    computed: dict[str, Callable[[Any], Any]] = field(default_factory=dict)
    settable: frozenset[str] = frozenset()
    open: bool = False
    private: bool = False
    hidden: frozenset[str] = frozenset()
    class_names: frozenset[str] = frozenset()
    getter: Callable[[Any, str], Any] | None = None
    static: dict[str, Callable[..., Any]] = field(default_factory=dict)
    adopt: Callable[[Any, Any], None] | None = None


RULES: dict[type, Rule] = {}
READY: defaultdict[str, set[type]] = defaultdict(set)
EXTENDED: dict[type, type] = {}
"""What stands in for a host class as a base of a script's class (extended.py)."""


def register(kind: type, rule: Rule, *, constructors: Iterable[str] = ()) -> None:
    """List `kind`. Names the class lacks are dropped, so that the fast path cannot be asked for them."""
    RULES[kind] = rule
    for name in rule.names:
        READY[name].add(kind)


@dataclass(frozen=True, slots=True)
class Later:
    """A member of a module that is made when it is first read."""

    make: Callable[[], Any]


class ScriptModule:
    """A module as scripts see it: a fixed set of names. `settings` are read before them
    (torch.backends.cudnn.benchmark). `rest` makes what is not listed (of modules that only draw), `gone`
    tells what is said of names that older versions had."""

    __slots__ = ("_gone", "_members", "_name", "_rest", "_settings")

    def __init__(
        self,
        name: str,
        members: dict[str, Any],
        settings: dict[str, Any] | None = None,
        gone: Callable[[str], str | None] | None = None,
        rest: Callable[[], Any] | None = None,
    ) -> None:
        self._name = name
        self._members = members
        self._settings = settings
        self._gone = gone
        self._rest = rest

    def read(self, name: str) -> Any:
        """Raises AttributeError as PyTorch and Python word it."""
        if self._settings is not None and name in self._settings:
            return self._settings[name]
        return self.own(name)

    def own(self, name: str) -> Any:
        """What the module has under a name itself, whatever the script set."""
        try:
            value = self._members[name]
        except KeyError:
            if name == "__name__":
                return self._name
            if name == "__version__" and self._name in VERSIONS:
                return VERSIONS[self._name]
            if self._rest is not None and not name.startswith("_"):
                return self._rest()
            told = self._gone(name) if self._gone is not None else None
            if told:
                raise AttributeError(told) from None
            raise AttributeError(f"module '{self._name}' has no attribute '{name}'", name=name, obj=self) from None
        if type(value) is Later:
            value = self._members[name] = value.make()
        return value

    def has(self, name: str) -> bool:
        """Whether read() finds it."""
        try:
            self.read(name)
        except AttributeError:
            return False
        return True

    def write(self, name: str, value: Any) -> None:
        """Set a name for this run alone: a setting, one that is added (`np.float = float`), or one that the module has
        (`plt.title = "loss"`). Raises AttributeError for names that begin with _, but for one that the module has
        itself (`ssl._create_default_https_context`)."""
        if name.startswith("__") or (name.startswith("_") and name not in self._members):
            raise AttributeError(f"'{name}' of module '{self._name}' cannot be changed by a script")
        if self._settings is None:
            self._settings = {}
        self._settings[name] = value

    @property
    def replaced(self) -> bool:
        """Whether the script gave a name of the module's another meaning."""
        return self._settings is not None and not self._settings.keys().isdisjoint(self._members)

    def public(self) -> dict[str, Any]:
        """What `from module import *` brings."""
        return {name: self.read(name) for name in self.listed()}

    def whole(self) -> dict[str, Any]:
        """All that is in it, with the names that parts of the engine ask for."""
        return {name: self.read(name) for name in self._members}

    def listed(self) -> list[str]:
        """The public names."""
        return [name for name in self._members | (self._settings or {}) if not name.startswith("_")]

    def __deepcopy__(self, memo: dict[int, Any]) -> ScriptModule:
        return self

    def __repr__(self) -> str:
        return f"<module '{self._name}'>"


ScriptModule.__name__ = ScriptModule.__qualname__ = "module"
