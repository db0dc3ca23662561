"""Python's messages about functions that PyTorch or Python write in C and the engine in Python: in C a method is called
"builtin_function_or_method", and what does not fit its parameters is worded differently."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from engine.messages import IN_PYTHON
from engine.nn import functional
from engine.script.frames import ScriptFunction
from engine.script.surface import RULES
from engine.tensor import Tensor

PYTHONS = (
    " are_deterministic_algorithms_enabled atleast_1d atleast_2d atleast_3d block_diag broadcast_shapes"
    " broadcast_tensors cartesian_prod cdist chain_matmul compile einsum from_dlpack get_default_device"
    " get_float32_matmul_precision get_rng_state initial_seed is_storage is_tensor load lobpcg lu manual_seed meshgrid"
    " norm pca_lowrank save seed set_default_device set_default_dtype set_default_tensor_type"
    " set_float32_matmul_precision set_printoptions set_rng_state split stft svd_lowrank tensordot typename unique"
    " unique_consecutive unravel_index use_deterministic_algorithms vmap "
)
"""What `torch` holds that PyTorch writes in Python, too."""
FUNCTIONAL_IN_C = (
    " adaptive_avg_pool1d avg_pool1d avg_pool2d avg_pool3d bilinear celu_ channel_shuffle conv1d conv2d conv3d"
    " conv_transpose1d conv_transpose2d conv_transpose3d cosine_similarity elu_ gelu hardshrink hardtanh_ leaky_relu_"
    " linear logsigmoid one_hot pairwise_distance pdist pixel_shuffle pixel_unshuffle prelu relu_ rrelu_"
    " scaled_dot_product_attention selu_ softplus softshrink threshold_ "
)
"""What torch.nn.functional holds that PyTorch writes in C: the rest is written in Python."""
WORD = "(method|function)"
NAMED = re.compile(
    rf"""(?<='){WORD}(?=')|(?<=passed to ){WORD}(?=\.)|(?<=not ){WORD}$|(?<=^type ){WORD}\b|(?<=not "){WORD}(?=")"""
    rf"""|(?<=non-iterable ){WORD}\b|(?<=got ){WORD}(?="$)|(?<=dtype of ){WORD}$"""
)
"""Where a message names the type of such a function."""
HOMES_IN_PYTHON = ("engine.nn.", "engine.optim.", "engine.data.", "torch.nn.", "torch.optim.", "torch.utils.data.")


def as_in_c(error: BaseException, *operands: Any) -> None:
    """Reword `error` where one of the `operands` that it is about is such a function."""
    if type(error) not in (TypeError, RuntimeError) or not error.args:
        return
    for each in operands:
        if is_in_c(each):
            error.args = (NAMED.sub("builtin_function_or_method", str(error.args[0])),)
            return


def kind_in_c(value: Any) -> str:
    """The name of the type of `value`, as Python's messages have it."""
    return "builtin_function_or_method" if is_in_c(value) else type(value).__name__


def is_in_c(each: Any) -> bool:
    """Whether `each` is a function or method of the host's that PyTorch or Python has in C."""
    if isinstance(each, MethodType):
        if isinstance(each.__self__, Tensor):
            return f" {each.__name__} " not in IN_PYTHON
        scripts = isinstance(each.__func__, ScriptFunction)
        return not (scripts or type(each.__self__).__module__.startswith(HOMES_IN_PYTHON))
    if not isinstance(each, FunctionType) or each.__module__.startswith(HOMES_IN_PYTHON):
        return False
    name = each.__name__
    if getattr(functional, name, None) is each:
        return f" {name} " in FUNCTIONAL_IN_C
    return f" {name} " not in PYTHONS


ARITY = re.compile(r"takes |expected (at (most|least) )?\d|missing |keyword argument")
HOMES = ("builtins", "collections")


def in_words_of_c(error: TypeError, function: Any, given: int, keywords: Iterable[str] = ()) -> None:
    """Reword `error` where a call did not fit the parameters of what Python has in C and we have in Python: the host's
    own is asked what it says of so many arguments, on an empty value and with arguments that mean nothing."""
    trace = error.__traceback__
    if trace is None or trace.tb_next is not None or not error.args:
        return
    if isinstance(function, BuiltinFunctionType):
        host = function
    else:
        host = _host_of(function)
        if host is None:
            return
        try:
            host(*(object() for _ in range(min(given, 50))), **{name: object() for name in keywords})
        except TypeError as other:
            if ARITY.search(str(other)):
                error.args = other.args
        except Exception:
            return
    if keywords and error.args[0] == f"{getattr(host, '__name__', '')}() takes no keyword arguments":
        error.args = (f"{host.__qualname__}() takes no keyword arguments",)


def _host_of(function: Any) -> Any:
    """What Python has where `function`, which scripts reach in its place, is ours."""
    from engine.script.values.builtin import BUILTINS, CALLS
    from engine.script.values.containers import ScriptFrozenSet, ScriptSet

    sets: dict[Any, Any] = {ScriptSet: set, ScriptFrozenSet: frozenset}
    if isinstance(function, MethodType) and isinstance(function.__func__, FunctionType):
        if function.__module__.startswith(HOMES_IN_PYTHON):
            return None
        owner = type(function.__self__)
        kind: Any = next((each for each in owner.__mro__ if each.__module__ in HOMES and each in RULES), object)
        wrapped = RULES[kind].wrapped if kind in RULES else {}
        name = next((name for name, own in wrapped.items() if own is function.__func__), function.__name__)
        return getattr(sets.get(owner, kind)(), name, None)
    if isinstance(function, FunctionType) and str(function.__module__).startswith("engine.script."):
        builtin = function.__name__
        if BUILTINS.get(builtin) is function:
            host = getattr(builtins, builtin, None)  # but for help(), which is one of the site's and would print
            return host if isinstance(host, (BuiltinFunctionType, type)) else None
        called: Any = next((kind for kind, made in CALLS.items() if made is function), None)
        called = sets.get(called, called)
        return called if getattr(called, "__module__", "") in HOMES else None
    return None
