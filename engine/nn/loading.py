"""What a state dict says, put into a module."""

from __future__ import annotations

import collections
from collections import namedtuple
from collections.abc import Iterator, Mapping
from typing import Any

from engine.autograd.grad_mode import no_grad
from engine.autograd.graph import RemovableHandle
from engine.chains import OrderedDict
from engine.tensor import Parameter, Tensor

EXTRA = "_extra_state"  # the key of what get_extra_state() gives
PREFIX = 10_000  # characters: it is written once more for each of the keys


class _IncompatibleKeys(namedtuple("IncompatibleKeys", "missing_keys unexpected_keys")):
    """What load_state_dict() returns."""

    __slots__ = ()
    __module__ = "torch.nn.modules.module"

    def __repr__(self) -> str:
        return super().__repr__() if self[0] or self[1] else "<All keys matched successfully>"

    __str__ = __repr__


def load(module: Any, given: Any, strict: bool, assign: bool) -> _IncompatibleKeys:
    """Copy values in by name, or put the tensors themselves there (`assign`): what was missing and unexpected. Raises
    TypeError for what is no dict, and RuntimeError that names what cannot be loaded."""
    if not isinstance(given, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(given)}.")
    about: dict[str, Any] = {"version": 1} if isinstance(given, collections.OrderedDict) else {}
    if assign:
        about["assign_to_params_buffers"] = True
    missing: list[str] = []
    unexpected: list[str] = []
    errors: list[str] = []
    _enter(module, OrderedDict(given), "", about, (missing, unexpected, errors))
    if strict and unexpected:
        errors.insert(0, "Unexpected key(s) in state_dict: " + ", ".join(f'"{k}"' for k in unexpected) + ". ")
    if strict and missing:
        errors.insert(0, "Missing key(s) in state_dict: " + ", ".join(f'"{k}"' for k in missing) + ". ")
    if errors:
        raise RuntimeError(f"Error(s) in loading state_dict for {type(module).__name__}:\n\t" + "\n\t".join(errors))
    return _IncompatibleKeys(missing, unexpected)


def _enter(module: Any, state: Any, prefix: str, about: dict[str, Any], found: tuple[list[str], ...]) -> None:
    """Let a module load what is its own, which it may do in a way of its own, and then each of its children."""
    module._load_from_state_dict(state, prefix, dict(about), True, *found)
    below: dict[str, dict[str, Any]] = {}
    for key, value in state.items():
        name, dot, _ = key[len(prefix) :].partition(".")
        if dot and key.startswith(prefix):
            below.setdefault(name, {})[key] = value
    for name, child in module._modules.items():
        if child is not None:
            _enter(child, below.get(name, {}), f"{prefix}{name}.", about, found)
    for answer in told(module, "after loading", _IncompatibleKeys(*found[:2])):
        if answer is not None:
            raise AssertionError(
                "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new values, if"
                " incompatible_keys need to be modified, it should be done inplace."
            )


def load_own(
    module: Any,
    state: Any,
    prefix: str,
    about: dict[str, Any],
    strict: bool,
    missing: list[str],
    unexpected: list[str],
    errors: list[str],
) -> None:
    """What Module._load_from_state_dict() does: load what is the module's own and not its children's."""
    _check(state, prefix)
    told(module, "before loading", state, prefix, about, strict, missing, unexpected, errors)
    own = dict(kept(module))
    assign = about.get("assign_to_params_buffers", False)
    with no_grad():
        for name, before in own.items():
            key = prefix + name
            if key in state:
                reason = _put(module, name, key, before, state[key], assign)
                if reason:
                    errors.append(reason)
            elif strict and (name != "num_batches_tracked" or _counted(state, prefix, about)):
                missing.append(key)
    extra = prefix + EXTRA
    if type(module).set_extra_state is not set_extra_state:
        if extra in state:
            module.set_extra_state(state[extra])
        elif strict:
            missing.append(extra)
        own[EXTRA] = None
    for key in state if strict else ():
        if key.startswith(prefix):
            name, dot, _ = key[len(prefix) :].partition(".")
            if name not in (module._modules if dot else own):
                unexpected.append(key)


def _counted(state: Any, prefix: str, about: dict[str, Any]) -> bool:
    """Whether what wrote a state dict counted batches: BatchNorm once did not. A dict that somebody wrote has no
    version; one of a model that had no BatchNorm here has none for it."""
    return "version" in about and f"{prefix}running_mean" in state


def save_own(module: Any, state: Any, prefix: str, keep_vars: bool) -> None:
    """What Module._save_to_state_dict() does: write down what is the module's own and not its children's."""
    _check(state, prefix)
    for name, value in kept(module):
        state[prefix + name] = value if keep_vars else value.detach()
    if type(module).get_extra_state is not get_extra_state:
        state[prefix + EXTRA] = module.get_extra_state()


def kept(module: Any) -> Iterator[tuple[str, Any]]:
    """The parameters and buffers of a module that are saved, and not those of its children."""
    for name, value in (*module._parameters.items(), *module._buffers.items()):
        if value is not None and name not in module._non_persistent:
            yield name, value


# -- hooks on both -------------------------------------------------------------------------------------------------


class WithoutModule:
    """A hook that is not told whose state it is."""

    def __init__(self, hook: Any) -> None:
        self.hook = hook


def _keep(module: Any, place: str, hook: Any) -> RemovableHandle:
    if module._saving_hooks is None:
        object.__setattr__(module, "_saving_hooks", {})
    return RemovableHandle(module._saving_hooks.setdefault(place, []), hook)


def told(module: Any, place: str, *about: Any) -> list[Any]:
    """Run a module's hooks of a place; what they return."""
    hooks = list(module._saving_hooks.get(place, ())) if module._saving_hooks else ()
    return [each.hook(*about) if isinstance(each, WithoutModule) else each(module, *about) for each in hooks]


def saved(module: Any, state: Any, prefix: str) -> Any:
    """What state_dict() gives after its hooks. Raises RuntimeError for what a hook returns that may change nothing."""
    for each in list(module._saving_hooks.get("after saving", ())) if module._saving_hooks else ():
        about = {"version": 2 if "num_batches_tracked" in module._buffers else 1}
        if isinstance(each, WithoutModule):
            answer = each.hook(module, state, prefix, about)
            state = state if answer is None else answer
        elif each(module, state, prefix, about) is not None:
            raise RuntimeError("state_dict post-hook must return None")
    return state


def register_before_saving(self: Any, hook: Any) -> RemovableHandle:
    """`hook(module, prefix, keep_vars)` runs before state_dict()."""
    return _keep(self, "before saving", hook)


def register_after_saving(self: Any, hook: Any) -> RemovableHandle:
    """`hook(module, state_dict, prefix, local_metadata)` runs after state_dict(); it may change the dict in place."""
    return _keep(self, "after saving", hook)


def register_changing(self: Any, hook: Any) -> RemovableHandle:
    """A hook after state_dict(); what it returns, if not None, is given instead."""
    return _keep(self, "after saving", WithoutModule(hook))


def register_before_loading(self: Any, hook: Any) -> RemovableHandle:
    """`hook(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)` runs before
    a module loads what is its own; it may change the dict in place."""
    return _keep(self, "before loading", hook)


def register_without_module(self: Any, hook: Any, with_module: bool = False) -> RemovableHandle:
    """The same, and the hook is told the module only if `with_module`."""
    return _keep(self, "before loading", hook if with_module else WithoutModule(hook))


def register_after_loading(self: Any, hook: Any) -> RemovableHandle:
    """`hook(module, incompatible_keys)` runs after load_state_dict(); it may change the two lists in place."""
    return _keep(self, "after loading", hook)


def _check(state: Any, prefix: Any) -> None:
    """Raise TypeError and ValueError for what a script may hand on that is no state dict, or no name in one."""
    if not isinstance(state, dict) or not isinstance(prefix, str):
        raise TypeError(f"Expected a state dict and a prefix, got {type(state)} and {type(prefix)}.")
    if len(prefix) > PREFIX:
        raise ValueError(f"The prefix of a state dict's keys may be {PREFIX} characters long here")


def get_extra_state(module: Any) -> Any:
    """What a class saves besides its tensors, where it writes this method."""
    raise RuntimeError("nn.Module has no extra state: write get_extra_state() in the class that saves one")


def set_extra_state(module: Any, state: Any) -> None:
    """Take back what get_extra_state() gave, where a class writes this method."""
    raise RuntimeError("nn.Module has no extra state: write set_extra_state() in the class that loads one")


def _put(module: Any, name: str, key: str, before: Tensor, value: Any, assign: bool) -> str:
    """Why `value` cannot be the module's `name`; "" where it is now."""
    if not isinstance(value, Tensor):
        return (
            f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from'
            f" checkpoint but received {type(value)}"
        )
    if before._array.shape != value._array.shape:
        return (
            f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint,"
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
        setattr(module, name, value)
    except RuntimeError as error:
        return (
            f'While copying the parameter named "{key}", whose dimensions in the model are {before.shape} and whose'
            f" dimensions in the checkpoint are {value.shape}, an exception occurred : {error.args}."
        )
    return ""
