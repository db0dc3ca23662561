"""torch.nn.utils.rnn: sequences of several lengths in one tensor, padded or packed, and recurrent layers over them.

A packed sequence holds, step by step, the elements of the sequences that are not over yet; the sequences are in order
of length, the longest first, so that those of a step are always the first ones of the step before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from engine.messages import called
from engine.ops.dispatch import shape_error
from engine.ops.joins import cat, stack
from engine.ops.maps import LinearMap, linear_op
from engine.ops.picking import index_select
from engine.ops.repeating import repeated
from engine.ops.sorting import sort
from engine.tensor import Tensor


class PackedSequence(NamedTuple):
    """`data` (total, ...), `batch_sizes`: how many sequences have a step 0, 1, ... ; the orders from and to the
    caller's, where the sequences were sorted."""

    data: Tensor
    batch_sizes: Any = None
    sorted_indices: Any = None
    unsorted_indices: Any = None

    @property
    def is_cuda(self) -> bool:
        return False

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        return self._replace(data=self.data.to(*args, **kwargs))

    def cpu(self) -> PackedSequence:
        return self

    def float(self) -> PackedSequence:
        return self._replace(data=self.data.float())

    def double(self) -> PackedSequence:
        return self._replace(data=self.data.double())


PackedSequence.__module__ = "torch.nn.utils.rnn"


class PackPaddedSequenceBackward0(LinearMap):
    """What is padding gets a gradient of zero."""

    operation = "pack_padded_sequence"


class _PadBackward(LinearMap):
    operation = "pad_packed_sequence"
    label = "CopySlices"


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The order that undoes `permutation`."""
    if permutation is None:
        return None
    inverse = np.empty_like(permutation._array)
    inverse[permutation._array] = np.arange(permutation._array.size)
    return Tensor._wrap(inverse)


def _gathering(batch_sizes: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """(step, sequence) of each element of a packed sequence."""
    steps = repeated(np.arange(batch_sizes.size), batch_sizes)
    starts = np.repeat(np.cumsum(batch_sizes) - batch_sizes, batch_sizes)
    return steps, np.arange(steps.size) - starts


def pack_padded_sequence(
    input: Tensor, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """`input` (T, N, ...), or (N, T, ...) with batch_first, without its padding."""
    counts = np.array(lengths._array if isinstance(lengths, Tensor) else lengths, np.int64)
    if counts.ndim != 1:
        if not enforce_sorted and counts.ndim:
            raise IndexError("index_select(): Index is supposed to be a vector")
        raise RuntimeError(
            f"'lengths' argument should be a 1D CPU int64 tensor, but got {counts.ndim}D cpu Long tensor"
        )
    order = None
    if not enforce_sorted:
        found: Any = sort(Tensor._wrap(counts), descending=True)
        counts, order = found.values._array, found.indices
        input = index_select(input, 0 if batch_first else 1, order)
    if batch_first:
        input = input.transpose(0, 1)
    batch = input.shape[1]
    if counts.size != batch:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {counts.size} (batch_size={batch})"
        )
    if (counts <= 0).any():
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    if (np.diff(counts) > 0).any():
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass"
            " `enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you"
            " do not need ONNX exportability."
        )
    if counts.max() > input.shape[0]:
        raise RuntimeError(
            f"Expected all lengths to be at most the padded length {input.shape[0]}, but got {counts.max()}: give the"
            " lengths of the sequences before padding"
        )
    sizes = (counts > np.arange(counts.max())[:, None]).sum(1)
    where, shape = _gathering(sizes), input.shape

    def back(g: Any) -> Any:
        padded = np.zeros(shape, g.dtype)
        padded[where] = g
        return padded

    data = linear_op(PackPaddedSequenceBackward0, input, lambda x: x[where], back)
    return PackedSequence(data, Tensor._wrap(sizes), order, invert_permutation(order))


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Tensor, Tensor]:
    """(padded (T, N, ...) or (N, T, ...), lengths (N,)) in the order of the caller."""
    sizes = sequence.batch_sizes._array
    longest = sizes.size
    if total_length is not None:
        if total_length < longest:
            raise ValueError(
                "Expected total_length to be at least the length of the longest sequence in input, but got"
                f" total_length={total_length} and max sequence length being {longest}"
            )
        longest = total_length
    where = _gathering(sizes)

    def there(x: Any) -> Any:
        padded = np.full((longest, int(sizes[0]), *x.shape[1:]), padding_value, x.dtype)
        padded[where] = x
        return padded

    padded = linear_op(_PadBackward, sequence.data, there, lambda g: g[where])
    lengths = Tensor._wrap((sizes > np.arange(sizes[0])[:, None]).sum(1))
    if batch_first:
        padded = padded.transpose(0, 1)
    back = sequence.unsorted_indices
    if back is None:
        return padded, lengths
    return index_select(padded, 0 if batch_first else 1, back), lengths[back]


def pad_sequence(
    sequences: Any, batch_first: bool = False, padding_value: Any = 0.0, padding_side: str = "right"
) -> Tensor:
    """Sequences (length, ...) stacked, the shorter ones filled up: (T, N, ...) or (N, T, ...)."""
    listed = list(sequences)
    if not listed:
        raise RuntimeError("received an empty list of sequences")
    for at, each in enumerate(listed):
        if not isinstance(each, Tensor):
            raise TypeError(f"expected Tensor as element {at} in argument 0, but got {called(each)}")
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    if isinstance(padding_value, str):
        raise TypeError("pad_sequence(): argument 'padding_value' (position 3) must be float, not str")
    if not listed[0]._array.ndim:
        raise RuntimeError("ArrayRef: invalid slice, N = 1; size = 0")
    for each in listed[1:]:
        if each._array.ndim > listed[0]._array.ndim:
            whole = (each.shape[0], *listed[0].shape[1:])
            wide = list(np.broadcast_shapes(whole, each.shape))
            raise RuntimeError(f"output with shape {list(whole)} doesn't match the broadcast shape {wide}")
        if each._array.ndim == listed[0]._array.ndim and each.shape[1:] != listed[0].shape[1:]:
            raise shape_error(listed[0]._array[:1], each._array[:1])
    longest = max(each.shape[0] for each in listed)
    filled = []
    for each in listed:
        missing = longest - each.shape[0]
        if missing:
            rest = each.new_full((missing, *each.shape[1:]), padding_value)
            each = cat([each, rest] if padding_side == "right" else [rest, each])
        filled.append(each)
    return stack(filled, 0 if batch_first else 1)


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> list[Tensor]:
    """The sequences without their padding."""
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [row[: int(length)] for row, length in zip(rows, lengths._array.tolist(), strict=True)]


def pack_sequence(sequences: Any, enforce_sorted: bool = True) -> PackedSequence:
    """Sequences (length, ...) packed."""
    listed = list(sequences)
    lengths = [each.shape[0] for each in listed]
    return pack_padded_sequence(pad_sequence(listed), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences that were packed."""
    return unpad_sequence(*pad_packed_sequence(packed_sequences))


# -- recurrent layers ------------------------------------------------------------------------------------------------

States = tuple[Tensor, ...]


def walk(
    data: Tensor, sizes: list[int], state: States, step: Callable[[Tensor, States], States], reverse: bool
) -> tuple[Tensor, States]:
    """One layer in one direction over packed `data`: its packed output and the last state of every sequence. `step`
    takes the elements of a step and the states of as many sequences."""
    parts = list(data.split(sizes, 0))
    outputs: list[Tensor] = []
    if reverse:
        first, now = state, tuple(each[: sizes[-1]] for each in state)
        for part, size in zip(reversed(parts), reversed(sizes), strict=True):
            have = now[0].shape[0]
            if size > have:  # sequences that end here begin with their first state
                now = tuple(cat([a, b[have:size]]) for a, b in zip(now, first, strict=True))
            now = step(part, now)
            outputs.append(now[0])
        return cat(outputs[::-1]), now
    now, over = state, list[States]()
    for part, size in zip(parts, sizes, strict=True):
        have = now[0].shape[0]
        if size < have:
            over.append(tuple(each[size:] for each in now))
            now = tuple(each[:size] for each in now)
        now = step(part, now)
        outputs.append(now[0])
    last = tuple(cat(list(parts)) for parts in zip(now, *reversed(over), strict=True))
    return cat(outputs), last


def permuted(states: States, order: Tensor | None) -> States:
    """States (layers, N, H) with the sequences in another order."""
    return states if order is None else tuple(index_select(each, 1, order) for each in states)
