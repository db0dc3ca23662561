"""torch.autograd.functional: Jacobians, Hessians and products with them, of functions of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.autograd import grad_mode
from engine.autograd.backward import grad
from engine.tensor import Tensor

Function = Callable[..., Any]


def _tuple(value: Any, what: str, of: str) -> tuple[bool, tuple[Tensor, ...]]:
    """Whether `value` was a tuple, and its tensors. Raises TypeError for anything but tensors."""
    is_tuple = isinstance(value, tuple)
    found = value if is_tuple else (value,)
    for i, each in enumerate(found):
        if not isinstance(each, Tensor):
            which = f"value at index {i}" if is_tuple else f"given {what}"
            raise TypeError(
                f"The {what} given to {of} must be either a Tensor or a tuple of Tensors but the {which} has type"
                f" {type(each)}."
            )
    return is_tuple, tuple(found)


def _fresh(inputs: tuple[Tensor, ...], create_graph: bool) -> tuple[Tensor, ...]:
    """The inputs as tensors whose use is recorded: of their own, or, with create_graph, part of the callers' graph."""
    fresh = []
    for each in inputs:
        if create_graph and each._needs:
            fresh.append(each.view_as(each))
        else:
            fresh.append(each.detach().requires_grad_(True))
    return tuple(fresh)


def _finished(result: Any, create_graph: bool) -> Any:
    """Outside of any graph, unless one was asked for."""
    if isinstance(result, tuple):
        return tuple(_finished(each, create_graph) for each in result)
    return result if create_graph else result.detach()


def _zeros_for(found: Any, inputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    return tuple(
        Tensor._wrap(np.zeros_like(x._array)) if each is None else each for each, x in zip(found, inputs, strict=True)
    )


def _grads(outputs: Any, inputs: tuple[Tensor, ...], directions: Any, create_graph: bool) -> tuple[Tensor, ...]:
    outputs = tuple(outputs)
    keep = [i for i, each in enumerate(outputs) if each._needs]
    if not keep:
        return _zeros_for((None,) * len(inputs), inputs)
    chosen = None if directions is None else [directions[i] for i in keep]
    found = grad(
        [outputs[i] for i in keep],
        inputs,
        chosen,
        retain_graph=True,
        create_graph=create_graph,
        allow_unused=True,
    )
    return _zeros_for(found, inputs)


def vjp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """(func(inputs), v^T J): the product of a vector with the Jacobian. `v` has the outputs' shapes."""
    with grad_mode.enable_grad():
        many, given = _tuple(inputs, "inputs", "vjp")
        points = _fresh(given, create_graph)
        outputs = func(*points)
        several, values = _tuple(outputs, "outputs of the user-provided function", "vjp")
        directions = _directions(v, values, "vjp")
        found = _grads(values, points, directions, create_graph)
    return (
        _finished(values if several else values[0], create_graph),
        _finished(found if many else found[0], create_graph),
    )


def _directions(v: Any, like: tuple[Tensor, ...], of: str) -> tuple[Tensor, ...] | None:
    if v is None:
        if len(like) != 1 or like[0]._array.size != 1:
            raise RuntimeError(
                "The vector v can only be None if the user-provided function returns a single Tensor with a single"
                " element."
                if of == "vjp"
                else "The vector v can only be None if the input to the user-provided function is a single Tensor with"
                " a single element."
            )
        return (Tensor._wrap(np.ones_like(like[0]._array)),)
    _, given = _tuple(v, "v", of)
    if len(given) != len(like):
        raise RuntimeError(f"v is a tuple of invalid length: should be {len(like)} but got {len(given)}.")
    for i, (each, wanted) in enumerate(zip(given, like, strict=True)):
        if each._array.shape != wanted._array.shape:
            where = f"Entry {i} in " if len(given) > 1 else ""
            raise RuntimeError(f"{where}v has invalid size: should be {wanted.shape} but got {each.shape}.")
    return given


def jvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """(func(inputs), J v): the product of the Jacobian with a vector of the inputs' shapes; by two backward passes."""
    with grad_mode.enable_grad():
        _, given = _tuple(inputs, "inputs", "jvp")
        directions = _directions(v, given, "jvp")
        points = _fresh(given, create_graph)
        outputs = func(*points)
        several, values = _tuple(outputs, "outputs of the user-provided function", "jvp")
        weights = tuple(Tensor._wrap(np.zeros_like(each._array)).requires_grad_() for each in values)
        first = _grads(values, points, weights, True)
        found = _grads(first, weights, directions, create_graph)
    return (
        _finished(values if several else values[0], create_graph),
        _finished(found if several else found[0], create_graph),
    )


def jacobian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian of `func`: for an output of shape S and an input of shape T a tensor of shape S + T; tuples (of
    tuples) of them where there are several."""
    with grad_mode.enable_grad():
        many, given = _tuple(inputs, "inputs", "jacobian")
        points = _fresh(given, create_graph)
        outputs = func(*points)
        several, values = _tuple(outputs, "outputs of the user-provided function", "jacobian")
        found = tuple(_rows(each, points, create_graph, strict, i) for i, each in enumerate(values))
    shaped = tuple(each if many else each[0] for each in found)
    return _finished(shaped if several else shaped[0], create_graph)


def _rows(output: Tensor, points: tuple[Tensor, ...], create_graph: bool, strict: bool, at: int) -> tuple[Tensor, ...]:
    from engine.ops import joins

    if strict and not output._needs:
        raise RuntimeError(
            f"Output {at} of the user-provided function does not require gradients. The outputs must be computed in a"
            " differentiable manner from the input when running in strict mode."
        )
    flat = output.reshape(-1)
    rows: list[list[Tensor]] = [[] for _ in points]
    for k in range(flat._array.shape[0]):
        for column, g in zip(rows, _grads((flat[k],), points, None, create_graph), strict=True):
            column.append(g)
    return tuple(
        joins.stack(column).view(*output._array.shape, *p._array.shape)
        if column
        else Tensor._wrap(np.zeros((*output._array.shape, *p._array.shape), p._array.dtype))
        for column, p in zip(rows, points, strict=True)
    )


def _scalar(func: Function, of: str) -> Function:
    def checked(*points: Tensor) -> Tensor:
        out = func(*points)
        if not isinstance(out, Tensor):
            several = isinstance(out, tuple)
            if several and len(out) != 1:
                raise RuntimeError(f"The function given to {of} should return a single Tensor")
            out = out[0]
        if out._array.size != 1:
            raise RuntimeError(f"The Tensor returned by the function given to {of} should contain a single element")
        return out.squeeze()

    return checked


def hessian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The second derivatives of a function that returns a single number: shape T + T for an input of shape T, a tuple
    of tuples for several inputs."""
    many, given = _tuple(inputs, "inputs", "hessian")
    one = _scalar(func, "hessian")

    def gradient(*points: Tensor) -> Any:
        found = jacobian(one, points, create_graph=True)
        return tuple(found)

    result = jacobian(gradient, given, create_graph=create_graph)
    return result if many else result[0][0]


def vhp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """(func(inputs), v^T H): the product of a vector with the Hessian of a function that returns a number."""
    many, given = _tuple(inputs, "inputs", "vhp")
    directions = _directions(v, given, "vhp")
    with grad_mode.enable_grad():
        points = _fresh(given, create_graph)
        value = _scalar(func, "vhp")(*points)
        first = _grads((value,), points, None, True)
        found = _grads(first, points, directions, create_graph)
    return _finished(value, create_graph), _finished(found if many else found[0], create_graph)


def hvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """(func(inputs), H v): as vhp(), since a Hessian is symmetric."""
    many, given = _tuple(inputs, "inputs", "hvp")
    directions = _directions(v, given, "hvp")
    with grad_mode.enable_grad():
        points = _fresh(given, create_graph)
        value = _scalar(func, "hvp")(*points)
        first = _grads((value,), points, None, True)
        found = _grads(first, points, directions, create_graph)
    return _finished(value, create_graph), _finished(found if many else found[0], create_graph)


__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]
