"""The allow-list for the standard modules that training scripts import."""

from __future__ import annotations

import cmath
import copy
import math
import random
import unicodedata
from collections.abc import Callable
from functools import partial
from typing import Any

from engine.script.classes.duplicates import deepcopy, shallow
from engine.script.classes.making import make_class
from engine.script.executing import chained
from engine.script.executing.calls import consume
from engine.script.frames import current
from engine.script.limits import exceeded
from engine.script.modules import MODULES, import_module, module, offered
from engine.script.surface import Later, Rule, ScriptModule, names, register
from engine.script.values import attributes, operators
from engine.script.values.builtin import CALLS
from engine.script.values.plain import text, whole


def _module(name: str, **members: Any) -> None:
    MODULES[name] = lambda: ScriptModule(
        name, {key: list(value) if type(value) is list else value for key, value in members.items()}
    )


def _factorial(n: Any) -> int:
    n = whole(n)
    if isinstance(n, int) and n > 0:
        operators.check_bits(n * max(n.bit_length() - 1, 1), "a factorial")
    return math.factorial(n)


def _comb(name: str) -> Any:
    def function(*numbers: Any) -> int:
        numbers = tuple(map(whole, numbers))
        n, k = (*numbers, None, None)[:2]
        if isinstance(n, int):
            k = k if isinstance(k, int) else n  # perm(n) is n!
            operators.check_bits(max(min(k, n), 0) * max(n.bit_length(), 1), f"math.{name}")
        result: int = getattr(math, name)(*numbers)
        return result

    return function


def _prod(items: Any, *, start: Any = 1) -> Any:
    result = start
    for item in consume(items):
        result = operators.multiply(result, item)
    return result


def _gcd(*numbers: Any) -> int:
    result = 0
    for number in numbers:
        result = math.gcd(result, number)
        current.machine.count(1 + (result.bit_length() >> 6))
    return result


def _fsum(seq: Any, /) -> float:
    return math.fsum(consume(seq))


def _lcm(*numbers: Any) -> int:
    result = 1
    for number in numbers:
        result = math.lcm(result, number)
        operators.check_bits(result.bit_length(), "math.lcm")
        current.machine.count(1 + (result.bit_length() >> 6))
    return result


MATH = """acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh degrees dist e erf erfc exp exp2 expm1 fabs
floor fmod frexp gamma hypot inf isclose isfinite isinf isnan isqrt ldexp lgamma log log10 log1p log2 modf
nan nextafter pi pow radians remainder sin sinh sqrt tan tanh tau trunc ulp"""
_module(
    "math",
    factorial=_factorial,
    comb=_comb("comb"),
    perm=_comb("perm"),
    prod=_prod,
    gcd=_gcd,
    lcm=_lcm,
    fsum=_fsum,
    **{name: getattr(math, name) for name in MATH.split() if hasattr(math, name)},
)
CMATH = """acos acosh asin asinh atan atanh cos cosh e exp inf infj isclose isfinite isinf isnan log log10 nan nanj
phase pi polar rect sin sinh sqrt tan tanh tau"""
_module("cmath", **{name: getattr(cmath, name) for name in CMATH.split()})
_module(
    "__future__",
    **dict.fromkeys(
        sorted(
            names("""
annotations division print_function absolute_import unicode_literals generators with_statement
""")
        )
    ),
)
_module("copy", copy=shallow, deepcopy=deepcopy, Error=copy.Error)


RANDOM = """betavariate choice choices expovariate gammavariate gauss getrandbits lognormvariate normalvariate
paretovariate randint random randrange seed shuffle triangular uniform vonmisesvariate weibullvariate getstate setstate
sample"""


def _sample(source: random.Random, population: Any, k: Any, *, counts: Any = None) -> Any:
    k = whole(k)
    if isinstance(k, int):
        operators.check_length(k, list)
    return source.sample(population, k, counts=None if counts is None else consume(counts))


def _choices(
    source: random.Random, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1
) -> Any:
    k = whole(k)
    operators.check_length(k, list)
    weights, cum_weights = (each if each is None else consume(each) for each in (weights, cum_weights))
    return source.choices(population, weights, cum_weights=cum_weights, k=k)


def _bits(source: random.Random, k: int) -> int:
    k = whole(k)
    operators.check_bits(k, "random.getrandbits")
    return source.getrandbits(k)


MEASURED: dict[str, Callable[..., Any]] = {"sample": _sample, "choices": _choices, "getrandbits": _bits}


class RandomStream:
    """random.Random: a stream of its own. Without a seed it is the same in every run."""

    __slots__ = ("_source",)

    def __init__(self, seed: Any = None) -> None:
        if not isinstance(seed, (int, float, str, bytes, type(None))):
            raise TypeError("The only supported seed types are: None,\nint, float, str, bytes, and bytearray.")
        self._source = random.Random(0 if seed is None else seed)  # noqa: S311  (scripts get Python's own numbers)

    def read(self, name: str) -> Any:
        if name in MEASURED:
            return partial(MEASURED[name], self._source)
        if name not in RANDOM.split():
            raise attributes.missing(self, name)
        return getattr(self._source, name)


RandomStream.__name__ = RandomStream.__qualname__ = "Random"
register(RandomStream, Rule(getter=RandomStream.read))
CALLS[RandomStream] = RandomStream


def _random() -> ScriptModule:
    stream = RandomStream()
    return ScriptModule("random", {**{name: stream.read(name) for name in RANDOM.split()}, "Random": RandomStream})


MODULES["random"] = _random


def _calls(trace: Any) -> list[tuple[int, str, str]]:
    """(line, function, text) of the calls that an error went through, from its traceback."""
    lines = current.machine.source
    found = chained.calls_of(trace.error) if isinstance(trace, chained.Trace) else []
    return [(line, name, lines[line - 1].strip() if line <= len(lines) else "") for line, name in found]


def _new_class(name: str, bases: Any, namespace: Any) -> type:
    """A class as a `class` statement makes it."""
    return make_class(str(name), str(name), list(bases), dict(namespace), {}, None)


def _function() -> str:
    """The name of the function of the script that executes now."""
    shown = [frame for frame in current.machine.stack if not frame.code.is_shipped and not frame.code.through]
    return shown[-1].code.name if shown else "<module>"


def _slots(kind: Any, listed: Any) -> None:
    """The instances of a class of the script take these attributes alone."""
    if isinstance(kind, type) and "__script__" in vars(kind):
        type.__setattr__(kind, "__slotted__", (listed, frozenset(listed)))


_module(
    "_python",
    tell=lambda category, text: current.machine.warn(str(category), str(text)),
    line=lambda: current.machine.line,
    function=_function,
    slots=_slots,
    calls=_calls,
    new_class=_new_class,
)


def _import_module(name: Any, package: Any = None) -> ScriptModule:
    """importlib.import_module(): as the statement does it."""
    if not isinstance(name, str):
        raise TypeError(f"the name of a module must be a text, not {type(name).__name__}")
    if name.startswith("."):
        raise TypeError(f"the 'package' argument is required to perform a relative import for {name!r}")
    return import_module(text(name), True, False)


def _find_spec(name: Any, package: Any = None) -> Any:
    """importlib.util.find_spec(): something that is not None for what can be imported."""
    return FOUND if isinstance(name, str) and offered(text(name)) else None


class Found:
    """A module's spec, of which scripts ask whether it is None."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ModuleSpec"


FOUND = Found()
register(Found, Rule())
Found.__name__ = Found.__qualname__ = "ModuleSpec"
_module("importlib.util", find_spec=_find_spec)
MODULES["importlib"] = lambda: ScriptModule(
    "importlib",
    {
        "import_module": _import_module,
        "reload": lambda module: module,
        "util": Later(lambda: module("importlib.util")),
        "metadata": Later(lambda: module("importlib.metadata")),
    },
)

UNICODE = ("normalize", "category", "name", "lookup", "combining", "bidirectional")
MOST_TO_NORMALIZE = 20_000  # characters: sorting long rows of accents takes the square of their number


def _normalize(form: str, text: str) -> str:
    if isinstance(text, str) and len(text) > MOST_TO_NORMALIZE and not text.isascii():
        exceeded("string_chars", MOST_TO_NORMALIZE, f"a text of {len(text):,} characters to normalize")
    return unicodedata.normalize(form, text)  # type: ignore[arg-type]


MODULES["unicodedata"] = lambda: ScriptModule(
    "unicodedata", {**{name: getattr(unicodedata, name) for name in UNICODE}, "normalize": _normalize}
)
