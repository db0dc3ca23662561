"""Optimizer: param groups, state, and the walk over parameters that step() is.

A subclass defines `update(parameter, gradient, state, group)`: the arithmetic for one parameter, on arrays. `state` is
the dict that PyTorch keeps per parameter, empty before the first step; the keys and kinds of values are PyTorch's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from types import FunctionType
from typing import Any

from engine import observe
from engine.autograd import grad_mode, graph
from engine.autograd.graph import RemovableHandle
from engine.brief import Brief, computing
from engine.chains import OrderedDict, defaultdict
from engine.nn.module import clear_grads
from engine.ops.dispatch import shape_error
from engine.ops.inplace import OVERLAPS, repeats
from engine.ops.tablerows import RowGradient
from engine.optim import as_real
from engine.optim.shared import counter
from engine.tensor import Tensor
from engine.warn import warn


class _RequiredParameter:
    """The type of `required`."""

    def __repr__(self) -> str:
        return "<required parameter>"


required: Any = _RequiredParameter()
"""The default of a setting that has none: each group gives it a value. Older optimizers have their `lr` so."""

_PLACES = {"SparseAdam": "torch.optim.sparse_adam", "Adafactor": "torch.optim", "Muon": "torch.optim"}


class Optimizer:
    """Base of all optimizers. `params` is an iterable of Tensors, of (name, Tensor) pairs or of dicts (groups)."""

    _expanded = False  # whether elements of a parameter share memory, which cannot be moved apart
    _opt_called: bool | None = None  # whether step() was called since a scheduler was made; None: there is none
    _saving_hooks: dict[str, list[Any]] | None = None  # by what they stand before or after; most have none

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.__module__.startswith("engine.optim."):
            cls.__module__ = _PLACES.get(cls.__name__, f"torch.optim.{cls.__name__.lower()}")  # where PyTorch keeps it
            if "step" not in vars(cls):  # which each has there, and Python's messages name it so
                cls.step = _named(Optimizer.step, f"{cls.__name__}.step")  # type: ignore[method-assign]

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got"
                f" {params.type()}"
            )
        if not hasattr(defaults, "get"):
            raise AttributeError(f"'{type(defaults).__name__}' object has no attribute 'get'")
        self.defaults = defaults
        self.state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        self._pre_hooks: list[Any] = []
        self._post_hooks: list[Any] = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group: {"params": ..., and the settings that differ from the defaults}."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        group = param_group
        given = group["params"]
        if isinstance(given, Tensor):
            given = [given]
        elif isinstance(given, set) or type(given).__name__ == "set":  # scripts bring a set of their own
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering of tensors"
                " in sets will change between runs. Please use a list instead."
            )
        listed = list(given)
        if any(isinstance(p, tuple) for p in listed):
            if not all(isinstance(p, tuple) for p in listed):
                raise ValueError("all optimizer params should be with/without names. Some param names are missing")
            group["param_names"] = [name for name, _ in listed]
            listed = [p for _, p in listed]
        group["params"] = listed
        for p in listed:
            if not isinstance(p, Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {_type_word(p)}")
            if not (p.is_leaf or p.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in group:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
            group.setdefault(name, default)
        if len(set(listed)) != len(listed):
            warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error;"
                " see github.com/pytorch/pytorch/issues/40967 for more information"
            )
        named = "param_names" in group
        if any(("param_names" in other) != named for other in self.param_groups):
            raise ValueError(
                "all optimizer param groups should be with/without names. cannot add param group"
                f" {'with' if named else 'without'} names to the optimizer"
            )
        before = {p for g in self.param_groups for p in g["params"]}
        if not before.isdisjoint(listed):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(group)
        self._expanded = self._expanded or any(repeats(p._array) for p in listed)
        if any(p._array.dtype.kind == "c" for p in listed):
            self._turned = True

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the `.grad` of every parameter in the groups; the optimizer's state stays."""
        if "param_groups" not in vars(self):  # a class of the script's that does not call __init__()
            self.defaults  # noqa: B018 - which is what PyTorch looks at first
        for group in self.param_groups:
            clear_grads(group["params"], set_to_none)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update every parameter whose `.grad` is not None. `closure` computes the loss again, where it is needed."""
        if type(self).update is Optimizer.update and type(self)._walk is Optimizer._walk:
            raise NotImplementedError
        given: tuple[Any, ...] = (self,) if closure is None else (self, closure)
        named: dict[str, Any] = {}
        if self._opt_called is False:
            self._opt_called = True
        if self._pre_hooks:
            given, named = self._before_step(given)
            closure = named["closure"] if "closure" in named else given[1] if len(given) > 1 else None
        loss = None
        if closure is not None:
            with grad_mode.enable_grad():
                loss = closure()
        if self._expanded and any(
            p._grad is not None and repeats(p._array) for group in self.param_groups for p in group["params"]
        ):
            raise RuntimeError(OVERLAPS)
        mode = grad_mode.enabled
        grad_mode.enabled = False
        try:
            self._walk()
        finally:
            grad_mode.enabled = mode
        if self._post_hooks:
            for hook in list(self._post_hooks):
                hook(self, given, named)
        return loss

    def _before_step(self, given: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Call the hooks before step(); the arguments that they leave. Raises RuntimeError for what is no such pair."""
        named: dict[str, Any] = {}
        for hook in list(self._pre_hooks):
            told = hook(self, given, named)
            if told is None:
                continue
            if not (isinstance(told, tuple) and len(told) == 2):
                raise RuntimeError(
                    f"{type(self).step} must return None or a tuple of (new_args, new_kwargs), but got {told}."
                )
            given, named = told
        return given, named

    def _walk(self) -> None:
        watcher = observe.active
        if graph.unusual and any(p._array.__class__ is Brief for group in self.param_groups for p in group["params"]):
            for group in self.param_groups:
                with computing():
                    self._step_of(group, watcher)
            return
        if graph.unusual and self._has_rows():
            for group in self.param_groups:
                self._step_of(group, watcher)
            return
        if watcher is None and self._moved_in_bunches():
            return
        for group in self.param_groups:
            if group.get("differentiable") and any(
                p.is_leaf and p._needs for p in group["params"] if p._grad is not None
            ):
                if group.get("foreach") and self._counts:
                    raise AssertionError("_foreach ops don't support autograd")
                raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
            if group.get("capturable") and any(p._grad is not None for p in group["params"]):
                raise AssertionError(self._for_other_devices(group))
            try:
                if watcher is not None or self._turned or group.get("fused") or not self.plain_step(group):
                    self._step_of(group, watcher)
            except ValueError as error:  # NumPy's, of a gradient in another shape than its parameter has by now
                for p in group["params"]:
                    if p._grad is not None and p._grad._array.shape != p._array.shape:
                        raise shape_error(p._array, p._grad._array) from error
                    for name, kept in self.state.get(p, {}).items():  # or of a state that was another parameter's
                        if isinstance(kept, Tensor) and name != "step" and kept._array.shape != p._array.shape:
                            raise shape_error(kept._array, p._array) from error
                raise

    _takes_rows = False  # whether gradients may be those of some rows of tables

    def _has_rows(self) -> bool:
        """Whether a gradient is that of some rows of a table. Raises RuntimeError where that cannot be taken."""
        found = any(p._grad.__class__ is RowGradient for group in self.param_groups for p in group["params"])
        if found and not self._takes_rows:
            name = next(
                kind for kind in type(self).__mro__ if kind.__module__.startswith(("engine.", "torch."))
            ).__name__
            instead = ", please consider SparseAdam instead" if name in ("Adam", "AdamW") else ""
            name = "Adam" if name == "AdamW" else name
            raise RuntimeError(f"{name} does not support sparse gradients{instead}")
        return found

    _turned = False  # whether a parameter is complex
    _bunches: Any = None  # see bunches.py
    _preparations = 4  # how often small parameters may be brought together, when something has taken them apart

    @classmethod
    def is_by_element(cls) -> bool:
        """Whether `update` is one of the engine's own that does to each element what its shape does not matter to."""
        return "_by_element" in vars(cls)

    def _moved_in_bunches(self) -> bool:
        """A step in which a few calls move all small parameters; False, with nothing done, where it is to be taken
        parameter by parameter, as the first one is."""
        bunches = self._bunches
        if bunches is None:
            if self._turned or not self._preparations or not self.state or not self.is_by_element():
                return False
            from engine.optim.bunches import ByBunches

            self._preparations -= 1
            gradients = {p: [p, p._grad] for group in self.param_groups for p in group["params"] if p._grad is not None}
            bunches = ByBunches(self, gradients)
            if not bunches.fits or not bunches.saves_calls:
                return False
            self._bunches = bunches
        if bunches.renewed() and bunches.step():
            bunches.forget()
            return True
        self._bunches = None
        return False

    def __getstate__(self) -> dict[str, Any]:
        """What copies and pickles keep; how small parameters lie side by side is found again."""
        return {name: value for name, value in vars(self).items() if name not in ("_bunches", "_preparations")}

    _later = ""
    """The settings that older states lack, in the order in which a loaded one gets them."""
    _counts = False  # whether there is a count of steps in the state of each parameter
    _kept_there = "params and state_steps"  # what `capturable` wants on another device

    def _for_other_devices(self, group: dict[str, Any]) -> str:
        """What PyTorch says of `capturable=True` on the CPU."""
        devices = ["cuda", "xpu", "hpu", "privateuseone"]
        if not (group.get("foreach") or type(self).__name__ == "Adadelta"):
            devices.append("xla")
        return f"If capturable=True, {self._kept_there} must be on supported devices: {devices}."

    def _step_of(self, group: dict[str, Any], watcher: Any) -> None:
        for p in group["params"]:
            grad = p._grad
            if grad is None:
                if watcher is not None:
                    watcher.skipped(self, p)
                continue
            if watcher is not None:
                watcher.will_update(self, p, group)
            state = self.state.get(p)
            if state is None:
                state = {}
            if grad.__class__ is RowGradient:
                changes = self.update_rows(p._array, grad, state, group)
            else:
                update = partial(as_real.update, self) if p._array.dtype.kind == "c" else self.update
                changes = update(p._array, -grad._array if group.get("maximize") else grad._array, state, group)
            if state:  # plain SGD keeps none
                self.state[p] = state
            counter = p._counter
            if group.get("fused"):  # PyTorch's fused kernels do not count
                changes = 0
            if counter is None:
                counter = p._share_counter()
            counter[0] += changes
            if watcher is not None:
                watcher.updated(self, p, group)

    def plain_step(self, group: dict[str, Any]) -> bool:
        """Do for a group what `update` would do for each of its parameters, where its settings and its state are the
        commonest; False, with nothing done, where they are not. Nobody watches."""
        return False

    def update(self, parameter: Any, gradient: Any, state: dict[str, Any], group: dict[str, Any]) -> int:
        """Change `parameter` (an array) in place; keep in `state` what the next step needs. Returns by how much the
        parameter's version advances: PyTorch's in-place operations on it."""
        raise NotImplementedError

    def update_rows(self, parameter: Any, gradient: RowGradient, state: dict[str, Any], group: dict[str, Any]) -> int:
        """As `update`, with the gradient of some rows of a table: here, with the dense one."""
        return self.update(parameter, -gradient._array if group.get("maximize") else gradient._array, state, group)

    def _cuda_graph_capture_health_check(self) -> None:
        """Nothing: copies of PyTorch's own optimizers call it first, and there are no graphs of a GPU here."""

    def register_step_pre_hook(self, hook: Any) -> Any:
        """`hook(optimizer, args, kwargs)` runs before each step()."""
        return RemovableHandle(self._pre_hooks, hook)

    def register_step_post_hook(self, hook: Any) -> Any:
        """`hook(optimizer, args, kwargs)` runs after each step()."""
        return RemovableHandle(self._post_hooks, hook)

    # -- saving and restoring ------------------------------------------------------------------------------------

    def register_state_dict_pre_hook(self, hook: Any, prepend: bool = False) -> Any:
        """`hook(optimizer)` runs before state_dict()."""
        return self._saving_hook("before state_dict", hook, prepend)

    def register_state_dict_post_hook(self, hook: Any, prepend: bool = False) -> Any:
        """`hook(optimizer, state_dict)` runs after state_dict(); what it returns, if not None, is given instead."""
        return self._saving_hook("after state_dict", hook, prepend)

    def register_load_state_dict_pre_hook(self, hook: Any, prepend: bool = False) -> Any:
        """`hook(optimizer, state_dict)` runs before load_state_dict(); what it returns, if not None, is loaded."""
        return self._saving_hook("before loading", hook, prepend)

    def register_load_state_dict_post_hook(self, hook: Any, prepend: bool = False) -> Any:
        """`hook(optimizer)` runs after load_state_dict()."""
        return self._saving_hook("after loading", hook, prepend)

    def _saving_hook(self, place: str, hook: Any, prepend: bool) -> Any:
        if self._saving_hooks is None:
            self._saving_hooks = {}
        hooks = self._saving_hooks.setdefault(place, [])
        handle = RemovableHandle(hooks, hook)
        if prepend:
            hooks.insert(0, hooks.pop())
        return handle

    def _told(self, place: str, *state_dict: dict[str, Any]) -> Any:
        """Run the hooks of a place; what they make of the dict that they are shown."""
        shown = list(state_dict)
        for hook in list((self._saving_hooks or {}).get(place, [])):
            made = hook(self, *shown)
            if shown and made is not None:
                shown = [made]
        return shown[0] if shown else None

    def state_dict(self) -> dict[str, Any]:
        """State and settings, the parameters named by their number."""
        self._told("before state_dict")
        numbers: dict[Tensor, int] = {}
        groups = []
        for group in self.param_groups:
            for p in group["params"]:
                numbers.setdefault(p, len(numbers))
            groups.append(
                {**{k: v for k, v in group.items() if k != "params"}, "params": [numbers[p] for p in group["params"]]}
            )
        state = {numbers[p]: s for p, s in self.state.items() if p in numbers}
        made: dict[str, Any] = self._told("after state_dict", {"state": state, "param_groups": groups})
        return made

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore what state_dict() gave; the groups must match. Raises ValueError where they do not."""
        from copy import deepcopy

        saved = self._told("before loading", state_dict.copy()).copy()
        saved["param_groups"] = deepcopy(saved["param_groups"])
        if len(saved["param_groups"]) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        for mine, theirs in zip(self.param_groups, saved["param_groups"], strict=True):
            if len(mine["params"]) != len(theirs["params"]):
                raise ValueError(
                    "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
                )
        numbers = chain.from_iterable(group["params"] for group in saved["param_groups"])
        mine_all = chain.from_iterable(group["params"] for group in self.param_groups)
        by_number: dict[Any, Tensor] = dict(zip(numbers, mine_all, strict=True))
        state: defaultdict[Any, Any] = defaultdict(dict)
        for key, value in saved["state"].items():
            if key in by_number:
                p = by_number[key]
                state[p] = _fitted(p, deepcopy(value))
            else:
                state[key] = value
        groups = []
        for mine, theirs in zip(self.param_groups, saved["param_groups"], strict=True):
            group = {**theirs, "params": mine["params"]}
            if "param_names" in mine and "param_names" not in theirs:
                group["param_names"] = mine["param_names"]
            groups.append(group)
        self.__setstate__({"state": state, "param_groups": groups})
        self._told("after loading")

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over what copies and load_state_dict() bring: a class of one's own adds what older states lack."""
        self.__dict__.update(state)
        for group in self.param_groups if self._later else ():
            for name in self._later.split():
                group.setdefault(name, _LATER.get(name, False))
            for p in group["params"] if self._counts else ():
                kept = self.state.get(p)
                if kept and not isinstance(kept["step"], Tensor):
                    kept["step"] = counter(float(kept["step"]))

    def __repr__(self) -> str:
        text = type(self).__name__ + " ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            text += "".join(f"    {key}: {group[key]}\n" for key in sorted(group) if key != "params")
        return text + ")"


_LATER = {"foreach": None, "fused": None, "momentum": 0}
"""What such a setting is, where that is not False."""


def _named(function: Any, qualname: str) -> Any:
    own = FunctionType(function.__code__, function.__globals__, "step", function.__defaults__, function.__closure__)
    own.__doc__, own.__qualname__, own.__module__ = function.__doc__, qualname, function.__module__
    return own


def _fitted(parameter: Tensor, state: Any, key: str = "") -> Any:
    """Loaded state in the dtype of its parameter; step counters stay as they are."""
    if isinstance(state, Tensor):
        fits = key == "step" or parameter._array.dtype.kind != "f" or state._array.dtype is parameter._array.dtype
        return state if fits else state.to(parameter.dtype)
    if isinstance(state, dict):
        kind = OrderedDict if isinstance(state, OrderedDict) else dict
        return kind((k, _fitted(parameter, v, k)) for k, v in state.items())
    if isinstance(state, (list, tuple)):
        return type(state)(_fitted(parameter, v) for v in state)
    return state


def _type_word(value: Any) -> str:
    if isinstance(value, Iterator):  # generators name themselves; scripts have one that can be copied in place of them
        return str(getattr(value, "__qualname__", getattr(value, "_name", "generator")))
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
