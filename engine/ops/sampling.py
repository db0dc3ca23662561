"""Tensors of random numbers: the same as PyTorch's after the same manual_seed."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import dtypes, random
from engine.autograd import grad_mode
from engine.autograd.graph import Node, record
from engine.messages import called
from engine.ops import arguments, either
from engine.ops.arguments import Options
from engine.ops.creation import finish
from engine.ops.dispatch import memory_order, wrap
from engine.ops.inplace import check, write
from engine.ops.results import shown_as
from engine.tensor import Tensor

Array = np.ndarray[Any, np.dtype[Any]]


def _source(generator: Any) -> random.Generator:
    return random.default_generator if generator is None else generator


def _shape(name: str, given: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[int, ...]:
    if "size" in keywords:
        given = arguments.told_size(name, keywords.pop("size"))
    if not given or (len(given) > 1 and isinstance(given[0], (tuple, list))):
        raise arguments.no_such_call(name, given)
    generator = keywords.get("generator")
    if generator is not None and not isinstance(generator, random.Generator):
        raise arguments.no_such_call(name, given, {"generator": generator})
    return arguments.not_negative(arguments.size(name, given))


# ------------------------------------------------------------------------------------------------- of a given shape


def rand(*size: Any, **given: Any) -> Tensor:
    """Uniform numbers in [0, 1)."""
    shape = _shape("rand", size, given)
    told = arguments.options("rand", given)
    return finish(_source(told.generator).uniform(shape, dtype=told.kind()), told)


def randn(*size: Any, **given: Any) -> Tensor:
    """Standard normal numbers."""
    shape = _shape("randn", size, given)
    told = arguments.options("randn", given)
    return finish(_source(told.generator).normal(shape, dtype=told.kind()), told)


def randint(*bounds: Any, **given: Any) -> Tensor:
    """Whole numbers low <= n < high (from 0 with one bound): `randint(high, size)`, `randint(low, high, size)`."""
    named = [given.pop(name) for name in ("low", "high", "size") if name in given]
    positional = [*bounds, *named]
    if len(positional) == 2:
        positional.insert(0, 0)
    whole = all(isinstance(each, (int, np.integer, Tensor)) for each in positional[:2])
    if len(positional) != 3 or not whole or (len(bounds) == 3 and not isinstance(bounds[2], (tuple, list))):
        raise arguments.no_such_call("randint", bounds)
    low = arguments.integer("randint", "low", 1, positional[0])
    high = arguments.integer("randint", "high", len(bounds) - 1, positional[1])
    shape = arguments.sequence("randint", "size", 2 if len(bounds) < 3 else 3, positional[2])
    told = arguments.options("randint", given)
    kind = told.dtype or dtypes.int64
    return finish(_source(told.generator).randint(low, high, arguments.not_negative(shape), kind), told)


def randperm(n: Any, **given: Any) -> Tensor:
    """The numbers 0 ... n-1 in random order."""
    count = arguments.integer("randperm", "n", 1, n)
    arguments.not_negative((count,))
    told = arguments.options("randperm", given)
    order = _source(told.generator).randperm(count)
    return finish(order.astype((told.dtype or dtypes.int64).numpy, copy=False), told)


def normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, **given: Any) -> Tensor:
    """Normal numbers: of a size, or one for each element of `mean` and `std` (tensors that broadcast)."""
    told = arguments.options("normal", given)
    source = _source(told.generator)
    if size is not None:
        shape = arguments.not_negative(arguments.sequence("normal", "size", 3, size))
        return finish(source.normal(shape, float(mean), float(std), told.kind()), told)
    if not isinstance(mean, Tensor) and not isinstance(std, Tensor):
        raise TypeError("normal() received an invalid combination of arguments - got (float, float)")
    if not isinstance(std, Tensor) and not std >= 0.0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    if isinstance(std, Tensor) and std._array.size and not bool((std._array >= 0).all()):
        raise RuntimeError("normal expects all elements of std >= 0.0")
    from engine.ops.arithmetic import add, mul

    like = mean if isinstance(mean, Tensor) else std
    centre, spread = (each.detach() if isinstance(each, Tensor) else each for each in (mean, std))
    shape = (add(centre, spread) if isinstance(mean, Tensor) and isinstance(std, Tensor) else like)._array.shape
    drawn = wrap(source.normal(shape, dtype=like.dtype))
    made = finish(add(mul(drawn, spread), centre)._array, told)
    if any(isinstance(each, Tensor) and each._needs for each in (mean, std)) and grad_mode.enabled:
        record(NormalBackward0, made, (mean, std))
        shown_as(f"NormalBackward{isinstance(mean, Tensor) + 2 * isinstance(std, Tensor)}", made)
    return made


class NormalBackward0(Node):
    """PyTorch lets no gradient flow to the mean and the standard deviation."""

    operation = "normal"

    def backward(self, g: Any) -> Any:
        return (either.zeros(g.shape, g),) * len(self.edges)


# ---------------------------------------------------------------------------------------------------- like another


def _like(name: str, input: Any, given: dict[str, Any]) -> tuple[tuple[int, ...], dtypes.dtype, Options]:
    source = arguments.tensor(name, "input", 1, input)
    told = arguments.options(name, given)
    return source._array.shape, told.dtype or source.dtype, told


def rand_like(input: Tensor, **given: Any) -> Tensor:
    """Uniform numbers in [0, 1) of the shape and dtype of `input`."""
    _, kind, told = _like("rand_like", input, given)
    source = _source(told.generator)
    return finish(in_memory_order(input, lambda shape: source.uniform(shape, dtype=kind)), told)


def randn_like(input: Tensor, **given: Any) -> Tensor:
    """Standard normal numbers of the shape and dtype of `input`."""
    _, kind, told = _like("randn_like", input, given)
    source = _source(told.generator)
    long = [axis for axis in memory_order(input._array) if input._array.shape[axis] != 1]
    lies = long == sorted(long)  # as its numbers will lie in memory, whatever stands between those of `input`
    return finish(in_memory_order(input, lambda shape: source.normal(shape, dtype=kind, contiguous=lies)), told)


def randint_like(input: Tensor, *bounds: Any, **given: Any) -> Tensor:
    """Whole numbers low <= n < high (from 0 with one bound) of the shape and dtype of `input`."""
    both = [*bounds, *(given.pop(name) for name in ("low", "high") if name in given)]
    low, high = (0, both[0]) if len(both) == 1 else both
    _, kind, told = _like("randint_like", input, given)
    source = _source(told.generator)
    return finish(in_memory_order(input, lambda shape: source.randint(int(low), int(high), shape, kind)), told)


# ------------------------------------------------------------------------------------------- from given probabilities


class BernoulliBackward0(Node):
    """What is drawn does not depend on the probabilities smoothly: no gradient flows."""

    operation = "bernoulli"

    def backward(self, g: Any) -> Any:
        return either.zeros(g.shape, g)


def bernoulli(input: Tensor, p: Any = None, *, generator: Any = None, out: Any = None) -> Tensor:
    """1 with the probability that stands in its place (with `p`: with that), else 0."""
    x = arguments.tensor("bernoulli", "input", 1, input)._array
    if p is not None:
        drawn = _source(generator).bernoulli(x.shape, float(p), dtypes.OF[x.dtype])
    elif x.dtype.kind != "f" and x.size:
        name = dtypes.OF[x.dtype].scalar_type
        raise NotImplementedError(f"\"bernoulli_tensor_cpu_p_\" not implemented for '{name}'")
    else:
        drawn = _source(generator).bernoulli_each(x)
    made = finish(drawn, Options(out=out))
    if input._needs and grad_mode.enabled:
        record(BernoulliBackward0, made, (input,))
    return made


def multinomial(
    input: Tensor, num_samples: Any, replacement: bool = False, *, generator: Any = None, out: Any = None
) -> Tensor:
    """Indices, int64, drawn from the weights in each row."""
    x = arguments.tensor("multinomial", "input", 1, input)._array
    count = arguments.integer("multinomial", "num_samples", 2, num_samples)
    if out is not None and out.dtype is not dtypes.int64:
        raise RuntimeError(f"multinomial expects Long tensor out, got: {out.dtype.scalar_type}")
    return finish(_source(generator).multinomial(x, count, replacement), Options(out=out))


# -------------------------------------------------------------------------------------------------------- in place


class _Drawn(Node):
    """Nothing of the old value is left, and chance does not follow its parameters: the gradient is 0."""

    def backward(self, g: Any) -> Any:
        return (either.zeros(g.shape, g),) * len(self.edges)


def _named(name: str) -> type[_Drawn]:
    return type(name, (_Drawn,), {"operation": name.partition("Backward")[0].lower()})


_NAMES = (
    "UniformBackward0 NormalBackward0 RandomBackward0 RandomBackward1 RandomBackward2 BernoulliBackward1"
    " BernoulliBackward2 ExponentialBackward0 GeometricBackward0 LogNormalBackward0"
)
_NODES = {name: _named(name) for name in _NAMES.split()}


def _fill(input: Tensor, drawn: Array, node: str, *parameters: Tensor) -> Tensor:
    """Write what was drawn into `input`; the old history is replaced by a node of this name."""
    result = wrap(drawn)
    if grad_mode.enabled and (input._needs or any(each._needs for each in parameters)):
        record(_NODES[node], result, (input, *parameters))
    return write(input, result)


def in_memory_order(input: Tensor, draw: Any) -> Array:
    """`draw(shape)` for the tensor as it lies in memory."""
    x = input._array
    if x.flags.c_contiguous or x.ndim < 2:
        drawn: Array = draw(x.shape)
        return drawn
    order = memory_order(x)
    drawn = draw(tuple(x.shape[axis] for axis in order))
    return np.transpose(drawn, np.argsort(order))


def uniform_(input: Tensor, a: float = 0.0, b: float = 1.0, *, generator: Any = None, **ends: Any) -> Tensor:
    """Fill with uniform numbers in [a, b)."""
    check(input)
    low = arguments.real("uniform_", "from", 1, ends.get("from", a))
    high = arguments.real("uniform_", "to", 2, ends.get("to", b))
    source, kind = _source(generator), input.dtype
    return _fill(
        input, in_memory_order(input, lambda shape: source.uniform(shape, low, high, kind)), "UniformBackward0"
    )


def normal_(input: Tensor, mean: float = 0.0, std: float = 1.0, *, generator: Any = None) -> Tensor:
    """Fill with normal numbers."""
    check(input)
    source, kind, lies = _source(generator), input.dtype, bool(input._array.flags.c_contiguous)
    drawn = in_memory_order(input, lambda shape: source.normal(shape, float(mean), float(std), kind, contiguous=lies))
    return _fill(input, drawn, "NormalBackward0")


def random_(input: Tensor, *bounds: Any, generator: Any = None, **ends: Any) -> Tensor:
    """Fill with whole numbers: all that the dtype holds, below `to`, or from `from` to below `to`."""
    check(input)
    source, kind = _source(generator), input.dtype
    low, high = 0, None
    if len(bounds) == 1:
        high = bounds[0]
    elif bounds:
        low, high = bounds
    low, high = ends.get("from", low), ends.get("to", high)
    node = "RandomBackward1" if len(bounds) == 1 else "RandomBackward0"
    if not bounds and not ends:
        return _fill(input, in_memory_order(input, lambda shape: source.random(shape, kind)), "RandomBackward2")
    if high is None:
        return _fill(
            input, in_memory_order(input, lambda shape: source.randint_from(int(low), shape, kind)), "RandomBackward0"
        )
    return _fill(input, in_memory_order(input, lambda shape: source.randint(int(low), int(high), shape, kind)), node)


def bernoulli_(input: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    """Fill with 1 (with probability `p`, a number or a tensor of probabilities) and 0."""
    check(input)
    source, kind = _source(generator), input.dtype
    if isinstance(p, Tensor):
        given = np.broadcast_to(p._array, input._array.shape)
        return _fill(input, source.bernoulli_each(given, kind), "BernoulliBackward1", p)
    return _fill(
        input, in_memory_order(input, lambda shape: source.bernoulli(shape, float(p), kind)), "BernoulliBackward2"
    )


def exponential_(input: Tensor, lambd: float = 1.0, *, generator: Any = None) -> Tensor:
    """Fill with exponentially distributed numbers of the rate `lambd`."""
    check(input)
    source, kind = _source(generator), input.dtype
    if not kind.is_floating_point and input._array.size:
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. dtype must be a floating point but you"
            f" specified {kind.scalar_type}"
        )
    return _fill(
        input,
        in_memory_order(input, lambda shape: source.exponential(shape, float(lambd), kind)),
        "ExponentialBackward0",
    )


def geometric_(input: Tensor, p: float, *, generator: Any = None) -> Tensor:
    """Fill with the numbers of trials until the first success."""
    check(input)
    source, kind = _source(generator), input.dtype
    return _fill(
        input, in_memory_order(input, lambda shape: source.geometric(shape, float(p), kind)), "GeometricBackward0"
    )


def log_normal_(input: Tensor, mean: float = 1.0, std: float = 2.0, *, generator: Any = None) -> Tensor:
    """Fill with exp of normal numbers."""
    check(input)
    source, kind = _source(generator), _floating("log_normal_", input)
    return _fill(
        input,
        in_memory_order(input, lambda shape: source.log_normal(shape, float(mean), float(std), kind)),
        "LogNormalBackward0",
    )


def _floating(name: str, input: Tensor) -> dtypes.dtype:
    kind = input.dtype
    if not kind.is_floating_point and input._array.size:
        raise NotImplementedError(f"\"{name.rstrip('_')}_cpu\" not implemented for '{kind.scalar_type}'")
    return kind


def get_state(self: Any) -> Tensor:
    """Where a generator's stream is, as a tensor of bytes."""
    return wrap(np.frombuffer(self.get_bytes(), np.uint8).copy())


def set_state(self: Any, new_state: Tensor) -> Any:
    """Take a generator to where get_state() found one. Raises TypeError and RuntimeError for what is no state."""
    if not isinstance(new_state, Tensor):
        raise TypeError(f"expected a torch.ByteTensor, but got {called(new_state)}")
    if new_state.dtype is not dtypes.uint8:
        raise TypeError("RNG state must be a torch.ByteTensor")
    return self.set_bytes(new_state._array.tobytes())


def get_rng_state() -> Tensor:
    """Where the default generator is, as a tensor of bytes."""
    return get_state(random.default_generator)


def set_rng_state(new_state: Tensor) -> None:
    """Take the default generator to where get_rng_state() found it."""
    set_state(random.default_generator, new_state)


# What is given and taken are tensors, of which random.py, below them, knows nothing.
setattr(random.Generator, "get_state", get_state)  # noqa: B010
setattr(random.Generator, "set_state", set_state)  # noqa: B010


FUNCTIONS = (
    "rand randn randint randperm normal rand_like randn_like randint_like bernoulli multinomial get_rng_state"
    " set_rng_state"
)
METHODS = (
    "bernoulli multinomial uniform_ normal_ random_ bernoulli_ exponential_ geometric_ log_normal_"
)  # fmt: skip
