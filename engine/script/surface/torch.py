"""The allow-list for torch: its modules as proxies over the engine, and what may be read on the engine's values. A
name is offered when PyTorch has it (surface/torch_names.py) and the engine has it too."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from types import ModuleType
from typing import Any

import engine
from engine import data, environment, nn, optim
from engine.autograd import anomaly, hooked
from engine.autograd.places import SHOWN
from engine.autograd.saved import SavedTensor
from engine.data.workers import WorkerInfo
from engine.library import ALSO, FILES
from engine.nn import everywhere
from engine.ops.results import _Results
from engine.ops.tablerows import RowGradient
from engine.optim.optimizer import required
from engine.rooms import fill
from engine.script.classes import states
from engine.script.classes.making import BASES, InstanceDict
from engine.script.executing.calls import consume
from engine.script.frames import current
from engine.script.limits.work import MEASURED, measured
from engine.script.modules import MODULES, module
from engine.script.surface import RULES, Later, Rule, ScriptModule, devices, names, register, saved, sizes, subclasses
from engine.script.surface import torch_names as listed
from engine.script.surface.elements import fill_elements
from engine.script.surface.held import HOOKS, ModuleDict, hooks
from engine.script.values.attributes import host_base, missing, put_plain
from engine.script.values.builtin import BUILTINS, CALLS
from engine.script.values.hidden import without_addresses
from engine.script.values.registered import Registered, registered
from engine.tensor import HELD as HELD_BY_TENSORS

fill()


def _part(name: str) -> Any:
    """A part of the engine ("nn.init"), or None when it is not there."""
    found: Any = engine
    for word in name.split("."):
        found = getattr(found, word, None)
    return found


@cache
def _offered(source: Any, text: str) -> Mapping[str, Any]:
    """The names of `text` that the engine's `source` has; classes among them may be called. Found once for all modules
    that show the same."""
    found = {}
    for name in text.split():
        value = getattr(source, name, None) if source is not None else None
        if value is None or isinstance(value, ModuleType):
            continue
        found[name] = value
        if isinstance(value, type) and value not in BUILTINS.values():
            CALLS[value] = value
    return found


def _defined(kind: type, text: str) -> frozenset[str]:
    return frozenset(name for name in text.split() if hasattr(kind, name))


def _module(name: str, source: Any, text: str, **more: Any) -> None:
    members = {**_offered(source, text), **more}
    for each in MEASURED & members.keys():
        members[each] = measured(each, members[each])
    MODULES[name] = lambda: ScriptModule(name, {**members, **_children(name)})


def _children(name: str) -> dict[str, Any]:
    """The submodules of a module of this run, made when they are first read."""
    prefix = name + "."
    children = [child for child in list(MODULES) if child.startswith(prefix) and "." not in child[len(prefix) :]]
    if name == "torch.optim":  # the files of whose optimizers can be imported from, and are no attributes
        children = [child for child in children if child.endswith(("lr_scheduler", "swa_utils"))]
    return {child[len(prefix) :]: Later(partial(module, child)) for child in children}


def _read(place: str, name: str) -> Any:
    return module(place).read(name)


def _also(shown: str) -> dict[str, Any]:
    """What PyTorch's module shows of others."""
    return {name: Later(partial(_read, *place)) for name, place in ALSO[shown].items()}


def _settings(name: str, **values: Any) -> None:
    MODULES[name] = lambda: ScriptModule(name, _children(name), dict(values))


def _script_lines() -> str:
    """Where the script is, as a traceback: what anomaly mode tells."""
    machine = getattr(current, "machine", None)
    if machine is None or not machine.stack:
        return anomaly.called_from()
    places = [(frame.code.qualname, frame.code.info[frame.pc].where.line) for frame in machine.stack]
    return "".join(f'  File "<script>", line {line}, in {name}\n' for name, line in places)


anomaly.where = _script_lines


def _named_results() -> list[Any]:
    """The kinds of named tuples that operations give: (values, indices) and the like."""
    return _Results.__subclasses__()


def _fill() -> None:
    math = Later(partial(module, "math"))  # which scripts find in the modules that import it
    _module(
        "torch",
        engine,
        listed.TORCH,
        __version__=engine.__version__,
        save=saved.save,
        load=saved.load,
        **_also("torch"),
        **_offered(environment, environment.NAMES),
        **environment.CONSTANTS,
        math=math,
    )
    _module("torch.nn", nn, listed.NN)
    _module("torch.nn.parameter", nn, "Parameter Buffer")
    _module("torch.nn.modules", nn, listed.NN)
    _module("torch.nn.functional", _part("nn.functional"), listed.FUNCTIONAL, math=math)
    _module("torch.nn.init", _part("nn.init"), listed.INIT, math=math)
    _module("torch.nn.utils", _part("nn.utils"), listed.NN_UTILS, **_also("torch.nn.utils"))
    _module("torch.nn.utils.rnn", _part("nn.utils.rnn"), listed.RNN_UTILS)
    _module("torch.optim", optim, listed.OPTIM)
    scheduler = _part("optim.lr_scheduler")
    _module("torch.optim.lr_scheduler", scheduler, f"{listed.SCHEDULER} _LRScheduler")
    _module("torch.utils", None, "")
    _module("torch.utils.data", data, listed.DATA, **_also("torch.utils.data"))
    for part in (*FILES["torch.utils.data"].split(), "_utils.collate"):
        _module(f"torch.utils.data.{part}", data, listed.DATA)
    _module("torch.autograd", _part("autograd"), listed.AUTOGRAD)
    _module("torch.autograd.functional", _part("autograd.functional"), listed.AUTOGRAD_FUNCTIONAL)
    _module("torch.autograd.graph", hooked, " ".join(hooked.__all__))
    _module("torch.linalg", _part("linalg"), listed.LINALG)
    _module("torch.fft", None, "", **sizes.transforms())
    _module("torch.special", _part("special"), listed.SPECIAL)
    _module("torch.random", engine, "manual_seed initial_seed seed get_rng_state set_rng_state")
    for name, members in (devices.MEMBERS | environment.ASKED).items():
        _module(name, None, "", **members)
    for name, values in environment.SETTINGS.items():
        _settings(name, **values)
    for family in FILES["torch.nn.modules"].split():
        bases = _part(f"nn.{family}"), listed.NN_BASES.get(family, "")
        _module(f"torch.nn.modules.{family}", nn, listed.NN, **_offered(*bases))
    for family in FILES["torch.optim"].split():
        more = {"required": required} if family == "optimizer" else {}
        _module(f"torch.optim.{family}", optim, listed.OPTIM, **more)
    of_all = {name: value for name, value in vars(everywhere).items() if name.startswith("register_")}
    _module("torch.nn.modules.module", nn, listed.NN, **of_all)
    _module("torch.nn.parallel", nn, "DataParallel")
    _module("torch.autograd.variable", _part("autograd"), "Variable")
    _module("torch.autograd.function", _part("autograd"), "Function")
    _module("torch.functional", engine, listed.TORCH, F=Later(partial(module, "torch.nn.functional")))
    for above in ("torch.distributions", "torch.amp", "torch.cuda.amp"):
        for part in FILES[above].split():
            MODULES[f"{above}.{part}"] = partial(module, above)


_fill()


def _materialised(name: str) -> Any:
    """Module.parameters() and the like: PyTorch gives generators, we give an iterator that can be copied."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return Listed(list(consume(getattr(self, name)(*args, **kwargs))), f"Module.{name}")

    method.__name__ = name
    return method


class Listed:
    """An iterator over values that are there already; scripts see a generator."""

    __slots__ = ("_at", "_name", "_values")

    def __init__(self, values: list[Any], name: str) -> None:
        self._values = values
        self._name = name
        self._at = 0

    def __repr__(self) -> str:
        return f"<generator object {self._name} at {current.machine.address(self)}>"

    def __iter__(self) -> Listed:
        return self

    def __next__(self) -> Any:
        if self._at >= len(self._values):
            raise StopIteration
        self._at += 1
        return self._values[self._at - 1]


Listed.__name__ = Listed.__qualname__ = "generator"
Listed.__module__ = "builtins"


def _of_class(kind: type) -> frozenset[str]:
    """The functions of a class that are called on the class itself."""
    found: set[str] = set()
    for each in reversed(kind.__mro__):
        bound, others = _statics(each)
        found = found - others | bound
    return frozenset(found) - {"function"}


@cache
def _statics(kind: type) -> tuple[frozenset[str], set[str]]:
    """The functions that a class itself defines to be called on the class, and its other names."""
    own = vars(kind)
    bound = frozenset(name for name, value in own.items() if isinstance(value, (staticmethod, classmethod)))
    return frozenset(name for name in bound if not name.startswith("_")), own.keys() - bound


@cache
def _private(kind: type) -> frozenset[str]:
    """The names with an underscore that a class itself defines."""
    return frozenset(name for name in vars(kind) if name.startswith("_"))


HOLD_NOTHING = frozenset({data.Dataset, data.IterableDataset, data.Sampler})
"""Bases without anything of their own in their instances."""


HELD_BY_LOADERS = names("_kept _one_after_another _in_batches")


def _optimizer_state(self: Any) -> dict[str, Any]:
    return {name: vars(self)[name] for name in ("defaults", "state", "param_groups")}


def _fill_rules() -> None:
    tensor = engine.Tensor
    names_ = _defined(tensor, listed.TENSOR)
    engines = frozenset(dir(engine.Parameter)) | HELD_BY_TENSORS
    register(
        tensor,
        Rule(
            names=names_ | {"_version", "_base", "_is_view"},
            settable=names("data grad imag real requires_grad") | ({"names"} & names_),
            open=True,
            private=True,
            hidden=engines,
            computed={"__dict__": lambda value: InstanceDict(value, engines)},
            class_names=frozenset(),
        ),
    )
    sparse = names("coalesce is_coalesced indices values _indices _values _nnz sparse_dim dense_dim")
    inside = frozenset(name for name in dir(RowGradient) if name not in sparse)
    register(RowGradient, replace(RULES[tensor], names=RULES[tensor].names | sparse, hidden=engines | inside))
    for value in list(vars(engine).values()):
        if isinstance(value, type) and issubclass(value, tensor) and value is not tensor:
            register(value, RULES[tensor])
    iterators = "parameters named_parameters buffers named_buffers children named_children modules named_modules"
    module = nn.Module
    own = vars(module())
    hidden = frozenset(dir(module)) | frozenset(own)
    fixed = _defined(module, listed.MODULE) | {"training"}
    rest = names(f"forward extra_repr {iterators}")  # values may stand in their places: self.type = "a"
    open_names = names("_modules _parameters _buffers forward extra_repr training")
    private = {name: registered(name) for name in ("_modules", "_parameters", "_buffers")}
    rule = Rule(
        names=fixed,
        wrapped={
            **{name: _materialised(name) for name in iterators.split() if hasattr(module, name)},
            "__setattr__": lambda self, name, value: put_plain(self, name, value, module.__setattr__),
            "__getattr__": _module_getattr,
            "__setstate__": states.update,
            "extra_repr": lambda self: without_addresses(host_base(type(self)).extra_repr(self)),  # type: ignore[attr-defined]
        },
        settable=frozenset(name for name in fixed | rest if name[0] != "_"),
        open=True,
        private=True,
        hidden=hidden - open_names,
        computed={
            "__dict__": lambda value: ModuleDict(value, hidden),
            **private,
            **{each: hooks(each) for each in HOOKS},
        },
        class_names=names("__init__ __call__ forward __repr__"),
    )
    rule.names -= set(rule.wrapped)
    register(module, rule)
    register(Registered, RULES[dict])
    BASES.add(module)
    under = [_offered(_part(f"nn.{family}"), text).values() for family, text in listed.NN_BASES.items()]
    for value in (*vars(nn).values(), *itertools.chain(*under)):
        if isinstance(value, type) and issubclass(value, module) and value is not module:
            BASES.add(value)
            extra = _defined(value, listed.CONTAINER)
            register(
                value,
                Rule(
                    names=rule.names | extra,
                    wrapped=rule.wrapped,
                    settable=rule.settable,
                    open=True,
                    private=True,
                    hidden=rule.hidden.union(*map(_private, value.__mro__)) - open_names,
                    computed=rule.computed,
                    class_names=rule.class_names | names("__len__ __getitem__ __iter__") | _of_class(value),
                ),
            )
    for value in vars(optim).values():
        if isinstance(value, type) and issubclass(value, optim.Optimizer):
            register(
                value,
                Rule(
                    names=names(listed.OPTIMIZER),
                    wrapped={"__getstate__": _optimizer_state, "__setstate__": states.update},
                    settable=names("param_groups"),
                    open=True,
                    private=True,
                    hidden=(frozenset(dir(value)) | names("_pre_hooks _post_hooks")) - names(listed.OPTIMIZER),
                    class_names=names("__init__ step zero_grad"),
                ),
            )
            BASES.add(value)
    scheduler = _part("optim.lr_scheduler")
    for value in (*_offered(scheduler, listed.SCHEDULER).values(), scheduler._LRScheduler):
        if isinstance(value, type):
            inner = _defined(value, "_get_closed_form_lr _reduce_lr _reset _is_better in_cooldown")
            register(
                value,
                Rule(
                    names=names(
                        "step get_last_lr get_lr state_dict load_state_dict last_epoch base_lrs "
                        "optimizer T_max eta_min gamma step_size best num_bad_epochs patience "
                        "factor mode threshold cooldown milestones lr_lambdas"
                    )
                    | inner,
                    open=True,
                    private=True,
                    hidden=frozenset(n for n in dir(value) if n.startswith("_")) - inner,
                    class_names=names("__init__ step get_lr get_last_lr state_dict load_state_dict") | inner,
                ),
            )
            BASES.add(value)
    for value in _offered(data, listed.DATA).values():
        if isinstance(value, type):
            register(
                value,
                Rule(
                    names=names(
                        "dataset tensors batch_size indices datasets cumulative_sizes sampler drop_last weights "
                        "num_workers num_samples replacement collate_fn data_source batch_sampler generator"
                    ),
                    open=True,
                    private=True,
                    hidden=frozenset(n for n in dir(value) if n.startswith("_")) | HELD_BY_LOADERS,
                    computed={"__dict__": InstanceDict} if value in HOLD_NOTHING else {},
                    class_names=names("__init__ __len__ __getitem__ __iter__"),
                ),
            )
            BASES.add(value)
    function = getattr(_part("autograd"), "Function", None)
    if function is not None:
        register(
            function,
            Rule(
                class_names=names("apply forward backward setup_context"),
                names=names("apply"),
                open=True,
                hidden=frozenset(dir(function)) - {"apply"},
            ),
        )
        BASES.add(function)
    _context_rules()
    register(
        engine.dtype,
        Rule(
            names=names("is_floating_point is_complex is_signed itemsize to_complex to_real")
            & frozenset(dir(engine.dtype))
        ),
    )
    register(engine.device, Rule(names=names("type index") & frozenset(dir(engine.device)) | {"type", "index"}))
    register(engine.Size, Rule(names=names("numel count index")))
    packed = nn.packed.PackedSequence
    register(packed, Rule(names=frozenset(packed._fields) | names("to cpu float double is_cuda count index")))
    register(nn.adaptive._ASMoutput, Rule(names=names("output loss count index")))
    register(nn.loading._IncompatibleKeys, Rule(names=names("missing_keys unexpected_keys _fields count index")))
    for result in _named_results():
        register(result, Rule(names=frozenset(result._fields) | names("count index")))
    seeds = names("manual_seed seed initial_seed get_state set_state") & frozenset(dir(engine.Generator))
    register(engine.Generator, Rule(names=seeds | {"device"}))
    register(WorkerInfo, Rule(names=names("id num_workers seed dataset")))
    for kind in (engine.finfo, engine.iinfo):
        register(kind, Rule(names=names("eps max min tiny bits dtype resolution smallest_normal")))


def _module_getattr(self: Any, name: Any) -> Any:
    """super().__getattr__(name) in a Module of the script."""
    if not isinstance(name, str) or name.startswith("_"):
        raise missing(self, str(name))
    return nn.Module.__getattr__(self, name)


def _context_rules() -> None:
    from engine.autograd import function, graph

    context = """save_for_backward saved_tensors needs_input_grad mark_dirty mark_non_differentiable
    set_materialize_grads saved_variables"""
    for name in ("Context", "FunctionCtx", "FunctionContext", "Ctx"):
        kind = getattr(function, name, None)
        if isinstance(kind, type):
            register(
                kind,
                Rule(
                    names=_defined(kind, context),
                    open=True,
                    hidden=frozenset(n for n in dir(kind) if n.startswith("_")),
                ),
            )
    node = _defined(graph.Node, "name next_functions register_hook register_prehook metadata")
    node |= {start + name for name in SHOWN for start in ("_saved_", "_raw_saved_")}
    register(graph.Node, Rule(names=node))
    hidden = frozenset(dir(function._CustomNode)) | {"ctx", "function"}
    shown = names("saved_tensors saved_variables apply")
    register(function._CustomNode, Rule(names=node | shown, open=True, hidden=hidden - shown))
    register(SavedTensor, Rule(names=names("register_hooks")))
    for kind in (hooked.saved_tensors_hooks, hooked.save_on_cpu, hooked.disable_saved_tensors_hooks):
        register(kind, Rule(class_names=names("__init__ __enter__ __exit__")))
    BASES.add(hooked.saved_tensors_hooks)
    register(graph.AccumulateGrad, Rule(names=names("name next_functions variable")))
    handle = getattr(graph, "RemovableHandle", None)
    if handle is not None:
        register(handle, Rule(names=names("remove")))
    register(hooked.Handle, Rule(names=names("remove")))


_fill_rules()
sizes.measure()
devices.fill_tensors()
fill_elements()
subclasses.fill()
