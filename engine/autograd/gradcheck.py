"""gradcheck: derivatives as the backward formulas give them, held against finite differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.autograd import grad_mode
from engine.autograd.backward import grad
from engine.tensor import Tensor
from engine.warn import warn


class GradcheckError(RuntimeError):
    """Raised by gradcheck() and gradgradcheck()."""


def _tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    fast_mode: bool = False,
    **others: Any,
) -> bool:
    """Whether the gradients of `func` at `inputs` (float64 where they require grad) agree with central differences
    of step `eps`, within atol + rtol * |numerical|. Raises GradcheckError unless `raise_exception=False`."""
    try:
        return _check(func, _tuple(inputs), eps, atol, rtol)
    except GradcheckError:
        if raise_exception:
            raise
        return False


def _check(func: Callable[..., Any], inputs: tuple[Any, ...], eps: float, atol: float, rtol: float) -> bool:
    chosen = [i for i, x in enumerate(inputs) if isinstance(x, Tensor) and x._needs]
    if not chosen:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )
    for i in chosen:
        if inputs[i]._array.dtype != np.float64:
            warn(
                f"Input #{i} requires gradient and is not a double precision floating point or complex. This check will"
                " likely fail if all the inputs are not of double precision floating point or complex. "
            )
    with grad_mode.enable_grad():
        given = [o for o in _tuple(func(*inputs)) if isinstance(o, Tensor)]
    outputs = [o for o in given if o._needs]
    if not outputs and any(_numerical(func, inputs, i, k, eps, False).any() for k in range(len(given)) for i in chosen):
        raise GradcheckError("Numerical gradient for function expected to be zero")
    for k, output in enumerate(outputs):
        for n, i in enumerate(chosen):
            numerical = _numerical(func, inputs, i, k, eps)
            analytical = _analytical(output, inputs[i])
            if not np.allclose(analytical, numerical, rtol, atol, equal_nan=True):
                raise GradcheckError(
                    f"Jacobian mismatch for output {k} with respect to input {n},\n"
                    f"numerical:{_shown(numerical, inputs[i])}\nanalytical:{_shown(analytical, inputs[i])}\n"
                )
    return True


def _shown(jacobian: Any, like: Tensor) -> Tensor:
    return Tensor._wrap(jacobian.astype(like._array.dtype))


def _numerical(
    func: Callable[..., Any], inputs: tuple[Any, ...], i: int, k: int, eps: float, needing: bool = True
) -> Any:
    """The derivatives of output `k` (of those that need a gradient, or of all) by input `i`, from differences."""
    x = inputs[i]._array
    columns = []
    flat = x.reshape(-1) if x.flags.c_contiguous else None

    def value() -> Any:
        with grad_mode.enable_grad():
            outputs = [o for o in _tuple(func(*inputs)) if isinstance(o, Tensor) and (o._needs or not needing)]
        return outputs[k]._array.astype(np.float64).reshape(-1).copy()

    for n in range(x.size):
        at = n if flat is not None else np.unravel_index(n, x.shape)
        array: Any = flat if flat is not None else x
        before = array[at]
        array[at] = before + eps
        above = value()
        array[at] = before - eps
        below = value()
        array[at] = before
        columns.append((above - below) / (2 * eps))
    return np.stack(columns) if columns else np.zeros((0, value().size))


def _analytical(output: Tensor, x: Tensor) -> Any:
    columns = []
    for n in range(output._array.size):
        direction = np.zeros_like(output._array)
        direction.flat[n] = 1
        (g,) = grad(output, x, Tensor._wrap(direction), retain_graph=True, allow_unused=True)
        columns.append(np.zeros(x._array.size) if g is None else g._array.reshape(-1).astype(np.float64))
    return np.stack(columns, axis=1) if columns else np.zeros((x._array.size, 0))


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    **others: Any,
) -> bool:
    """gradcheck() of the gradients of `func`: its second derivatives."""
    given = _tuple(inputs)
    outputs = [o for o in _tuple(func(*given)) if isinstance(o, Tensor) and o._needs]
    if grad_outputs is None:
        made = np.random.RandomState(0)
        directions = tuple(
            Tensor._wrap(np.asarray(made.standard_normal(o._array.shape)).astype(o._array.dtype)).requires_grad_()
            for o in outputs
        )
    else:
        directions = _tuple(grad_outputs)
    count = len(directions)

    def gradients(*arguments: Any) -> Any:
        points, weights = arguments[:-count], arguments[-count:]
        points = tuple(x.view_as(x) if isinstance(x, Tensor) and x._needs else x for x in points)
        values = [o for o in _tuple(func(*points)) if isinstance(o, Tensor) and o._needs]
        wanted = [x for x in points if isinstance(x, Tensor) and x._needs]
        return tuple(g for g in grad(values, wanted, weights, create_graph=True, allow_unused=True) if g is not None)

    return gradcheck(gradients, (*given, *directions), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception)
