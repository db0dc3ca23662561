"""Random numbers, bit for bit PyTorch's (CPU): `Generator`, `default_generator`, `manual_seed`.

Everything here works on shapes and NumPy arrays; tensors are made elsewhere. What PyTorch does, in its own order:

- The source of bits is the Mersenne Twister MT19937, seeded with the low 32 bits of the seed; NumPy carries the same
  one. A 64-bit word is two 32-bit draws, the high half first.
- A uniform number is the low 24 bits of a 32-bit word (float32) or the low 53 bits of a 64-bit word (float64).
- A normal number comes from the Box-Muller transform: in double precision and in pairs for small tensors, in blocks of
  16 for tensors of 16 elements and more, there in float32 with the logarithm, sine and cosine of the Cephes library
  and fused multiply-adds, which is why this file carries them.

Seeds, states and what a run drew are deterministic; only `Generator.seed()` asks the operating system.
"""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import dtypes
from engine.brief import brief
from engine.dtypes import dtype
from engine.gauss import box_muller_block32, box_muller_block64, fma64, stretch
from engine.rooms import opened

Array = np.ndarray[Any, np.dtype[Any]]
Shape = tuple[int, ...]

DEFAULT_SEED = 67280421310721

_f32, _f64, _u64, _i64 = np.float32, np.float64, np.uint64, np.int64
_TWO_PI = 2.0 * math.pi
_OF_THE_STREAM = ("_source", "_raw")
_CHUNK = 16 * 512


class Generator:
    """A stream of random numbers. Every method that draws takes the shape wanted and answers a new array of it, in
    the order in which PyTorch fills a contiguous tensor. Copies (`copy`, `deepcopy`) go on independently."""

    def __init__(self, device: Any = "cpu") -> None:
        self.device = dtypes.require_cpu(device)
        self.manual_seed(DEFAULT_SEED)

    # ---------------------------------------------------------------------------------------------- seed and state

    def manual_seed(self, seed: int) -> Generator:
        """Start the stream over. Negative seeds count from 2**64. Raises RuntimeError, ValueError as PyTorch does."""
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        if not -(1 << 63) <= seed < 1 << 64:
            raise ValueError("Overflow when unpacking long long")
        self._seed = seed % (1 << 64)
        self._spare: float | None = None  # the second half of a pair of normals, not handed out yet
        for name in _OF_THE_STREAM:
            self.__dict__.pop(name, None)
        return self

    def __getattr__(self, name: str) -> Any:
        # The stream itself is made when it is first asked for: NumPy's random numbers are costly to import.
        if name not in _OF_THE_STREAM:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        self._start(np.random.RandomState(self._seed & 0xFFFFFFFF))
        return self.__dict__[name]

    def _start(self, source: np.random.RandomState) -> None:
        self._source = source
        self._raw: Callable[[int], np.ndarray[Any, np.dtype[np.uint64]]] = source._bit_generator.random_raw
        self._spare = None

    def initial_seed(self) -> int:
        """The seed that this stream started from."""
        return self._seed

    def seed(self) -> int:
        """Start over from a seed of the operating system's choosing, and answer it."""
        seed = int.from_bytes(os.urandom(8))
        self.manual_seed(seed)
        return seed

    def get_bytes(self) -> bytes:
        """Where the stream is, as the 5,056 bytes that PyTorch uses (get_state() gives a ByteTensor of them)."""
        if "_source" not in self.__dict__:
            return _first_state(self._seed)
        return _state(self._seed, self._source, self._spare)

    def set_bytes(self, state: bytes) -> Generator:
        """Go to where another stream was. Raises RuntimeError for bytes that are no state."""
        if len(state) != 5056:
            raise RuntimeError(
                f"Expected a CPUGeneratorImplState of size 5056 but found the input RNG state size to be {len(state)}"
            )
        seed, left, seeded, following = struct.unpack_from("<QiiQ", state)
        if not seeded or not 0 < left <= 624 or following > 624:  # NumPy reads at the place that it names
            raise RuntimeError("Invalid mt19937 state")
        self._seed = seed
        key = np.frombuffer(state, _u64, 624, offset=24).astype(np.uint32)
        _, spare, _, has_spare, _ = struct.unpack_from("<dddii", state, 24 + 624 * 8)
        source = np.random.RandomState(0)
        source.set_state(
            {"bit_generator": "MT19937", "state": {"key": key, "pos": 625 - left}, "has_gauss": 0, "gauss": 0.0}
        )
        self._start(source)
        self._spare = spare if has_spare else None
        return self

    def clone_state(self) -> Generator:
        """A copy that goes on from here by itself."""
        return type(self)().set_bytes(self.get_bytes())

    def __copy__(self) -> Generator:
        return self.clone_state()

    def __deepcopy__(self, memo: dict[int, Any]) -> Generator:
        return self.clone_state()

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_state, (self.get_bytes(),)

    # -------------------------------------------------------------------------------------------------------- bits

    def _words32(self, count: int) -> Array:
        return self._raw(count)  # uint64, each holding 32 bits

    def _words64(self, count: int) -> Array:
        halves = self._raw(2 * count)
        return (halves[0::2] << _u64(32)) | halves[1::2]

    def _units32(self, count: int) -> Array:
        """float32 in [0, 1)."""
        return (self._raw(count) & _u64(0xFFFFFF)).astype(_f32) * _f32(2.0**-24)

    def _units64(self, count: int) -> Array:
        """float64 in [0, 1)."""
        return (self._words64(count) & _u64((1 << 53) - 1)) * 2.0**-53

    # ----------------------------------------------------------------------------------------------------- uniform

    def uniform(self, shape: Shape, low: float = 0.0, high: float = 1.0, dtype: dtype = dtypes.float32) -> Array:
        """Numbers from [low, high). Raises RuntimeError for bounds out of order or out of the dtype's range,
        NotImplementedError for integer dtypes."""
        if dtype.is_complex:
            return _in_pairs(self.uniform((*shape, 2), low, high, dtype.to_real()), dtype)
        if not dtype.is_floating_point:
            raise NotImplementedError(f"\"check_uniform_bounds\" not implemented for '{dtype.scalar_type}'")
        count = math.prod(shape)
        double = dtype is dtypes.float64
        units = self._units64(count) if double else self._units32(count)
        if low != 0.0 or high != 1.0:
            _check_uniform_bounds(low, high, dtype)
            units = stretch(units, low, high)
        elif dtype.itemsize > 2:
            return units.reshape(shape)
        numbers = _in(dtype, units)
        numbers[np.asarray(numbers) == np.asarray(high).astype(numbers.dtype)] = (
            low  # what was rounded up to the bound that does not belong
        )
        return numbers.reshape(shape)

    # ------------------------------------------------------------------------------------------------------ normal

    def normal(
        self,
        shape: Shape,
        mean: float = 0.0,
        std: float = 1.0,
        dtype: dtype = dtypes.float32,
        *,
        contiguous: bool = True,
    ) -> Array:
        """Normally distributed numbers. `contiguous` says whether the tensor they are for is: PyTorch draws them one
        by one for others. Raises RuntimeError for a negative std, NotImplementedError for integer dtypes."""
        if not std >= 0.0:
            raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
        if dtype.is_complex:  # the parts share the variance
            parts = self.normal((*shape, 2), mean, std / math.sqrt(2), dtype.to_real(), contiguous=contiguous)
            return _in_pairs(parts, dtype)
        if not dtype.is_floating_point and 0 not in shape:
            raise NotImplementedError(f"\"normal_kernel_cpu\" not implemented for '{dtype.scalar_type}'")
        count = math.prod(shape)
        if count < 16 or not contiguous:
            drawn = self._normals_in_pairs(count)
            if mean != 0.0 or std != 1.0:
                drawn = fma64(drawn, float(std), float(mean))
        else:
            drawn = self._normals_in_blocks(count, mean, std, dtype)
        return _in(dtype, drawn).reshape(shape)

    def _normals_in_pairs(self, count: int) -> Array:
        """Box-Muller in double precision, one pair after the other. The second of the last pair waits for the next
        call when the count is odd. Python's math is the C library's, which NumPy's faster loops are not."""
        drawn: list[float] = []
        if count and self._spare is not None:
            drawn.append(self._spare)
            self._spare = None
        missing = count - len(drawn)
        words = iter(self._raw(2 * (missing + missing % 2)).tolist())
        for high1, low1, high2, low2 in zip(words, words, words, words, strict=True):
            radius = math.sqrt(-2.0 * math.log1p(-_unit64(high2, low2)))
            angle = _TWO_PI * _unit64(high1, low1)
            drawn += (radius * math.cos(angle), radius * math.sin(angle))
        if missing % 2:
            self._spare = drawn.pop()
        return np.array(drawn, _f64)

    def _normals_in_blocks(self, count: int, mean: float, std: float, dtype: dtype) -> Array:
        """Box-Muller on blocks of 16 uniforms: the first eight are radii, the last eight angles. A rest that fills no
        block is served by drawing the last 16 numbers afresh (what was drawn for the rest before, which float16 does
        not do, is lost)."""
        double = dtype is dtypes.float64
        draw = self._units64 if double else self._units32
        transform = box_muller_block64 if double else box_muller_block32
        whole = count - count % 16
        if dtype.itemsize == 2:
            numbers = np.zeros(count, _f32)
            numbers[:whole] = draw(whole)
        else:
            numbers = draw(count)
        for start in range(0, whole, _CHUNK):  # chunks small enough to stay in the processor's cache
            part = numbers[start : min(start + _CHUNK, whole)].reshape(-1, 16)
            transform(part, mean, std)
        if count > whole:
            last = draw(16).reshape(1, 16)
            transform(last, mean, std)
            numbers[-16:] = last[0]
        return numbers

    def log_normal(self, shape: Shape, mean: float = 1.0, std: float = 2.0, dtype: dtype = dtypes.float32) -> Array:
        """exp of normally distributed numbers. Raises RuntimeError unless std > 0."""
        if not std > 0.0:
            raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
        drawn = fma64(self._normals_in_pairs(math.prod(shape)), float(std), float(mean))
        with np.errstate(over="ignore"):
            if dtype is dtypes.float64:  # to the last bit
                numbers = np.array([math.exp(x) if x < 709.0 else np.exp(x) for x in drawn.tolist()], _f64)
            else:
                numbers = np.exp(drawn).astype(_f32)
            return _in(dtype, numbers).reshape(shape)

    # ---------------------------------------------------------------------------------------------------- integers

    def randint(self, low: int, high: int, shape: Shape, dtype: dtype = dtypes.int64) -> Array:
        """Whole numbers from [low, high). Raises RuntimeError for an empty range or bounds that the dtype does not
        hold."""
        if low >= high:
            raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
        for name, bound in (("from", low), ("to - 1", high - 1)):
            smallest, largest = _range_of(dtype)
            if not smallest <= bound <= largest:
                raise RuntimeError(f"{name} is out of bounds for {_C_NAMES[dtype]}")
        return self._below(high - low, low, shape, dtype)

    def randint_from(self, low: int, shape: Shape, dtype: dtype = dtypes.int64) -> Array:
        """Whole numbers from `low` to the largest that the dtype holds exactly (`random_(low, None)`)."""
        smallest, largest = _range_of(dtype)
        if not smallest <= low <= largest:
            raise RuntimeError(f"from is out of bounds for {_C_NAMES[dtype]}")
        return self._below(largest - low + 1, low, shape, dtype)

    def random(self, shape: Shape, dtype: dtype = dtypes.int64) -> Array:
        """Whole numbers from 0 to the largest that the dtype holds exactly (`random_()`)."""
        return self._below(_range_of(dtype)[1] + 1, 0, shape, dtype, wide=dtype in (dtypes.int64, dtypes.float64))

    def _below(self, span: int, low: int, shape: Shape, dtype: dtype, wide: bool | None = None) -> Array:
        """low + word % span; words of 64 bits (`wide`) when the span asks for them."""
        count = math.prod(shape)
        words = self._words64(count) if (span >= 1 << 28 if wide is None else wide) else self._words32(count)
        numbers = words.view(_i64)
        if span < 1 << 64:  # otherwise every word is an answer as it stands
            numbers = (words % _u64(span)).view(_i64) + _i64(low)
        return _in(dtype, numbers).reshape(shape)

    def randperm(self, count: int) -> Array:
        """0 .. count-1 in random order, int64: a Fisher-Yates shuffle from the front."""
        order = list(range(count))
        if count > 1:
            here = np.arange(count - 1)
            steps = self._words32(count - 1).view(_i64) % (count - here)
            for i, j in enumerate((here + steps).tolist()):
                order[i], order[j] = order[j], order[i]
        return np.array(order, _i64)

    # --------------------------------------------------------------------------------------------- other distributions

    def bernoulli(self, shape: Shape, p: float = 0.5, dtype: dtype = dtypes.float32) -> Array:
        """1 with probability p, else 0: `bernoulli_(p)` and the mask of dropout (there p is the share to keep)."""
        if not 0.0 <= p <= 1.0:
            raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
        return _in(dtype, self._units64(math.prod(shape)) < p).reshape(shape)

    def bernoulli_each(self, probabilities: Array, dtype: dtype | None = None) -> Array:
        """1 with the probability that stands in its place: `bernoulli(tensor)`. Raises RuntimeError outside [0, 1]."""
        if not bool(((probabilities >= 0) & (probabilities <= 1)).all()):
            raise RuntimeError(
                "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message "
                "be improved?  If so, please report an enhancement request to PyTorch.)"
            )
        draw = self._units64 if probabilities.dtype == _f64 else self._units32
        hit = draw(probabilities.size).reshape(probabilities.shape) < probabilities
        return hit.astype(probabilities.dtype) if dtype is None else _in(dtype, hit)

    def exponential(self, shape: Shape, rate: float = 1.0, dtype: dtype = dtypes.float32) -> Array:
        """Exponentially distributed numbers. Raises RuntimeError unless rate > 0."""
        if not rate > 0.0:
            raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={rate:g}")
        logs = self._logs_of_complement(math.prod(shape), exact=dtype is dtypes.float64)
        numbers = (-1.0 / rate) * logs
        if dtype.itemsize == 2:
            numbers = numbers.astype(_f32)  # rounded twice, as PyTorch does
        return _in(dtype, numbers).reshape(shape)

    def _logs_of_complement(self, count: int, exact: bool) -> Array:
        units = self._units64(count)
        if exact:  # to the last bit of a double only the C library's logarithm will do
            return np.array([math.log1p(-unit) for unit in units.tolist()], _f64)
        return np.log1p(-units)

    def geometric(self, shape: Shape, p: float, dtype: dtype = dtypes.float32) -> Array:
        """Trials until the first success. Raises RuntimeError unless 0 < p < 1."""
        if not 0.0 < p < 1.0:
            raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
        units = self._units64(math.prod(shape))
        return _in(dtype, np.ceil(np.log(units) / math.log1p(-p))).reshape(shape)

    def multinomial(self, weights: Array, count: int, replacement: bool = False) -> Array:
        """`count` indices per row of the weights (one or two dimensions), int64. Without replacement each index is
        drawn by a race of exponential clocks; with replacement by looking uniforms up in the cumulative weights."""
        self._check_weights(weights, count, replacement)
        if not replacement or count == 1:
            race = weights / self.exponential(weights.shape, dtype=dtypes.OF[weights.dtype])
            return np.argsort(-race, axis=-1, kind="stable")[..., :count].copy()
        rows = []
        for row in weights.reshape(-1, weights.shape[-1]):
            cumulative = np.cumsum(row, dtype=row.dtype)
            cumulative /= cumulative[-1]
            cumulative[-1] = 1
            rows.append(np.searchsorted(cumulative.astype(_f64), self._units64(count), side="left"))
        return np.array(rows, _i64).reshape((*weights.shape[:-1], count))

    @staticmethod
    def _check_weights(weights: Array, count: int, replacement: bool) -> None:
        if weights.ndim not in (1, 2):
            raise RuntimeError("prob_dist must be 1 or 2 dim")
        if weights.dtype.kind != "f":
            raise RuntimeError(
                "multinomial only supports floating-point dtypes for input, got: "
                f"{dtypes.OF[weights.dtype].scalar_type}"
            )
        if count <= 0:
            raise RuntimeError("cannot sample n_sample <= 0 samples")
        if not replacement and count > weights.shape[-1]:
            raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
        if weights.shape[-1] > 1 << 24:
            raise RuntimeError("number of categories cannot exceed 2^24")
        if replacement and count > 1:
            if not bool((weights >= 0).all()):
                raise RuntimeError("invalid multinomial distribution (encountering probability entry < 0)")
            if not bool(np.isfinite(weights).all()):
                raise RuntimeError(
                    "invalid multinomial distribution (encountering probability entry = infinity or NaN)"
                )
        if not bool((np.isfinite(weights) & (weights >= 0)).all()):
            raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
        if bool((weights.sum(-1) <= 0).any()):
            raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")


def _state(seed: int, source: np.random.RandomState, spare: float | None) -> bytes:
    twister = source.get_state(legacy=False)["state"]
    key, position = twister["key"], int(twister["pos"])
    following = 0 if position == 624 else position
    return (
        struct.pack("<QiiQ", seed, 625 - position, 1, following)
        + np.asarray(key, _u64).tobytes()
        + struct.pack("<dddii", 0.0, spare or 0.0, 0.0, spare is not None, 0)
        + bytes(8)
    )


@lru_cache(maxsize=64)
def _first_state(seed: int) -> bytes:
    """Of a stream from which nothing was drawn: asked for after every command, and slow to make."""
    return _state(seed, np.random.RandomState(seed & 0xFFFFFFFF), None)


def _unit64(high: int, low: int) -> float:
    """A number in [0, 1) from the two halves of a 64-bit word, of which 53 bits count."""
    return ((high & 0x1FFFFF) << 32 | low) * 2.0**-53


def _from_state(state: bytes) -> Generator:
    return Generator().set_bytes(state)


# The generator that is used where none is given.
default_generator = Generator()


def manual_seed(seed: int) -> Generator:
    """Start the default generator over."""
    return default_generator.manual_seed(int(seed))


def initial_seed() -> int:
    """The seed that the default generator started from."""
    return default_generator.initial_seed()


def seed() -> int:
    """Start the default generator over from a seed of the operating system's choosing, and answer it."""
    return default_generator.seed()


# -------------------------------------------------------------------------------------------------- bounds of dtypes

_C_NAMES = {
    dtypes.float16: "c10::Half",
    dtypes.bfloat16: "c10::BFloat16",
    dtypes.float32: "float",
    dtypes.float64: "double",
    dtypes.uint8: "unsigned char",
    dtypes.int8: "signed char",
    dtypes.int16: "short int",
    dtypes.int32: "int",
    dtypes.int64: "long",
    dtypes.bool_: "bool",
}


def _in_pairs(parts: Array, kind: dtype) -> Array:
    """Real and imaginary parts (*, 2) as complex numbers (*)."""
    return parts.view(kind.numpy)[..., 0] if parts.size else np.zeros(parts.shape[:-1], kind.numpy)


def _range_of(kind: dtype) -> tuple[int, int]:
    """The smallest and largest whole number up to which the dtype holds every one."""
    if kind is dtypes.bool_:
        return 0, 1
    if kind.is_floating_point:
        largest = 1 << (8 if kind is dtypes.bfloat16 else {2: 11, 4: 24, 8: 53}[kind.itemsize])
        return -largest, largest
    return int(np.iinfo(kind.numpy).min), int(np.iinfo(kind.numpy).max)


_LARGEST = {kind: dtypes.finfo(kind).max for kind in (*dtypes.ALL, dtypes.bfloat16) if kind.is_floating_point}


def _in(kind: dtype, numbers: Array) -> Array:
    """Numbers in a dtype."""
    return brief(numbers) if kind is dtypes.bfloat16 else numbers.astype(kind.numpy, copy=False)


def _check_uniform_bounds(low: float, high: float, kind: dtype) -> None:
    largest = _LARGEST[kind]
    for name, bound in (("from", low), ("to", high)):
        if not -largest <= bound <= largest:
            raise RuntimeError(f"{name} is out of bounds for {_C_NAMES[kind]}")
    if low > high:
        raise RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}")


if not TYPE_CHECKING:
    __getattr__, __dir__ = opened(globals(), "torch.random", {})
