"""What the host holds in a value whose class a script wrote: the class may say anything of it (`__str__`, `__int__`,
`__eq__`), the host reads past that. What is measured or looked up is the same as what the host will use."""

from __future__ import annotations

import operator
from itertools import islice
from typing import Any


def text(value: str) -> str:
    """The characters of `value` as a str."""
    return value if type(value) is str else str.__str__(value)


def written(text: str) -> str:
    """`text` as Python writes it to stderr: half a character (a lone surrogate) as an escape."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()


def whole(value: Any) -> Any:
    """The int that the host takes `value` for: of an int its number, of what has `__index__` what that gives. Others as
    they are."""
    if type(value) is int:
        return value
    if not isinstance(value, int):
        if not hasattr(type(value), "__index__"):
            return value
        try:
            value = operator.index(value)
        except TypeError:  # a tensor of more than one element, an array
            return value
    return int.__int__(value)


def first(value: Any, most: int) -> list[Any]:
    """The first entries of a list or tuple; of a dict the first pairs of key and entry."""
    if isinstance(value, dict):
        return list(islice(dict.items(value), most))
    kind: Any = list if isinstance(value, list) else tuple
    return list(kind.__getitem__(value, slice(most)))


def count(value: Any) -> int:
    """How many entries a list, tuple or dict has."""
    kind: Any = next(each for each in (dict, list, tuple) if isinstance(value, each))
    return int(kind.__len__(value))


def under(value: dict[Any, Any], name: str) -> Any:
    """What stands under a text in a dict, None where nothing does; no other key is asked whether it is the same."""
    return next((entry for key, entry in dict.items(value) if type(key) is str and key == name), None)


def _said(kind: type, dunders: str) -> frozenset[str]:
    return frozenset(dunders.split()) | {name for name in dir(kind) if not name.startswith("_")}


CLOSED: dict[type, frozenset[str]] = {
    int: _said(
        int,
        """__int__ __index__ __float__ __trunc__ __bool__ __lt__ __le__ __gt__ __ge__ __mul__ __rmul__ __pow__ __rpow__
        __lshift__ __rlshift__ __abs__ __neg__ __pos__ __divmod__""",
    ),
    float: _said(float, "__float__ __int__ __trunc__"),
    str: _said(str, "__len__ __iter__ __getitem__"),
    tuple: frozenset({"__len__", "__iter__"}),
}
"""What a class of a script over one of these may not define: what is measured before the damage is asked for it."""
NOTES = frozenset({str, int, float, bool, list, tuple})
"""Under a name that means nothing to Python and NumPy (`__constants__`) these are notes: left out of the class."""


def closed(kind: type) -> frozenset[str]:
    """The names that no class of a script in the order of bases of `kind` may define."""
    return frozenset().union(*(CLOSED[each] for each in kind.__mro__ if each in CLOSED))


HELD = frozenset(["_host", "_order", "_plain", "_hash"])
"""What our sets hold themselves."""
ALWAYS = set(HELD)
"""Names that are closed for values of every kind; surface/subclasses.py adds what tensors hold."""


def answers(name: str, value: Any) -> bool:
    """Whether `value` is asked, or stands in the way, where the host asks a value for `name`."""
    return name in ALWAYS or callable(value) or hasattr(type(value), "__get__")
