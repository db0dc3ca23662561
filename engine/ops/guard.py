"""Wrong arguments, refused in PyTorch's words: `exp(): argument 'input' (position 1) must be Tensor, not float`.

Operations do not look at the types of their arguments: it would cost every call. When one fails, its arguments are held
against PyTorch's signatures, and the error says what was wrong with them, if anything was.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine import dtypes
from engine.autograd import wirtinger
from engine.brief import Lowered
from engine.messages import called
from engine.ops import outs, overriding, real_only, widened
from engine.ops.arguments import meant
from engine.ops.combinations import no_overload
from engine.ops.signatures import Refused, Signature, overloads
from engine.tensor import Tensor
from engine.warn import warn

ALIASES = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}
"""NumPy's names of arguments: PyTorch takes them too."""
SPREAD = {
    "view": ("size", "dtype"),
    "reshape": ("shape",),
    "expand": ("size",),
    "permute": ("dims",),
    "repeat": ("repeats",),
    "resize_": ("size",),
}
"""The names of what may be told as several arguments, `view(2, 3)`, and by name as one, `view(size=(2, 3))`."""
_NO_MATCH = "      didn't match because some of the "


def function(name: str, operation: Callable[..., Any]) -> Callable[..., Any]:
    """`operation` as torch.`name`."""
    return _guarded(name, operation, False)


def method(name: str, operation: Callable[..., Any]) -> Callable[..., Any]:
    """`operation` as Tensor.`name`."""
    return _guarded(name, operation, True)


def _as(operation: Any) -> Callable[[Any], Any]:
    """What functools.wraps does for what stands before an operation, but for the annotations. There are a thousand
    operations: with it, it was a tenth of the engine's import."""

    def named(call: Any) -> Any:
        call.__module__, call.__name__ = operation.__module__, operation.__name__
        call.__qualname__, call.__doc__ = operation.__qualname__, operation.__doc__
        if operation.__dict__:
            call.__dict__.update(operation.__dict__)
        call.__wrapped__ = operation
        return call

    return named


def _place(operation: Any, argument: str) -> int | None:
    """Which of its arguments is called so, None where there is none. A signature tells it too, but takes a hundred
    times as long to make."""
    while hasattr(operation, "__wrapped__"):
        operation = operation.__wrapped__
    code = operation.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return names.index(argument) if argument in names else None


def _strict(name: str, operation: Callable[..., Any], is_method: bool) -> Callable[..., Any]:
    """`operation`, which takes nothing but True and False as its `keepdim`, and most often only beside a `dim`."""
    at = _place(operation, "keepdim")
    if at is None:
        return operation
    told = (
        "linalg_vector_norm(): argument 'keepdim' (position 4)" if name == "norm" else f"{name}(): argument 'keepdim'"
    )

    @_as(operation)
    def call(*args: Any, **kwargs: Any) -> Any:
        if len(args) > at or "keepdim" in kwargs:
            given = args[at] if len(args) > at else kwargs["keepdim"]
            if given.__class__ is not bool:
                raise TypeError(f"{told} must be bool, not {called(given)}")
            if len(args) < 2 and "dim" not in kwargs and "axis" not in kwargs:
                _refuse(name, args, kwargs, is_method)
        return operation(*args, **kwargs)

    return call


_LOOKED_AT = frozenset({"accumulate", "ceil_mode", "count_include_pad", "descending", "include_self"}) | frozenset(
    {"largest", "out", "replacement", "right", "upper"}
)
"""Where results are put, and arguments that are True or False of which the operations would take any value."""

_LAX = (
    " adaptive_avg_pool1d alpha_dropout bool byte cartesian_prod cauchy_ chain_matmul char cholesky_inverse conj"
    " conj_physical contiguous copy_ cumulative_trapezoid double dropout feature_alpha_dropout float half int"
    " is_complex is_conj is_neg isin linalg_matrix_rank linalg_pinv linalg_svd linalg_vander linalg_vecdot long median"
    " nan_to_num nan_to_num_ nanmean nanmedian pairwise_distance pdist pinverse poisson positive prod qr random_ relu"
    " resolve_conj resolve_neg selu short std std_mean svd tile uniform_ unique_consecutive vander var var_mean "
)
"""Names whose operations take more than PyTorch's do: they serve under other names too."""


def _look_at(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Raise TypeError, which `refusal` says in PyTorch's words, for a flag that is no bool, and RuntimeError where
    `out` is still read."""
    if not _LOOKED_AT.isdisjoint(kwargs):
        for key, value in kwargs.items():
            if key in _LOOKED_AT and key != "out" and value.__class__ is not bool:
                raise TypeError(f"{key} is no bool")
        if kwargs.get("out") is not None:
            outs.check_apart(name, kwargs["out"], args)


def _refuse(name: str, args: Sequence[Any], kwargs: Mapping[str, Any], is_method: bool) -> None:
    """Raise TypeError where PyTorch does not take these arguments."""
    refused = refusal(name, args[is_method:], kwargs, is_method)
    if refused is not None and not (ALIASES.keys() & kwargs.keys()):
        raise TypeError(refused)


def _checked(name: str, operation: Callable[..., Any], is_method: bool) -> Callable[..., Any]:
    """`operation` for no other arguments than PyTorch's; a tensor alone is not looked at, for speed."""
    always = name.endswith("dropout")  # which need more arguments than the operation does

    @_as(operation)
    def call(*args: Any, **kwargs: Any) -> Any:
        if len(args) != 1 or kwargs or not isinstance(args[0], Tensor) or always:
            _refuse(name, args, kwargs, is_method)
        return operation(*args, **kwargs)

    return call


def _complete(name: str, operation: Callable[..., Any], is_method: bool) -> Callable[..., Any]:
    """`operation`, whose `dim` must be told."""

    @_as(operation)
    def call(*args: Any, **kwargs: Any) -> Any:
        if (args[1] if len(args) > 1 else kwargs.get("dim", kwargs.get("axis"))) is None:
            _refuse(name, args, kwargs, is_method)
        return operation(*args, **kwargs)

    return call


_TENSOR_FIRST = (
    " fmod maximum minimum fmax fmin eq ne lt le gt ge greater greater_equal less less_equal not_equal logical_and"
    " logical_or logical_xor rsub clamp_min clamp_max max min "
)
"""Functions whose operations take a number as their first operand too: the operators call them so."""


def _tensor_first(operation: Callable[..., Any]) -> Callable[..., Any]:
    @_as(operation)
    def call(*args: Any, **kwargs: Any) -> Any:
        if args and not isinstance(args[0], Tensor):
            raise TypeError("a Tensor is wanted")  # `refusal` says it in PyTorch's words
        return operation(*args, **kwargs)

    return call


_TOGETHER = " flip permute reshape "
"""Functions whose numbers are told as one tuple. As methods they take them one by one too."""


def _together(name: str, operation: Callable[..., Any]) -> Callable[..., Any]:
    if f" {name} " not in _TOGETHER:
        return operation

    @_as(operation)
    def call(*args: Any, **kwargs: Any) -> Any:
        if len(args) > 2:
            _refuse(name, args, kwargs, False)
        return operation(*args, **kwargs)

    return call


def _spread(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sequence[Any] | None:
    """The arguments by their places, where all sizes are told by one name and nothing else is told."""
    told = {key: value for key, value in kwargs.items() if key != "input"}
    if len(told) != 1 or len(args) + len(kwargs) != 2:
        return None
    ((key, sizes),) = told.items()
    if key not in SPREAD.get(name, ()) or not isinstance(sizes, (tuple, list, dtypes.dtype)):
        return None
    return (*(args or (kwargs["input"],)), sizes)


_SCALED = {
    **dict.fromkeys(("add", "sub"), "alpha"),
    **dict.fromkeys(("addcmul", "addcdiv"), "value"),
    **dict.fromkeys(("addmm", "addbmm", "baddbmm", "addmv", "addr"), "beta"),
}
"""What the first number means that older scripts tell by its place: `p.add_(-lr, p.grad)`."""


def _newer(name: str, args: Sequence[Any], is_method: bool) -> tuple[list[Any], dict[str, Any]] | None:
    """The arguments of one of the hidden overloads as they are told by name, after a warning; None where it is none of
    them."""
    scaled = _SCALED.get(name.removesuffix("_"))
    at = 0 if scaled == "beta" and not is_method else 1
    if scaled is None or len(args) < 3 or not isinstance(args[at], (int, float)):
        return None
    rest = [*args[:at], *args[at + 1 :]]
    told = {scaled: args[at]}
    if scaled == "beta" and isinstance(rest[1], (int, float)):
        told["alpha"] = rest.pop(1)
    warn(f"This overload of {name} is deprecated. Consider giving {' and '.join(told)} by name instead.")
    return rest, told


def _written(name: str, out: Any, found: Any) -> Any:
    """`found` in `out`, of an operation that knows no `out` itself. Raises RuntimeError in PyTorch's words."""
    from engine.ops.into import into

    try:
        return into(out, found)
    except RuntimeError as wrong:
        raise outs.named(name, wrong) from None


def _check_bound(name: str, args: Sequence[Any], is_method: bool) -> None:
    """Raise what Python raises for a method that is called on the class, without a tensor."""
    if not is_method or (args and isinstance(args[0], Tensor)):
        return
    if not args:
        raise TypeError(f"unbound method TensorBase.{name}() needs an argument") from None
    raise TypeError(
        f"descriptor '{name}' for 'torch._C.TensorBase' objects doesn't apply to a '{called(args[0])}' object"
    ) from None


def _guarded(name: str, operation: Callable[..., Any], is_method: bool) -> Callable[..., Any]:  # noqa: C901
    operation = _strict(name, widened.looked_at(name, operation), is_method)
    if f" {name} " in _LAX:
        operation = _checked(name, operation, is_method)
    elif name.removeprefix("special_") in ("softmax", "log_softmax"):
        operation = _complete(name, operation, is_method)
    if not is_method:
        operation = _tensor_first(operation) if f" {name} " in _TENSOR_FIRST else _together(name, operation)
    told = None if is_method else outs.words(name)

    @_as(operation)
    def call(*args: Any, **kwargs: Any) -> Any:
        out = None
        real_only.check(name, args, kwargs) if wirtinger.on else None
        try:
            if not kwargs:
                result = operation(*args)  # a third less
            elif told is not None and kwargs.get("out") is not None:
                outs.check_apart(name, kwargs["out"], args)
                out = kwargs.pop("out")
                return outs.written(name, told, out, call(*args, **kwargs))
            else:
                _look_at(name, args, kwargs)
                result = operation(*args, **kwargs)
        except Lowered:
            return widened.again(name, call, args, kwargs if out is None else {**kwargs, "out": out})
        except Exception as error:
            said = overriding.of_others(call, name, args, kwargs if out is None else {**kwargs, "out": out})
            if said is not NotImplemented:
                return said
            _check_bound(name, args, is_method)
            if str(error).startswith("out(): "):
                raise outs.named(name, error) from None
            spread = _spread(name, args, kwargs) if kwargs and isinstance(error, TypeError) else None
            if spread is not None:
                return overriding.retried(call, spread, {})
            if isinstance(error, TypeError) and not ALIASES.keys().isdisjoint(kwargs):
                try:
                    return overriding.retried(
                        call, args, {ALIASES.get(key, key): value for key, value in kwargs.items()}
                    )
                except TypeError as again:
                    raise TypeError(
                        refusal(name, args[is_method:], kwargs, is_method) or str(again)
                    ) from again.__cause__
            if name != "type" and any(meant(each) is not each for each in (*args, *kwargs.values())):
                types = {key: meant(value) for key, value in kwargs.items()}
                return overriding.retried(call, [*map(meant, args)], types)
            refused = refusal(name, args[is_method:], kwargs, is_method)
            out = kwargs.get("out", out)
            if refused is None and "keyword argument 'out'" in str(error) and kwargs["out"] is not None:
                return _written(name, kwargs.pop("out"), overriding.retried(call, args, kwargs))
            if refused is None and not isinstance(out, (Tensor, tuple, list, type(None))):
                refused = f"{name}(): argument 'out' must be {outs.wanted(name)}, not {called(out)}"
            if refused is None:
                newer = _newer(name, args, is_method)
                if newer is None:
                    raise
                return overriding.retried(call, newer[0], {**newer[1], **kwargs})
            raise TypeError(refused) from error.__cause__
        if result is NotImplemented:
            said = overriding.of_others(call, name, args, kwargs)
            if said is NotImplemented:
                raise TypeError(refusal(name, args[is_method:], kwargs, is_method) or f"{name}(): invalid arguments")
            return said
        return result

    return overriding.guards(call, public=True)


def in_python(
    name: str,
    operation: Callable[..., Any],
    first: str = "",
    then: str = "",
    exact: Mapping[str, tuple[type, ...]] | None = None,
    compared: bool = False,
) -> Callable[..., Any]:
    """`operation` as a function that PyTorch writes in Python: Python itself refuses a wrong number of arguments.

    `first` is what PyTorch does first with its tensors: ".size" asks them for a method; otherwise they are handed on to
    a function in C (the one of the same `name`, unless `first` names another), which refuses what is no tensor. `then`
    is the function in C that gets all arguments ("embedding indices=input" where it calls one otherwise, ".softmax" for
    a method). `exact` are arguments that the operation would take in any type: they are looked at before it.
    `compared`: PyTorch's Python compares numbers itself, and fails where they are none."""
    operation = widened.looked_at(name, operation)
    watched = [(key, kinds, _place(operation, key) or 0) for key, kinds in (exact or {}).items()]

    @_as(operation)
    def call(*args: Any, **kwargs: Any) -> Any:
        for key, kinds, at in watched:
            value = args[at] if len(args) > at else kwargs.get(key, _DEFAULT)
            if value.__class__ not in kinds and value is not _DEFAULT:
                _hand_on(then or name, operation, args, kwargs)
        real_only.check(name, args, kwargs) if wirtinger.on else None
        try:
            return operation(*args, **kwargs) if kwargs else operation(*args)
        except Lowered:
            return widened.again(name, call, args, kwargs)
        except Exception as error:
            said = overriding.of_others(call, name, args, kwargs)
            if said is not NotImplemented:
                return said
            shown = inspect.signature(operation)
            tensors = [p.name for p in shown.parameters.values() if p.annotation in ("Tensor", Tensor)]
            try:
                given = shown.bind(*args, **kwargs).arguments
            except TypeError:
                raise error from error.__cause__
            for position, each in enumerate(tensors, 1):
                if not isinstance(given[each], Tensor):
                    raise _not_a_tensor(first or name, each, position, given[each]) from error.__cause__
            told = str(error)
            if told.startswith(_OF_TYPES) or isinstance(error, (TypeError, AttributeError)):
                if compared and (told.startswith("Boolean value") or "not supported b" in told or "for //" in told):
                    raise  # PyTorch's Python does that too, before
                if isinstance(error, AttributeError) and not told.endswith("'_array'"):
                    raise
                _hand_on(then or name, operation, args, kwargs)
            raise

    overriding.PYTHON.add(call.__code__)
    return overriding.guards(call, public=True)


_DEFAULT = object()
_OF_TYPES = (
    *("could not convert string", "operands could not be", "setting an array", "The truth value", "Boolean value"),
    "only one element",
)
"""How NumPy's words about arguments of wrong types begin, and the engine's about a tensor in place of a number."""


def _hand_on(name: str, operation: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Raise TypeError where the function in C that PyTorch hands these arguments on to does not take them."""
    name, *renamed = name.split()
    theirs = dict(each.split("=") for each in renamed)
    is_method = name.startswith(".")
    name = name.removeprefix(".")
    signatures = overloads(name, is_method)
    try:
        bound = inspect.signature(operation).bind(*args, **kwargs)
    except TypeError:
        return
    if signatures is None:
        return
    bound.apply_defaults()
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for p in signatures[0].parameters:
        key = theirs.get(p.name, p.name)
        if key not in bound.arguments and not key.isdigit():
            break
        value = int(key) if key.isdigit() else 1 if key == "reduction" else bound.arguments[key]
        if p.keyword_only or p.kind == "dtype":
            named[p.name] = value
        else:
            positional.append(value)
    refused = refusal(name, positional, named, is_method)
    if refused is not None and ("must be" in refused or "invalid combination" in refused):
        raise TypeError(refused)


def _not_a_tensor(first: str, argument: str, position: int, value: Any) -> Exception:
    if first.startswith("."):
        if not hasattr(value, first[1:]):
            return AttributeError(f"'{called(value)}' object has no attribute '{first[1:]}'")
        return TypeError(f"'{called(getattr(value, first[1:]))}' object is not callable")
    name, *places = first.split()  # "embedding input=indices:2" where its arguments are called otherwise
    for each in places:
        mine, theirs, at = re.split("[=:]", each)
        if mine == argument:
            argument, position = theirs, int(at)
            break
    return TypeError(f"{name}(): argument '{argument}' (position {position}) must be Tensor, not {called(value)}")


def refusal(name: str, args: Sequence[Any], kwargs: Mapping[str, Any], is_method: bool) -> str | None:
    """What PyTorch says about these arguments; None where they fit or the name is unknown. A method's `args` are
    without the tensor itself."""
    signatures = overloads(name, is_method)
    if signatures is None:
        return None
    if is_method and len(signatures) == 1 and not signatures[0].parameters:
        if kwargs:
            return f"TensorBase.{name}() takes no keyword arguments"
        return f"TensorBase.{name}() takes no arguments ({len(args)} given)" if args else None
    try:
        found = _first_fitting(signatures, name, args, kwargs)
    except TypeError as error:
        return str(error)
    if found:
        return None
    given = len(args) + len(kwargs)
    plausible = [each for each in signatures if each.least <= given <= len(each.parameters) and not each.hidden]
    if len(plausible) == 1 or len(signatures) == 1:
        try:
            (plausible or signatures)[0].bind(name, args, kwargs)
        except TypeError as error:
            return str(error)
    return no_overload(name, [str(each) for each in signatures if not each.hidden], args, kwargs)


def _first_fitting(signatures: list[Signature], name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
    for each in signatures:
        try:
            each.bind(name, args, kwargs)
        except Refused:
            continue
        return True
    return False
