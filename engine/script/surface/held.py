"""What a module's `__dict__` shows: the dicts that every module of PyTorch holds, and the script's own names."""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any

from engine.chains import OrderedDict
from engine.script.classes.making import InstanceDict
from engine.script.frames import ScriptFunction
from engine.script.values.attributes import is_script_class
from engine.script.values.registered import Registered, registered


def hooks(kind: str) -> Callable[[Any], dict[int, Any]]:
    """Module._forward_hooks and the like, to look at: those that are of the script."""

    def read(self: Any) -> dict[int, Any]:
        held = [getattr(each, "hook", each) for each in vars(self)[kind]]
        own = [each for each in held if type(each) in (ScriptFunction, MethodType) or is_script_class(type(each))]
        return OrderedDict(enumerate(own))

    return read


HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks")


class ModuleDict(InstanceDict):
    """`__dict__` of a module, as PyTorch's has it: what every module holds comes first, and is only to be looked at."""

    FIRST = (
        "training", "_parameters", "_buffers", "_non_persistent_buffers_set", "_backward_pre_hooks", "_backward_hooks",
        "_is_full_backward_hook", "_forward_hooks", "_forward_hooks_with_kwargs", "_forward_hooks_always_called",
        "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs", "_state_dict_hooks", "_state_dict_pre_hooks",
        "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks", "_modules",
    )  # fmt: skip

    def __init__(self, owner: Any, hidden: frozenset[str]) -> None:
        super().__init__(owner, hidden)
        held, own = vars(owner), dict(self)
        dict.clear(self)
        if "_modules" not in held:  # Module.__init__() has not been called
            first: dict[str, Any] = {}
        else:
            first = {name: OrderedDict() for name in self.FIRST}
            first |= {"training": owner.training, "_non_persistent_buffers_set": {*held["_non_persistent"]}}
            first |= {name: registered(name)(owner) for name in ("_parameters", "_buffers", "_modules")}
            first |= {name: hooks(name)(owner) for name in HOOKS}
            first["_is_full_backward_hook"] = owner._full_backward_hooks if held["_backward_hooks"] else None
        dict.update(self, first, **own)

    def own(self) -> dict[str, Any]:
        """What is the module's own."""
        return {name: value for name, value in self.items() if name not in self.FIRST}

    def __setitem__(self, name: str, value: Any) -> None:
        if name in self.FIRST and name != "training" and name in self and _alike(self[name], value):
            return  # a state that is set again has it; it was copied with the module
        super().__setitem__(name, value)

    def __delitem__(self, name: str) -> None:
        if name in self.FIRST:
            raise KeyError(name)
        super().__delitem__(name)


def _alike(held: Any, given: Any) -> bool:
    """Whether what a module is given is what it holds: the same names, and under them the same tensors and modules."""
    if not isinstance(held, dict) or not isinstance(given, dict):
        return type(held) is type(given) and bool(held == given)
    if not isinstance(held, Registered):  # hooks
        return len(held) == len(given)
    return list(held) == list(given) and all(held[name] is given[name] for name in held)
