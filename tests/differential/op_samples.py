"""Sample inputs of operations from PyTorch's own database, and what an operation makes of them.

The same code runs an operation in PyTorch and in the engine: `outcome(torch, function, sample)`. A sample is JSON, as
`oracle.encode` makes it, so that it can be recorded.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from tests.differential import oracle

Sample = dict[str, Any]
Function = Callable[..., Any]

DTYPES = ["float32", "float64"]

# What stays out of the engine, as it is spelled in a recorded sample.
OUTSIDE = ["bfloat16", "sparse", "channels_last", "chalf", "uint16", "uint32", "uint64"]


@functools.cache
def database() -> dict[str, Any]:
    """Every entry of op_db by "name" or "name.variant"."""
    oracle.torch()
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torch.testing._internal.common_methods_invocations import op_db

    return {op.name + (f".{op.variant_test_name}" if op.variant_test_name else ""): op for op in op_db}


def samples(key: str, dtype: str) -> Iterator[Sample]:
    """All samples of an entry for one dtype that lie inside the engine's subset."""
    torch, op = oracle.torch(), database()[key]
    kind = getattr(torch, dtype)
    if kind not in op.supported_dtypes("cpu"):
        return
    needs_grad = op.supports_autograd and kind in op.supported_backward_dtypes("cpu")

    def given() -> list[Any]:
        torch.manual_seed(0)
        return list(op.sample_inputs("cpu", kind, requires_grad=needs_grad))

    # PyTorch reads the whole stack for every sample and every seed. In a thread it is short; pytest's has a hundred
    # frames, and reading them takes ten times as long as all the rest.
    with ThreadPoolExecutor(1) as thread:
        made = thread.submit(given).result()
    for sample in made:
        encoded = _encoded(sample, dtype)
        if encoded is not None:
            yield encoded


def _encoded(sample: Any, dtype: str = "") -> Sample | None:
    """A sample of op_db as JSON; None where it holds what no script can write down, or what stays outside."""
    try:
        encoded = {
            "input": oracle.encode(sample.input),
            "args": oracle.encode(tuple(sample.args)),
            "kwargs": oracle.encode(dict(sample.kwargs)),
        }
    except (TypeError, ValueError):
        return None
    return None if any(f'"{word}' in json.dumps(encoded) for word in OUTSIDE if word != dtype) else encoded


def wrong_samples(key: str) -> list[Sample]:
    """The samples of an entry that PyTorch is meant to refuse."""
    op = database()[key]
    if op.error_inputs_func is None:
        return []
    encoded = [_encoded(wrong.sample_input) for wrong in op.error_inputs("cpu")]
    return [each for each in encoded if each is not None]


def outcome(torch: Any, function: Function, sample: Sample, order: int = 1) -> dict[str, Any]:
    """What `function` gives for a sample: the outputs, and the gradients of a fixed random combination of them with
    respect to every tensor that requires grad. `order` 2 differentiates those once more. Or the error."""
    torch.default_generator.manual_seed(42)  # what op_db's own wrappers of random operations use
    try:
        given, args, kwargs = (oracle.decode(sample[part], torch) for part in ("input", "args", "kwargs"))
        leaves = [each for each in tensors_in((given, args, kwargs)) if each.requires_grad]
        outputs = tensors_in(function(given, *args, **kwargs), scalars=torch)
    except Exception as error:
        return {"error": [type(error).__name__, str(error).partition(", but expected one of:")[0]]}
    found = {"outputs": [oracle.encode(each) for each in outputs]}
    towards = [each for each in outputs if each.requires_grad]
    if not leaves or not towards or order == 0:
        return found
    weights = np.random.RandomState(1)
    directions = [_direction(torch, each, weights) for each in towards]
    try:
        gradients = torch.autograd.grad(towards, leaves, directions, allow_unused=True, create_graph=order > 1)
        found["gradients"] = [oracle.encode(each) for each in gradients]
        again = [each for each in gradients if each is not None and each.requires_grad]
        if order > 1 and again:
            directions = [_direction(torch, each, weights) for each in again]
            gradients = torch.autograd.grad(again, leaves, directions, allow_unused=True)
            found["second"] = [oracle.encode(each) for each in gradients]
    except Exception as error:
        found["backward error"] = [type(error).__name__, str(error)]
    return found


def _direction(torch: Any, like: Any, weights: np.random.RandomState) -> Any:
    shape = tuple(like.shape)
    found = np.asarray(weights.uniform(0.5, 1.5, shape)).reshape(shape)
    if like.is_complex():
        found = np.asarray(found + 1j * weights.uniform(0.5, 1.5, shape)).reshape(shape)
    return torch.from_numpy(found).to(like.dtype)


def tensors_in(value: Any, scalars: Any = None) -> list[Any]:
    """The tensors inside nested containers, in order. With `scalars` (a torch) plain numbers count as tensors."""
    if hasattr(value, "requires_grad"):
        return [value]
    if isinstance(value, (list, tuple)):
        return [each for part in value for each in tensors_in(part, scalars)]
    if isinstance(value, dict):
        return [each for part in value.values() for each in tensors_in(part, scalars)]
    if scalars is not None and isinstance(value, (bool, int, float, complex)):
        wide = (
            scalars.float64 if isinstance(value, float) else scalars.complex128 if isinstance(value, complex) else None
        )
        return [scalars.tensor(value, dtype=wide)]
    return []


def text(sample: Sample) -> str:
    """A sample for a person: shapes in place of tensors."""

    def short(data: Any) -> Any:
        if isinstance(data, list):
            return [short(each) for each in data]
        if not isinstance(data, dict):
            return data
        if "tensor" in data:
            packed = data["tensor"]
            values = f" {oracle.unpack(packed).tolist()}" if math.prod(packed["shape"]) < 9 else ""
            strides = f" strides {packed['strides']}" if "strides" in packed else ""
            return f"<{packed['dtype']} {packed['shape']}{strides}{values}>"
        if "dict" in data:
            return {str(short(key)): short(each) for key, each in data["dict"]}
        if "tuple" in data:
            return tuple(short(each) for each in data["tuple"])
        return data

    return f"({short(sample['input'])}, *{short(sample['args'])}, **{short(sample['kwargs'])})"


def size_of(sample: Sample) -> int:
    """Characters that a sample takes."""
    return len(json.dumps(sample))


def dtypes_of(key: str) -> list[str]:
    """The dtypes in which an entry is tried: floating ones, or int64 where it has no floating point samples."""
    torch, op = oracle.torch(), database()[key]
    known = op.supported_dtypes("cpu")
    return [each for each in DTYPES if getattr(torch, each) in known] or ["int64"]


def selection(key: str, count: int) -> list[Sample]:
    """A few small samples of every dtype, spread over all that there are; where all are large, the smallest."""
    chosen = []
    for dtype, share in zip(dtypes_of(key), (count, max(1, count // 3)), strict=False):
        given = list(samples(key, dtype))
        small = [each for each in given if size_of(each) < 1200] or sorted(given, key=size_of)[:1]
        step = max(1, len(small) / share)
        chosen += [small[int(i * step)] for i in range(min(share, len(small)))]
    return chosen


# --------------------------------------------------------------------------------------------------- comparing


def differences(ours: dict[str, Any], theirs: dict[str, Any], tolerance: float) -> list[str]:
    """In words, where an outcome of the engine is not PyTorch's. Numbers agree within `tolerance` units of the dtype's
    precision, relative to the largest of their tensor."""
    if "error" in theirs or "error" in ours:
        if ours.get("error") == theirs.get("error"):
            return []
        return [f"error {ours.get('error')}, PyTorch: {theirs.get('error')}"]
    found = []
    if "backward error" in theirs or "backward error" in ours:
        if ours.get("backward error") != theirs.get("backward error"):
            found.append(f"backward error {ours.get('backward error')}, PyTorch: {theirs.get('backward error')}")
        return found
    for part in ("outputs", "gradients", "second"):
        mine, real = ours.get(part), theirs.get(part)
        if part == "second" and _all_zero(mine) and _all_zero(real):
            continue  # what does not depend on its input and what has a derivative of 0 come to the same
        if (mine is None) != (real is None) or (mine is not None and real is not None and len(mine) != len(real)):
            found.append(f"{part}: {_brief(mine)}, PyTorch: {_brief(real)}")
            continue
        for number, (a, b) in enumerate(zip(mine or [], real or [], strict=True)):
            if part == "second" and _all_zero([a]) and _all_zero([b]):
                continue
            reason = _difference(a, b, tolerance, part == "outputs")
            if reason:
                found.append(f"{part}[{number}]: {reason}")
    return found


def _brief(part: list[Any] | None) -> str:
    if part is None:
        return "none"
    return f"{len(part)} " + ", ".join("None" if each is None else str(each["tensor"]["shape"]) for each in part[:4])


def _all_zero(part: list[Any] | None) -> bool:
    return all(each is None or not oracle.unpack(each["tensor"]).any() for each in part or [])


def _difference(a: Any, b: Any, tolerance: float, flags: bool) -> str:
    if a is None or b is None:
        if a is None and b is None:
            return ""
        other = oracle.unpack((a or b)["tensor"])
        who = "ours" if a is None else "PyTorch's"
        return f"{who} is None, the other is {other.tolist()}"
    if flags and a["requires_grad"] != b["requires_grad"]:
        return f"requires_grad is {a['requires_grad']}"
    x, y = oracle.unpack(a["tensor"]), oracle.unpack(b["tensor"])
    mine, real = a["tensor"]["dtype"], b["tensor"]["dtype"]
    if mine != real:
        return f"dtype {mine}, PyTorch: {real}"
    if x.shape != y.shape:
        return f"shape {x.shape}, PyTorch: {y.shape}"
    if close(x, y, tolerance):
        return ""
    return f"{x.tolist()}, PyTorch: {y.tolist()}"[:1500]


def close(x: np.ndarray, y: np.ndarray, tolerance: float) -> bool:
    """Equal (nan equals nan), or, for floats, within `tolerance` units in the last place of the largest number."""
    if x.dtype.kind == "c":
        return close(np.stack((x.real, x.imag)), np.stack((y.real, y.imag)), tolerance)
    if x.dtype.kind != "f":
        return np.array_equal(x, y)
    same = (x == y) | (np.isnan(x) & np.isnan(y))
    finite = np.isfinite(x) & np.isfinite(y)
    if not finite.any():
        return bool(same.all())
    unit = float(np.finfo(x.dtype).eps) * tolerance
    scale = max(1.0, float(np.abs(y[finite]).max()))
    with np.errstate(invalid="ignore", over="ignore"):
        near = finite & (np.abs(x.astype(np.float64) - y.astype(np.float64)) <= unit * scale)
    return bool((same | near).all())
