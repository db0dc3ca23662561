"""The allow-list for numpy.random: what is drawn is measured first."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.data import workers
from engine.script.frames import current
from engine.script.limits.numpy_sizes import argument, check_elements, elements, extent, placed
from engine.script.limits.still import given_still, still
from engine.script.limits.work import check_factors
from engine.script.modules import MODULES
from engine.script.surface import Rule, ScriptModule, objects, register
from engine.script.surface.numpy import check_options, without_objects
from engine.script.values.builtin import CALLS
from engine.script.values.plain import whole

DRAWN = """beta binomial chisquare choice dirichlet exponential f gamma geometric gumbel hypergeometric laplace logistic
lognormal logseries multinomial multivariate_normal negative_binomial noncentral_chisquare noncentral_f normal pareto
permutation poisson power random rayleigh shuffle standard_cauchy standard_exponential standard_gamma standard_normal
standard_t triangular uniform vonmises wald weibull zipf"""
LEGACY = f"{DRAWN} get_state rand randint randn random_sample seed set_state"
GENERATOR = f"{DRAWN} integers permuted"
VECTORS = {"dirichlet": ("alpha", 0), "multinomial": ("pvals", 1), "multivariate_normal": ("mean", 0)}
"""What is drawn is as long as one of the arguments: its name and place."""
ENDLESS = {"vonmises": (("mu", "kappa"), 0.0, 1e10), "zipf": (("a",), 1.001, 1e3)}
"""RandomState draws again until it accepts, and beyond these bounds of its last parameter it hardly ever does."""


def _checked_state(state: Any) -> tuple[Any, ...]:
    """What get_state() gave: NumPy reads at the place that it names without looking."""
    if not isinstance(state, (tuple, list)) or len(state) not in (3, 5) or state[0] != "MT19937":
        raise ValueError("state is not a legacy MT19937 state")
    key, place = np.asarray(state[1]), whole(state[2])
    if key.shape != (624,) or key.dtype.kind not in "iu" or type(place) is not int or not 0 <= place <= 624:
        raise ValueError("state is not a legacy MT19937 state")
    more = (int(bool(state[3])), float(state[4])) if len(state) == 5 else (0, 0.0)
    return "MT19937", key.astype(np.uint32), place, *more


def _sized(function: Any, name: str) -> Any:
    """A random function: what it draws is measured first."""

    def draw(*args: Any, **kwargs: Any) -> Any:
        if name == "get_state":
            return function()
        if name == "set_state":
            return function(_checked_state(*args, **kwargs))
        of_objects = objects.led(name, draw, args, kwargs)
        if of_objects is not NotImplemented:
            return of_objects
        if name == "multivariate_normal":
            check_factors(argument(args, kwargs, 1, "cov", None), "svd")
        if name in ("rand", "randn"):
            count = elements(args)
        else:
            size = kwargs.get("size")
            if size is None and args and isinstance(args[-1], (int, tuple, list)):
                size = args[-1]
            count = elements(size) if size is not None else 1
            if name in VECTORS:
                word, place = VECTORS[name]
                count *= max(extent(argument(args, kwargs, place, word)), 1)
            if name == "permutation" and args:
                count = elements(args[0]) if isinstance(args[0], int) else 1
        if name not in ("seed", "shuffle", "choice") or "size" in kwargs:
            check_elements(count if name != "randint" or "size" in kwargs or len(args) > 2 else 1, f"np.random.{name}")
        if name in ENDLESS and isinstance(function.__self__, np.random.RandomState):
            args, kwargs = _accepting(name, args, kwargs)
        return without_objects(function(*args, **kwargs))

    draw.__name__ = name
    return given_still(draw)


def _accepting(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The same arguments, of which the one in ENDLESS is an array that was looked at. Raises ValueError."""
    words, least, most = ENDLESS[name]
    args, kwargs = placed(args, kwargs, words)
    if len(args) < len(words):
        return args, kwargs
    place = len(words) - 1
    check_options((None, args[place]), {})
    given = np.array(args[place], float)
    if ((given > 1) & (given < least)).any() or (given > most).any():
        raise ValueError(f"RandomState.{name}() takes {words[-1]} from {least:g} to {most:g} in scripts here")
    return (*args[:place], given, *args[place + 1 :]), kwargs


class RandomSource:
    """np.random.RandomState or the newer Generator; one per run for the module's own functions."""

    __slots__ = ("_source",)

    def __init__(self, source: Any) -> None:
        self._source = source

    def read(self, name: str) -> Any:
        allowed = GENERATOR if isinstance(self._source, np.random.Generator) else LEGACY
        if name not in allowed.split():
            kind = type(self._source)
            raise AttributeError(f"'{kind.__module__}.{kind.__name__}' object has no attribute '{name}'")
        return _sized(getattr(self._source, name), name)

    def __str__(self) -> str:
        bits = self._source.bit_generator if isinstance(self._source, np.random.Generator) else None
        return f"{type(self._source).__name__}({'MT19937' if bits is None else type(bits).__name__})"

    def __repr__(self) -> str:
        return f"{self} at {current.machine.address(self).replace('x7f', 'x7F')}"


class RandomState(RandomSource):
    """np.random.RandomState, by its name in scripts."""

    __slots__ = ()


class Generator(RandomSource):
    """np.random.Generator, by its name in scripts."""

    __slots__ = ()


class BitSource:
    """np.random.PCG64 and its like, and np.random.SeedSequence: what a Generator is made of."""

    __slots__ = ("source",)
    spread = ("entropy", "spawn_key", "pool_size", "n_children_spawned")

    def __init__(self, source: Any) -> None:
        self.source = source

    def read(self, name: str) -> Any:
        if isinstance(self.source, np.random.SeedSequence):
            if name in self.spread:
                return getattr(self.source, name)
            if name == "generate_state":
                return self._words
        if name == "spawn":
            return self._parts
        kind = type(self.source)
        raise AttributeError(f"'{kind.__module__}.{kind.__name__}' object has no attribute '{name}'")

    def _words(self, n_words: int, dtype: Any = np.uint32) -> Any:
        check_elements(elements(n_words), "generate_state")
        return self.source.generate_state(whole(n_words), dtype)

    def _parts(self, n_children: int) -> list[BitSource]:
        check_elements(elements(n_children), "spawn")
        return [BitSource(each) for each in self.source.spawn(whole(n_children))]

    def __repr__(self) -> str:
        if isinstance(self.source, np.random.SeedSequence):
            return repr(self.source)
        kind = type(self.source)
        return f"<{kind.__module__}.{kind.__name__} object at {current.machine.address(self)}>"


def _bits(kind: Any) -> Any:
    def make(seed: Any = None) -> BitSource:
        return BitSource(kind(_seed(seed)))

    make.__name__ = make.__qualname__ = kind.__name__
    return make


def _sequence(entropy: Any = None, *, spawn_key: Any = (), pool_size: int = 4) -> BitSource:
    if not 4 <= whole(pool_size) <= 64:
        raise ValueError("a SeedSequence has pools of 4 to 64 words in scripts here")
    return BitSource(np.random.SeedSequence(_seed(entropy), spawn_key=still(spawn_key), pool_size=whole(pool_size)))


def _generator(bit_generator: Any) -> Generator:
    if not isinstance(bit_generator, BitSource) or isinstance(bit_generator.source, np.random.SeedSequence):
        raise AttributeError(f"'{type(bit_generator).__name__}' object has no attribute 'capsule'")
    return Generator(np.random.Generator(bit_generator.source))


def _default_rng(seed: Any = None) -> Generator:
    return seed if isinstance(seed, Generator) else Generator(np.random.default_rng(_seed(seed)))


register(RandomSource, Rule(getter=RandomSource.read))
register(BitSource, Rule(getter=BitSource.read))
for _kind, _home in ((RandomState, "numpy.random.mtrand"), (Generator, "numpy.random._generator")):
    _kind.__module__ = _home
    register(_kind, Rule(getter=RandomSource.read))
CALLS[RandomState] = lambda seed=None: RandomState(np.random.RandomState(_seed(seed)))
CALLS[Generator] = _generator


def _seed(given: Any) -> Any:
    if isinstance(given, BitSource):
        return given.source
    given = still(given)
    if type(given) in (list, tuple) and all(type(each) is int and 0 <= each < 1 << 32 for each in given):
        return np.array(given, np.uint32)  # which NumPy would make of one number after the other
    return 0 if given is None else given


def _random() -> ScriptModule:
    source = np.random.RandomState(0)
    members = {name: _sized(getattr(source, name), name) for name in LEGACY.split() if hasattr(source, name)}
    return ScriptModule(
        "numpy.random",
        {
            **members,
            **dict.fromkeys(("sample", "ranf"), members["random_sample"]),
            "RandomState": RandomState,
            "Generator": Generator,
            "default_rng": _default_rng,
            "SeedSequence": _sequence,
            **{name: _bits(getattr(np.random, name)) for name in ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")},
        },
    )


MODULES["numpy.random"] = _random


def _of_script() -> list[workers.Stream]:
    """The run's own streams, where the script has imported them: a DataLoader's workers have some of their own."""
    made = current.machine.modules if hasattr(current, "machine") else {}
    named = (("random", "getstate", "setstate"), ("numpy.random", "get_state", "set_state"))
    return [
        (name, found.own(get), found.own(put), found.own("seed"))
        for name, get, put in named
        if (found := made.get(name)) is not None
    ]


workers.STREAMS.append(_of_script)
