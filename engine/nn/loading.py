"""What a state dict says, put into a module."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from engine.autograd.grad_mode import no_grad
from engine.tensor import Parameter, Tensor


class _Incompatible(tuple[Any, ...]):
    """What load_state_dict() returns: (missing_keys, unexpected_keys)."""

    __slots__ = ()

    def __new__(cls, missing: list[str], unexpected: list[str]) -> _Incompatible:
        return super().__new__(cls, (missing, unexpected))

    @property
    def missing_keys(self) -> Any:
        return self[0]

    @property
    def unexpected_keys(self) -> Any:
        return self[1]

    def __repr__(self) -> str:
        if not self[0] and not self[1]:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self[0]}, unexpected_keys={self[1]})"


def load(module: Any, given: Any, strict: bool, assign: bool) -> _Incompatible:
    """Copy values in by name, or put the tensors themselves there (`assign`): what was missing and unexpected. Raises
    TypeError for what is no dict, and RuntimeError that names what cannot be loaded."""
    if not isinstance(given, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(given)}.")
    own = module.state_dict(keep_vars=True)
    counted = isinstance(given, OrderedDict)  # a dict that somebody wrote has no version: counters may be missing
    missing = [k for k in own if k not in given and (counted or not k.endswith("num_batches_tracked"))]
    unexpected = _unexpected(module, "", [k for k in given if k not in own])
    errors = []
    if strict and missing:
        errors.append("Missing key(s) in state_dict: " + ", ".join(f'"{k}"' for k in missing) + ". ")
    if strict and unexpected:
        errors.append("Unexpected key(s) in state_dict: " + ", ".join(f'"{k}"' for k in unexpected) + ". ")
    with no_grad():
        for name in own:
            reason = _put(module, name, own[name], given[name], assign) if name in given else ""
            if reason:
                errors.append(reason)
    if errors:
        raise RuntimeError(f"Error(s) in loading state_dict for {type(module).__name__}:\n\t" + "\n\t".join(errors))
    return _Incompatible(missing, unexpected)


def _put(module: Any, name: str, before: Tensor, value: Any, assign: bool) -> str:
    """Why `value` cannot be what is called `name`; "" where it is now."""
    if not isinstance(value, Tensor):
        return (
            f'While copying the parameter named "{name}", expected torch.Tensor or Tensor-like object from'
            f" checkpoint but received {type(value)}"
        )
    if before._array.shape != value._array.shape:
        return (
            f"size mismatch for {name}: copying a param with shape {value.shape} from checkpoint,"
            f" the shape in current model is {before.shape}."
        )
    if not assign:
        before.copy_(value)
        return ""
    try:
        if isinstance(value, Parameter):
            value.requires_grad_(before.requires_grad)
        elif isinstance(before, Parameter):
            value = Parameter(value, requires_grad=before.requires_grad)
        place, _, last = name.rpartition(".")
        setattr(module.get_submodule(place), last, value)
    except RuntimeError as error:
        return (
            f'While copying the parameter named "{name}", whose dimensions in the model are {before.shape} and whose'
            f" dimensions in the checkpoint are {value.shape}, an exception occurred : {error.args}."
        )
    return ""


def _unexpected(module: Any, prefix: str, keys: list[str]) -> list[str]:
    """Keys that belong nowhere, each where the module that has no such part is met."""
    parts = [key.removeprefix(prefix).split(".", 1) for key in keys]
    found = [key for key, part in zip(keys, parts, strict=True) if len(part) == 1 or part[0] not in module._modules]
    for name, child in module._modules.items():
        if child is not None:
            below = f"{prefix}{name}."
            found += _unexpected(child, below, [key for key in keys if key.startswith(below)])
    return found
