"""What real PyTorch answers: asked live where it is installed, read from recorded answers where it is not.

    from tests.differential import oracle

    def test_repr_of_a_scalar():
        assert ours(engine) == oracle.answer("printing", "scalar", lambda torch: repr(torch.tensor(1.5)))

An answer is anything JSON can hold; `encode` and `decode` carry tensors and arguments. See README.md beside this file.
"""

from __future__ import annotations

import base64
import gzip
import importlib.util
import json
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

RECORDED = Path(__file__).parent / "recorded"
LARGE = 256 * 1024  # characters of a recorded file from which on it is kept compressed
RECORDING = os.environ.get("GRADFLOW_RECORD") == "1"
REQUIRED = os.environ.get("GRADFLOW_REQUIRE_TORCH") == "1"
LIVE = REQUIRED or (importlib.util.find_spec("torch") is not None and os.environ.get("GRADFLOW_ORACLE") != "recorded")

NOT_RECORDED = "recorded/{}.json has no answer for {!r}: run `python -m tests.differential.record`"

quick = False
"""Whether the test that runs is one of `make test`: its answers have to be recorded, for those who have no PyTorch.
Told by conftest.py."""

_files: dict[str, dict[str, Any]] = {}
_asked: dict[str, dict[str, Any]] = {}


def torch() -> Any:
    """The real PyTorch, for tests that cannot be recorded (what hypothesis draws). They carry `@pytest.mark.oracle`:
    without PyTorch they are not collected, and GRADFLOW_REQUIRE_TORCH=1 does not start without it."""
    if not LIVE:
        pytest.fail("a test that needs PyTorch carries @pytest.mark.oracle, which keeps it out where there is none")
    import torch as real

    real.set_num_threads(1)  # several add up in an order that depends on how many there are
    return real


def answer(file: str, key: str, ask: Callable[[Any], Any]) -> Any:
    """What `ask(torch)` answers: live, or what recorded/<file>.json says under `key`."""
    if LIVE:
        given = json.loads(json.dumps(ask(torch()), allow_nan=False))  # what the recorded answer would be
        if RECORDING:
            _asked.setdefault(file, {})[key] = given
        elif quick and key not in recorded(file):
            pytest.fail(NOT_RECORDED.format(file, key))
        return given
    if key not in recorded(file):
        pytest.fail(NOT_RECORDED.format(file, key))
    return recorded(file)[key]


def recorded(file: str) -> dict[str, Any]:
    """All recorded answers of one file, by key."""
    if file not in _files:
        path = RECORDED / f"{file}.json"
        packed = path.with_suffix(".json.gz")
        if packed.exists():
            _files[file] = json.loads(gzip.decompress(packed.read_bytes()))
        else:
            _files[file] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return _files[file]


def write_recorded(all_of_it: bool) -> list[Path]:
    """Write what was asked since the start. Answers that were not asked again are dropped from their file where
    everything was asked (`all_of_it`), and stay otherwise."""
    written = []
    for file, asked in sorted(_asked.items()):
        path = RECORDED / f"{file}.json"
        answers = asked if all_of_it else recorded(file) | asked
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"{json.dumps(key)}: {json.dumps(answers[key], separators=(',', ':'))}" for key in sorted(answers)]
        text = "{\n" + ",\n".join(lines) + "\n}\n"
        packed = path.with_suffix(".json.gz")
        if len(text) > LARGE:
            path.unlink(missing_ok=True)
            if recorded_text(packed) != text:
                packed.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
            written.append(packed)
        else:
            packed.unlink(missing_ok=True)
            path.write_text(text, "utf-8")
            written.append(path)
    return written


def recorded_text(packed: Path) -> str:
    """What a compressed file holds: it is written anew only where that changes (zlib's bytes differ by version)."""
    return gzip.decompress(packed.read_bytes()).decode() if packed.exists() else ""


def error_of(function: Callable[[], Any]) -> list[str]:
    """[type, message] of what `function` raises; fails when it does not."""
    try:
        result = function()
    except Exception as error:
        return [type(error).__name__, str(error)]
    pytest.fail(f"raised nothing, answered {result!r}")


# ------------------------------------------------------------------------------------------- values as JSON


def encode(value: Any) -> Any:
    """A tensor (torch's or ours), dtype, number, string, slice or container of them, as JSON."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": str(value)}
    if isinstance(value, int):
        return int(value)
    if isinstance(value, complex):
        return {"complex": [encode(value.real), encode(value.imag)]}
    if hasattr(value, "requires_grad") and hasattr(value, "detach"):
        brief = str(value.dtype) == "torch.bfloat16"  # which NumPy does not have: packed as float32
        packed = pack((value.detach().float() if brief else value.detach().resolve_conj()).numpy(force=True))
        return {
            "tensor": packed | {"dtype": "bfloat16"} if brief else packed,
            "requires_grad": bool(value.requires_grad),
        }
    if isinstance(value, np.ndarray):
        return {"array": pack(value)}
    if isinstance(value, np.generic):
        return encode(value.item())
    if isinstance(value, slice):
        return {"slice": [encode(value.start), encode(value.stop), encode(value.step)]}
    if value is Ellipsis:
        return {"ellipsis": True}
    if isinstance(value, list):
        return [encode(each) for each in value]
    if isinstance(value, tuple):
        return {"tuple": [encode(each) for each in value]}
    if isinstance(value, dict):
        return {"dict": [[encode(key), encode(each)] for key, each in value.items()]}
    text = str(value)
    if text.startswith("torch."):
        return {"torch": text.removeprefix("torch.")}  # a dtype, a layout, a memory format
    if type(value).__name__ == "device":
        return {"device": text}
    raise TypeError(f"cannot be recorded: {type(value).__name__} {value!r}")


def decode(data: Any, torch: Any) -> Any:
    """What `encode` was given, with tensors and dtypes of `torch` (the real one or `engine`)."""
    if isinstance(data, list):
        return [decode(each, torch) for each in data]
    if not isinstance(data, dict):
        return data
    ((kind, content),) = [item for item in data.items() if item[0] != "requires_grad"]
    match kind:
        case "tensor":
            made = torch.from_numpy(unpack(content))
            if content["dtype"] == "bfloat16":
                made = made.to(torch.bfloat16)
            return made.requires_grad_() if data["requires_grad"] else made
        case "array":
            return unpack(content)
        case "tuple":
            return tuple(decode(each, torch) for each in content)
        case "dict":
            return {decode(key, torch): decode(each, torch) for key, each in content}
        case "slice":
            return slice(*(decode(each, torch) for each in content))
        case "ellipsis":
            return Ellipsis
        case "float":
            return float(content)
        case "complex":
            return complex(*(decode(each, torch) for each in content))
        case "torch":
            return getattr(torch, content)
        case "device":
            return torch.device(content)
    raise TypeError(f"no such kind of value: {kind}")


def pack(array: np.ndarray) -> dict[str, Any]:
    """dtype, shape and bytes, and the strides (in elements) where the array is not contiguous."""
    packed: dict[str, Any] = {"dtype": array.dtype.name, "shape": list(array.shape)}
    if array.flags.c_contiguous or any(stride < 0 for stride in array.strides):
        packed["data"] = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
        return packed
    reach = 1 + sum((n - 1) * stride // array.itemsize for n, stride in zip(array.shape, array.strides, strict=True))
    storage = np.lib.stride_tricks.as_strided(array, (reach,), (array.itemsize,))
    packed["strides"] = [stride // array.itemsize for stride in array.strides]
    packed["data"] = base64.b64encode(storage.tobytes()).decode("ascii")
    return packed


def unpack(packed: dict[str, Any]) -> np.ndarray:
    """A new array from what `pack` made."""
    kind = "float32" if packed["dtype"] == "bfloat16" else packed["dtype"]
    storage = np.frombuffer(bytearray(base64.b64decode(packed["data"])), kind)
    if "strides" not in packed:
        return storage.reshape(packed["shape"])
    strides = [stride * storage.itemsize for stride in packed["strides"]]
    return np.lib.stride_tricks.as_strided(storage, packed["shape"], strides)
