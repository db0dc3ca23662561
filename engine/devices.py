"""Where a tensor lives: `device`, which PyTorch writes in C."""

from __future__ import annotations

import re
from typing import Any

from engine import messages


class InC(type):
    """The class of classes that PyTorch writes in C: Python's own messages call them "torch.Size", their name is
    "Size"."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        return super().__new__(cls, f"torch.{name}", bases, body)

    @property
    def __name__(cls) -> str:  # type: ignore[override]
        return cls.__qualname__

    def __repr__(cls) -> str:
        return f"<class 'torch.{cls.__qualname__}'>"


_DEVICE_TYPES = (
    "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, mps, "
    "meta, hpu, mtia, privateuseone"
)


class device(metaclass=InC):
    """Where a tensor lives. Any device can be named; only the cpu can be used (`require_cpu`)."""

    __slots__ = ("index", "type")

    type: str
    index: int | None

    def __init__(self, type: Any = ..., index: int | None = None, **named: Any) -> None:
        if named and ([*named] != ["device"] or type is not ... or index is not None):
            raise TypeError(f"device() got an unexpected keyword argument '{next(iter(named))}'")
        type = named.get("device", type)
        if isinstance(type, device):
            self.type, self.index = type.type, type.index
            return
        if isinstance(type, int):
            raise RuntimeError("Cannot access accelerator device when none is available.")
        if not isinstance(type, str):
            raise TypeError(messages.no_device("" if type is ... else type.__class__.__name__))
        if index is not None and not isinstance(index, int):
            raise TypeError(f"device(): argument 'index' (position 2) must be int, not {index.__class__.__name__}")
        kind, colon, number = type.partition(":")
        if not type:
            raise RuntimeError("Device string must not be empty")
        if not re.fullmatch(r"[a-zA-Z_]+", kind):
            raise RuntimeError(f"Invalid device string: '{type}'")
        if kind not in _DEVICE_TYPES.split(", "):
            raise RuntimeError(f"Expected one of {_DEVICE_TYPES} device type at start of device string: {kind}")
        if colon:
            if not (number.isdecimal() and number.isascii()) or (len(number) > 1 and number[0] == "0"):
                raise RuntimeError(f"Invalid device string: '{type}'")
            if index is not None:
                raise RuntimeError(
                    f"type (string) must not include an index because index was passed explicitly: {type}"
                )
            index = int(number)
        self.type, self.index = kind, index

    def __repr__(self) -> str:
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{index})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))


CPU = device("cpu")


def require_cpu(wanted: device | str | int | None) -> device:
    """The cpu, if that is what `wanted` names (None does). Raises what a build of PyTorch for the cpu raises."""
    if wanted is None:
        return CPU
    given = wanted if isinstance(wanted, device) else device(wanted)
    if given.type == "cpu":
        return CPU
    if given.type in ("cuda", "xpu"):
        raise AssertionError(f"Torch not compiled with {given.type.upper()} enabled")
    raise RuntimeError(f"PyTorch is not linked with support for {given.type} devices")
