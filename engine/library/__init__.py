"""Modules of PyTorch that are plain Python over the rest of the engine: `torch.distributions`, `torch.func`,
`torch.amp` and others, the files of torch/ beside this one. With `import engine as torch` Python executes each when it
is first asked for; for a script of a run the interpreter does (engine/script/shipped.py).

In these files `torch` is the engine, whatever is installed. Whoever puts the engine in PyTorch's place,

    sys.modules["torch"] = engine

can import all of it by PyTorch's names, in every form: `import torch.nn.functional as F`.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_executed: dict[str, ModuleType] = {}

FILES = {
    "torch.amp": "autocast_mode grad_scaler",
    "torch.autograd": "variable",
    "torch.cuda.amp": "autocast_mode grad_scaler",
    "torch.distributions": """
bernoulli beta binomial categorical cauchy chi2 continuous_bernoulli dirichlet exp_family exponential
fishersnedecor gamma generalized_pareto geometric gumbel half_cauchy half_normal independent inverse_gamma kl
kumaraswamy laplace lkj_cholesky log_normal logistic_normal lowrank_multivariate_normal mixture_same_family multinomial
multivariate_normal negative_binomial normal one_hot_categorical pareto poisson relaxed_bernoulli relaxed_categorical
studentT transformed_distribution transforms uniform von_mises weibull wishart
""",
    "torch.nn": "parameter",
    "torch.nn.modules": """
activation adaptive batchnorm container conv distance dropout flatten fold instancenorm linear loss module normalization
padding pixelshuffle pooling rnn sparse transformer upsampling
""",
    "torch.optim": """
optimizer sgd adam adamw rmsprop adagrad adadelta adamax lbfgs asgd nadam radam rprop sparse_adam
""",
    "torch.utils.data": "dataset sampler dataloader",
}
"""PyTorch's files in which scripts look for what is shown where these lie."""

NO_ATTRIBUTES = {"torch.optim"}
"""Whose files can be imported from, and are no attributes: `torch.optim.adam(...)` finds nothing."""

OWN = {
    "_batched": "engine.ops.batched",
    "_classes": "engine.nn.classes",
    "_likely": "engine.ops.likely",
    "_printed": "engine.printing",
}
"""Modules of the engine that these files import, and no script can."""


ALSO = {
    "torch": {
        "autocast": ("torch.amp", "autocast"),
        "compile": ("torch._dynamo.eval_frame", "compile"),
        "is_storage": ("torch.storage", "is_storage"),
        **{
            f"{kind}Storage": ("torch.storage", f"{kind}Storage")
            for kind in ("Float", "Double", "Half", "Long", "Int", "Short", "Char", "Byte", "Bool", "Typed", "Untyped")
        },
        "sparse_coo_tensor": ("torch.sparse", "coo"),
        "sparse_csr_tensor": ("torch.sparse", "csr"),
        "spmm": ("torch.sparse", "mm"),
        "vmap": ("torch.func", "vmap"),
    },
    "torch.nn.utils": {"skip_init": ("torch.nn.utils.init", "skip_init")},
    "torch.utils.data": {"DistributedSampler": ("torch.utils.data.distributed", "DistributedSampler")},
}
"""What a module shows of others: where each is, and its name there."""


def part(name: str) -> Any:
    """One of these modules, or what torch shows of one, by PyTorch's name for it ("torch.func", "torch.vmap"); None
    when there is no such thing."""
    above, _, last = name.rpartition(".")
    if last in ALSO.get(above, {}):
        place, inside = ALSO[above][last]
        return getattr(shipped(place), inside)
    beside = shipped(above)  # of a module that the engine has, too
    return getattr(beside, last, None) or shipped(name)


def shipped(name: str) -> ModuleType | None:
    """The module that PyTorch calls `name` ("torch.func"), if it is one of these."""
    if name in _executed:
        return _executed[name]
    from pathlib import Path  # which an import of the engine does not need

    path = Path(__path__[0], *name.split(".")).with_suffix(".py")
    if not path.is_file():
        return None
    made = _executed[name] = ModuleType(name)
    vars(made).update(__file__=str(path), __path__=[], __builtins__=vars(builtins) | {"__import__": _import})
    try:
        # The project's own text, which no user can change.
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True), vars(made))  # noqa: S102
    except BaseException:
        del _executed[name]
        raise
    return made


def executed(name: str) -> Any:
    """One of these modules, if somebody has asked for it; else None."""
    return _executed.get(name)


def found(name: str) -> Any:
    """What PyTorch calls `name`, a module or a part of one. Raises ModuleNotFoundError."""
    if name == "torch":
        return sys.modules["engine"]
    above, _, last = name.rpartition(".")
    around = found(above)
    inside = shipped(name)
    if inside is None:
        inside = getattr(around, last, around if last in FILES.get(above, "").split() else None)
        if inside is None:
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)
    elif above in _executed:
        setattr(around, last, inside)
    return inside


def _import(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
    """`import` in the files of torch/."""
    if name in OWN:
        return import_module(OWN[name])
    if name.partition(".")[0] != "torch":
        return builtins.__import__(name, globals, locals, fromlist, level)
    inside = found(name)
    return inside if fromlist else found("torch")


class Finder:
    """Finds PyTorch's modules where the engine stands in PyTorch's place, and nothing else."""

    @classmethod
    def find_spec(cls, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        if not name.startswith("torch.") or sys.modules.get("torch") is not sys.modules["engine"]:
            return None
        try:
            found(name)
        except ModuleNotFoundError:
            return None
        loader: Any = _Alias()
        return ModuleSpec(name, loader, is_package=True)


class _Alias:
    """Gives what is there already; what PyTorch has as a module and the engine as another object, as a module."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        inside = found(spec.name)
        if isinstance(inside, ModuleType):
            spec.loader_state = inside.__spec__
            vars(inside).setdefault("__path__", [])
            return inside
        module = ModuleType(spec.name)
        vars(module).update({name: getattr(inside, name) for name in dir(inside) if not name.startswith("__")})
        return module

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None and module.__spec__.name in NO_ATTRIBUTES:
            _register_files(module, module.__spec__.name)
        if module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state or module.__spec__


def _register_files(module: ModuleType, name: str) -> None:
    """All of the package's files at once, as after PyTorch's own import of it. A file that is imported later becomes
    an attribute of its package by that: here one of the engine's own, and so one that everybody in the process sees."""
    for shown in module.__all__:  # executes the engine's files, which may be called the same
        getattr(module, shown)
    for file in FILES[name].split():
        sys.modules.setdefault(f"{name}.{file}", module)
        sys.modules.setdefault(f"{module.__name__}.{file}", module)  # where `import torch.optim.adamw as file` looks
