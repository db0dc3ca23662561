"""NumPy's calls that need a guard of their own: what they make is measured, functions of the script are called."""

from __future__ import annotations

import math
from operator import index
from typing import Any

import numpy as np

from engine.script.executing.calls import consume, invoke
from engine.script.frames import ScriptFunction, current
from engine.script.limits import exceeded
from engine.script.limits.nested import check_nested
from engine.script.limits.numpy_sizes import argument, check_elements, check_transform, elements, extent
from engine.script.limits.still import given_still, still_index
from engine.script.limits.work import FACTORS, OPERATIONS, check_size, check_work
from engine.script.modules import MODULES, module
from engine.script.surface import Later, Rule, ScriptModule, names, objects, register
from engine.script.surface.drawn import quiet
from engine.script.surface.numpy import check_options, few, without_objects


def _asked(*values: Any) -> list[Any]:
    """The arrays that NumPy makes of `values`, asked once: what is measured is what is calculated with."""
    check_options((None, *values), {})
    return [without_objects(np.asarray(each)) for each in values]


def _sliding(name: str, usual: str) -> Any:
    """np.convolve() and np.correlate()."""

    def slide(a: Any, v: Any, mode: str = usual) -> Any:
        a, v = _asked(a, v)
        check_elements(a.size * v.size / 10, f"np.{name}")
        return without_objects(getattr(np, name)(a, v, mode))

    return slide


def _broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    check_options((array,), {})
    check_elements(elements(shape), "np.broadcast_to")
    return without_objects(np.broadcast_to(array, shape))


def _from_buffer(buffer: Any, dtype: Any = float, count: Any = -1, offset: Any = 0) -> Any:
    check_options((None, dtype), {})
    if isinstance(buffer, np.ndarray):
        without_objects(buffer)
    elif not isinstance(buffer, (bytes, bytearray, memoryview)):
        raise TypeError(f"a bytes-like object is required, not '{type(buffer).__name__}'")
    kind = np.dtype(dtype)
    if _holds_text(kind):
        raise TypeError("np.frombuffer() reads numbers and bytes in scripts here: what bytes spell may be no text")
    return without_objects(np.frombuffer(buffer, kind, count, offset))


def _holds_text(kind: Any) -> bool:
    """Whether there are characters in what is of a data type, in a field or row of it."""
    base = kind.base
    return base.kind == "U" or any(_holds_text(base[name]) for name in base.names or ())


def _of_triangle(name: str) -> Any:
    """np.triu_indices() and tril_indices()."""

    def give(n: int, k: int = 0, m: int | None = None) -> Any:
        check_elements(elements(n) * elements(n if m is None else m), f"np.{name}")
        return getattr(np, name)(n, k, m)

    return give


def _window(name: str) -> Any:
    """np.hanning() and its like: M numbers."""

    def give(M: int, *beta: Any) -> Any:
        check_elements(elements(M), f"np.{name}")
        return getattr(np, name)(M, *beta)

    return give


def _along(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """np.apply_along_axis(): a function of the script, for each row."""
    check_options((None, arr, *args), kwargs)
    call = func1d
    if isinstance(func1d, ScriptFunction):
        call = lambda row, *more, **named: invoke(func1d, (row, *more), named)  # noqa: E731
    return without_objects(np.apply_along_axis(call, axis, arr, *args, **kwargs))


def _from_iterable(iterable: Any, dtype: Any = float, count: int = -1) -> Any:
    values = list(consume(iterable))
    check_options((None, values, dtype), {})
    return without_objects(np.array(values[: count if count >= 0 else None], dtype))


def _rounded(a: Any, decimals: Any = 0, out: Any = None) -> Any:
    """np.round() and np.around()."""
    of_objects = objects.led("round", _rounded, (a, decimals), {})
    if of_objects is not NotImplemented:
        return of_objects
    check_options((a,), {})
    return without_objects(np.round(a, few(decimals), out))


def _polyfit(x: Any, y: Any, deg: Any, *args: Any, **kwargs: Any) -> Any:
    """np.polyfit(): least squares with a row for each point and a column for each power."""
    check_options((None, x, y, deg), kwargs)
    columns = 1 + (elements(deg) if np.ndim(deg) == 0 else int(np.max(deg)))
    check_elements(2 * extent(x) * columns, "np.polyfit")
    check_size((extent(x), columns), "lstsq")
    return np.polyfit(x, y, deg, *args, **kwargs)


def _vander(x: Any, N: Any = None, increasing: bool = False) -> Any:
    """np.vander(): a row of powers for each number."""
    (x,) = _asked(x)
    check_elements(extent(x) * (extent(x) if N is None else elements(N)), "np.vander")
    return without_objects(np.vander(x, N, increasing))


def _diagflat(v: Any, k: Any = 0) -> Any:
    """np.diagflat(): a square matrix."""
    (v,) = _asked(v)
    check_elements((extent(v) + elements(abs(k))) ** 2, "np.diagflat")
    return without_objects(np.diagflat(v, k))


def _diag_indices(n: Any, ndim: Any = 2) -> Any:
    check_elements(elements(n) + elements(ndim), "np.diag_indices")
    return np.diag_indices(n, ndim)


def _broadcast_arrays(*args: Any) -> Any:
    """np.broadcast_arrays(): views, of which every one may become an array of its own."""
    check_options((None, *args), {})
    check_elements(len(args) * math.prod(np.broadcast_shapes(*map(np.shape, args))), "np.broadcast_arrays")
    return tuple(without_objects(np.broadcast_arrays(*args)))


def _piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kwargs: Any) -> Any:
    """np.piecewise(): a number or a function of the script for each condition."""
    check_options((None, x, condlist, *args), kwargs)

    def called(function: Any) -> Any:
        return lambda part, *more, **named: invoke(function, (part, *more), named)

    chosen = [called(each) if isinstance(each, ScriptFunction) else each for each in consume(funclist)]
    return without_objects(np.piecewise(x, condlist, chosen, *args, **kwargs))


def _histogram2d(x: Any, y: Any, bins: Any = 10, *args: Any, **kwargs: Any) -> Any:
    check_options((None, x, y, bins, *args), kwargs)
    counts = [elements(each) if np.ndim(each) == 0 else extent(each) for each in _both(bins)]
    check_elements(math.prod(counts), "np.histogram2d")
    return without_objects(np.histogram2d(x, y, bins, *args, **kwargs))


def _both(bins: Any) -> Any:
    """The bins of both axes, each a number or a row of edges."""
    return bins if isinstance(bins, (tuple, list)) and len(bins) == 2 else (bins, bins)


def _in_digits(name: str) -> Any:
    """np.binary_repr() and np.base_repr(): a number as a text, not wider than any other."""

    def write(number: Any, *more: Any, **named: Any) -> str:
        allowed = current.machine.limits.format_width
        more = tuple([_counted(each) for each in more])
        named = {word: _counted(each) for word, each in named.items()}
        for each in (*more, *named.values()):
            if each is not None and each > allowed:
                exceeded("format_width", allowed, f"np.{name} with {each:,} digits")
        return str(getattr(np, name)(number, *more, **named))

    write.__name__ = name
    return write


def _of_roots(seq_of_zeros: Any) -> Any:
    """np.poly(): of roots, or of a square matrix."""
    (seq_of_zeros,) = _asked(seq_of_zeros)
    check_work(OPERATIONS["eigvals"] * max(np.shape(seq_of_zeros), default=1) ** 3 / FACTORS, "np.poly")
    return without_objects(np.poly(seq_of_zeros))


def _of_polynomials(name: str) -> Any:
    """np.polymul() and np.polydiv()."""

    def calculate(first: Any, second: Any) -> Any:
        first, second = _asked(first, second)
        check_elements(extent(first) * extent(second) / 10, f"np.{name}")
        return without_objects(getattr(np, name)(first, second))

    return calculate


def _counted(given: Any) -> Any:
    """An argument that is an int, or None: asked once more, an object of the script's may say something else."""
    return None if given is None else index(given)


def _order(m: Any, what: str) -> int:
    """How often np.polyder() and np.polyint() call themselves."""
    times, allowed = int(m), current.machine.limits.recursion
    if times > allowed:
        exceeded("recursion", allowed, f"np.{what} calls itself {times:,} times")
    return times


def _polyder(p: Any, m: Any = 1) -> Any:
    """np.polyder(); one derivative more than the polynomial has leaves nothing."""
    check_options((None, p), {})
    return np.polyder(p, _order(min(int(m), extent(p)), "polyder"))


def _polyint(p: Any, m: Any = 1, k: Any = None) -> Any:
    check_options((None, p, k), {})
    return np.polyint(p, _order(m, "polyint"), k)


class Mesh:
    """np.mgrid and np.ogrid: coordinates from slices."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __getitem__(self, parts: Any) -> Any:
        parts = still_index(parts)
        counts = [_steps(part) for part in (parts if isinstance(parts, tuple) else (parts,))]
        check_elements(math.prod(counts) * len(counts), f"np.{self._name}")
        return without_objects(getattr(np, self._name)[parts])


def _steps(part: Any) -> float:
    if not isinstance(part, slice):
        return 1
    if isinstance(part.step, complex):
        return abs(part.step)
    return abs(float(part.stop) - float(part.start or 0)) / abs(float(part.step or 1)) + 1


def _length(part: Any) -> float:
    """How many elements a part of np.r_ has: 0:5 stands for the numbers up to 5, 0:1:5j for 5 of them."""
    if not isinstance(part, slice):
        return math.prod(np.shape(part))
    start, stop, step = part.start or 0, part.stop, 1 if part.step is None else part.step
    if isinstance(step, complex):
        return abs(step) + 1
    return abs((stop - start) / step) + 1 if step else 1.0


class Joined:
    """np.c_ and np.r_: arrays, lists and numbers side by side, as they stand between the brackets."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __getitem__(self, parts: Any) -> Any:
        parts = still_index(parts if isinstance(parts, tuple) else (parts,))
        for part in parts:
            if isinstance(part, str):
                raise TypeError(f"np.{self._name} takes arrays, lists and numbers here")
        check_options((None, *parts), {})
        check_elements(sum(_length(part) for part in parts), f"np.{self._name}")
        return without_objects(getattr(np, self._name)[parts])


class Chosen:
    """np.s_: the index itself."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        return key


class Setting:
    """with np.errstate(...), with np.printoptions(...)."""

    __slots__ = ("_settings", "_was")

    def __init__(self, settings: dict[str, Any]) -> None:
        self._settings = settings
        self._was: dict[str, Any] = {}

    def __enter__(self) -> None:
        usual: dict[str, Any] = {**np.get_printoptions()}
        self._was = {name: usual[name] for name in self._settings}
        np.set_printoptions(**self._settings)

    def __exit__(self, *args: object) -> None:
        np.set_printoptions(**self._was)


PRINTED = names("precision threshold edgeitems linewidth suppress sign floatmode")


def _printoptions(**settings: Any) -> Setting:
    if settings.keys() - PRINTED:
        raise TypeError(f"printoptions() got an unexpected keyword argument '{min(settings.keys() - PRINTED)}'")
    if any(isinstance(value, int) and not 0 <= value <= 100_000 for value in settings.values()):
        raise ValueError("np.printoptions() takes numbers up to 100,000 here")
    return Setting(settings)


def _places(*shape: Any) -> Any:
    """np.ndindex()."""
    sizes = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    check_elements(elements(sizes) * len(sizes), "np.ndindex")
    return iter(list(np.ndindex(*sizes)))


def _enumerated(array: Any) -> Any:
    """np.ndenumerate()."""
    check_options((None, array), {})
    array = np.asarray(array)
    check_elements(array.size * (array.ndim + 1), "np.ndenumerate")
    return iter(list(np.ndenumerate(array)))


def _checked(function: Any) -> Any:
    def call(*args: Any, **kwargs: Any) -> Any:
        check_options((None, *args), kwargs)
        return without_objects(function(*args, **kwargs))

    call.__name__ = function.__name__
    return given_still(call)


def _transformed(name: str) -> Any:
    """A Fourier transform: as many numbers as are asked for."""
    several = not name.endswith("t")
    sizes, axes = ("s", "axes") if several else ("n", "axis")
    usual = (-2, -1) if name.endswith("2") else None if several else -1

    def transform(a: Any, *args: Any, **kwargs: Any) -> Any:
        check_options((None, a, *args), kwargs)
        if not isinstance(a, (np.ndarray, np.generic)):
            a = np.asarray(a)
        told, along = argument(args, kwargs, 0, sizes, None), argument(args, kwargs, 1, axes, usual)
        check_nested(told)
        check_nested(along)
        check_transform(f"np.fft.{name}", a, told, along)
        return without_objects(getattr(np.fft, name)(a, *args, **kwargs))

    transform.__name__ = name
    return given_still(transform)


def _frequencies(name: str) -> Any:
    def give(n: int, d: float = 1.0) -> Any:
        check_elements(elements(n), f"np.fft.{name}")
        return getattr(np.fft, name)(n, d)

    return give


TRANSFORMS = "fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn"

MODULES["numpy.fft"] = lambda: ScriptModule(
    "numpy.fft",
    {
        **{name: _transformed(name) for name in TRANSFORMS.split()},
        **{name: _frequencies(name) for name in ("fftfreq", "rfftfreq")},
        **{name: _checked(getattr(np.fft, name)) for name in ("fftshift", "ifftshift")},
    },
)


for _kind in (Mesh, Joined, Chosen, Setting):
    register(_kind, Rule())
GUARDED: dict[str, Any] = {
    "round": _rounded,
    "around": _rounded,
    "polyfit": _polyfit,
    "polyder": _polyder,
    "polyint": _polyint,
    "convolve": _sliding("convolve", "full"),
    "correlate": _sliding("correlate", "valid"),
    "broadcast_to": _broadcast_to,
    **{name: _of_triangle(name) for name in ("triu_indices", "tril_indices")},
    **{name: _window(name) for name in ("hanning", "hamming", "blackman", "bartlett", "kaiser")},
    **{name: _in_digits(name) for name in ("binary_repr", "base_repr")},
    **{name: _of_polynomials(name) for name in ("polymul", "polydiv")},
    "poly": _of_roots,
    "vander": _vander,
    "diagflat": _diagflat,
    "diag_indices": _diag_indices,
    "broadcast_arrays": _broadcast_arrays,
    "piecewise": _piecewise,
    "histogram2d": _histogram2d,
    "apply_along_axis": _along,
    "fromiter": _from_iterable,
    "frombuffer": _from_buffer,
    "c_": Joined("c_"),
    "r_": Joined("r_"),
    "mgrid": Mesh("mgrid"),
    "ogrid": Mesh("ogrid"),
    "lib": Later(lambda: module("numpy.lib")),
    "testing": Later(lambda: module("numpy.testing")),
    "exceptions": Later(lambda: module("numpy.exceptions")),
    "polynomial": Later(lambda: module("numpy.polynomial")),
    "s_": Chosen(),
    "errstate": lambda **settings: Setting({}),
    "seterr": quiet,
    "printoptions": _printoptions,
    "ndindex": _places,
    "ndenumerate": _enumerated,
}
"""By name, for the module numpy."""


def gone(name: str) -> str | None:
    """What NumPy says of a name that older versions had. A script may bring it back: np.float = float."""
    former: dict[str, str] = getattr(np, "__former_attrs__", {})
    expired: dict[str, str] = getattr(np, "__expired_attributes__", {})
    return former.get(name) or (
        f"`np.{name}` was removed in the NumPy 2.0 release. {expired[name]}" if name in expired else None
    )
