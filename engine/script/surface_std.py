"""The allow-list for the standard modules that training scripts import."""

from __future__ import annotations

import copy
import math
import random
import unicodedata
from collections.abc import Callable
from functools import partial
from typing import Any

from engine.script import operators
from engine.script.builtin import CALLS
from engine.script.calls import consume
from engine.script.frames import current
from engine.script.limits import exceeded
from engine.script.modules import MODULES
from engine.script.surface import Rule, ScriptModule, names, register


def _module(name: str, **members: Any) -> None:
    MODULES[name] = lambda: ScriptModule(
        name, {key: list(value) if type(value) is list else value for key, value in members.items()}
    )


def _factorial(n: Any) -> int:
    if isinstance(n, int) and n > 0:
        operators.check_bits(int(n) * max(int(n).bit_length() - 1, 1), "a factorial")
    return math.factorial(n)


def _comb(name: str) -> Any:
    def function(n: Any, k: Any = None) -> int:
        if isinstance(n, int) and isinstance(k, int):
            operators.check_bits(max(min(int(k), int(n)), 0) * max(int(n).bit_length(), 1), f"math.{name}")
        result: int = getattr(math, name)(n, k)
        return result

    return function


def _prod(items: Any, *, start: Any = 1) -> Any:
    result = start
    for item in consume(items):
        result = operators.multiply(result, item)
    return result


def _lcm(*numbers: Any) -> int:
    result = 1
    for number in numbers:
        result = math.lcm(result, number)
        operators.check_bits(result.bit_length(), "math.lcm")
        current.machine.count(1)
    return result


MATH = """acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh degrees dist e erf erfc exp exp2 expm1 fabs
floor fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt ldexp lgamma log log10 log1p log2 modf
nan nextafter pi pow radians remainder sin sinh sqrt tan tanh tau trunc ulp"""
_module(
    "math",
    factorial=_factorial,
    comb=_comb("comb"),
    perm=_comb("perm"),
    prod=_prod,
    lcm=_lcm,
    **{name: getattr(math, name) for name in MATH.split() if hasattr(math, name)},
)
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
_module("copy", copy=copy.copy, deepcopy=copy.deepcopy)


RANDOM = """betavariate choice expovariate gammavariate gauss getrandbits lognormvariate normalvariate paretovariate
randint random randrange seed shuffle triangular uniform vonmisesvariate weibullvariate getstate setstate"""


def _sample(source: random.Random, population: Any, k: Any, *, counts: Any = None) -> Any:
    if isinstance(k, int):
        operators.check_length(k, list)
    return source.sample(population, k, counts=counts)


def _choices(
    source: random.Random, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1
) -> Any:
    operators.check_length(k, list)
    return source.choices(population, weights, cum_weights=cum_weights, k=k)


def _bits(source: random.Random, k: int) -> int:
    operators.check_bits(k, "random.getrandbits")
    return source.getrandbits(k)


MEASURED: dict[str, Callable[..., Any]] = {"sample": _sample, "choices": _choices, "getrandbits": _bits}
register(random.Random, Rule(names=names(RANDOM) - MEASURED.keys(), wrapped=dict(MEASURED)))


def _source(seed: Any = None) -> random.Random:
    """A stream of its own; without a seed it is the same in every run."""
    if not isinstance(seed, (int, float, str, bytes, type(None))):
        raise TypeError("The only supported seed types are: None,\nint, float, str, bytes, and bytearray.")
    return random.Random(0 if seed is None else seed)  # noqa: S311  (scripts get Python's own numbers)


CALLS[random.Random] = _source


def _random() -> ScriptModule:
    source = _source()
    members = {name: getattr(source, name) for name in RANDOM.split() if name not in MEASURED}
    measured = {name: partial(function, source) for name, function in MEASURED.items()}
    return ScriptModule("random", {**members, **measured, "Random": random.Random})


MODULES["random"] = _random

_module(
    "warnings",
    filterwarnings=lambda *args, **kwargs: None,
    simplefilter=lambda *args, **kwargs: None,
    warn=lambda message, category=UserWarning, *args, **kwargs: current.machine.warn(
        getattr(category, "__name__", "UserWarning"), str(message)
    ),
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
