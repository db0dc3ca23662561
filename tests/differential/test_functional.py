"""torch.autograd.functional and gradcheck against PyTorch."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from tests.differential import oracle


def _cubes(x: Any) -> Any:
    return x**3


def _mixed(torch: Any) -> Any:
    return lambda x, y: ((x * y.sum()).sin(), (x**2).sum() * y)


# fmt: off
CASES: dict[str, Any] = {
    "jacobian": lambda t, F: F.jacobian(_cubes, t.tensor([1.0, 2.0])),
    "jacobian of a matrix": lambda t, F: F.jacobian(lambda w: w @ w, t.tensor([[1.0, 2.0], [3.0, 4.0]])),
    "jacobian of several": lambda t, F: F.jacobian(_mixed(t), (t.tensor([1.0, 2.0]), t.tensor([0.5, 1.5]))),
    "jacobian of a constant": lambda t, F: F.jacobian(lambda x: t.ones(2), t.tensor([1.0])),
    "jacobian, strict": lambda t, F: F.jacobian(lambda x: t.ones(2), t.tensor([1.0]), strict=True),
    "jacobian, graph": lambda t, F: F.jacobian(_cubes, t.tensor([1.0, 2.0], requires_grad=True), create_graph=True),
    "jacobian of a list": lambda t, F: F.jacobian(_cubes, [t.tensor([1.0])]),
    "jacobian of a number": lambda t, F: F.jacobian(lambda x: 3, t.tensor([1.0])),
    "hessian": lambda t, F: F.hessian(lambda x: (x**3).sum(), t.tensor([1.0, 2.0])),
    "hessian of several": lambda t, F: F.hessian(lambda x, y: (x**2 * y).sum(), (t.tensor([1.0]), t.tensor([2.0]))),
    "hessian of a vector": lambda t, F: F.hessian(_cubes, t.tensor([1.0, 2.0])),
    "vjp": lambda t, F: F.vjp(_cubes, t.tensor([1.0, 2.0]), t.tensor([1.0, 0.5])),
    "vjp without v": lambda t, F: F.vjp(_cubes, t.tensor([1.0, 2.0])),
    "vjp, shape": lambda t, F: F.vjp(_cubes, t.tensor([1.0, 2.0]), t.ones(3)),
    "jvp": lambda t, F: F.jvp(_cubes, t.tensor([1.0, 2.0]), t.tensor([1.0, 0.5])),
    "jvp without v": lambda t, F: F.jvp(_cubes, t.tensor([1.0, 2.0])),
    "hvp": lambda t, F: F.hvp(lambda x: (x**3).sum(), t.tensor([1.0, 2.0]), t.tensor([1.0, 0.5])),
    "vhp": lambda t, F: F.vhp(lambda x: (x**3).sum(), t.tensor([1.0, 2.0]), t.tensor([1.0, 0.5])),
    "vhp of several": lambda t, F: F.vhp(
        lambda x, y: (x**2 * y).sum(), (t.tensor([1.0]), t.tensor([2.0])), (t.ones(1), t.ones(1))),
}
# fmt: on


def _outcome(torch: Any, name: str) -> Any:
    try:
        return repr(CASES[name](torch, torch.autograd.functional))
    except Exception as error:
        return [type(error).__name__, str(error)]


@pytest.mark.parametrize("name", CASES)
def test_functional(name: str) -> None:
    assert _outcome(engine, name) == oracle.answer("functional", name, lambda torch: _outcome(torch, name))


def test_gradcheck_accepts_what_is_right_and_sees_what_is_wrong() -> None:
    x = engine.tensor([0.5, 1.5], dtype=engine.float64, requires_grad=True)
    assert engine.autograd.gradcheck(lambda a: a.exp() * a, x)
    assert engine.autograd.gradgradcheck(lambda a: a.exp() * a, x)
    assert not engine.autograd.gradcheck(lambda a: a * a.detach(), x, raise_exception=False)
    with pytest.raises(RuntimeError, match="Jacobian mismatch for output 0 with respect to input 0"):
        engine.autograd.gradcheck(lambda a: a * a.detach(), x)
