"""Random programs of operations, views and in-place changes, in PyTorch and in the engine: the same values, errors,
versions, grad_fn names and gradients."""

from __future__ import annotations

import contextlib
import re
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engine
from tests.differential import oracle

# Each takes torch and one or two tensors.
# fmt: off
PURE: list[Any] = [
    lambda t, a, b: a + b,
    lambda t, a, b: a * b,
    lambda t, a, b: a - 2 * b,
    lambda t, a, b: a / (b * b + 1),
    lambda t, a, b: a * 0.5,
    lambda t, a, b: 1 - a,
    lambda t, a, b: t.sin(a),
    lambda t, a, b: t.tanh(a),
    lambda t, a, b: t.sigmoid(a),
    lambda t, a, b: t.relu(a),
    lambda t, a, b: a ** 2,
    lambda t, a, b: a.abs(),
    lambda t, a, b: -a,
    lambda t, a, b: a.clone(),
    lambda t, a, b: a.detach(),
    lambda t, a, b: a.data,
    lambda t, a, b: a.sum(),
    lambda t, a, b: a.mean(0),
    lambda t, a, b: a.sum(-1, keepdim=True),
    lambda t, a, b: a.max(),
    lambda t, a, b: t.mm(a, b),
    lambda t, a, b: t.maximum(a, b),
    lambda t, a, b: t.where(a > 0, a, b),
    lambda t, a, b: t.cat([a, b]),
    lambda t, a, b: t.stack([a, b]),
    lambda t, a, b: a.clamp(-0.5, 0.5),
    lambda t, a, b: a.cumsum(0),
    lambda t, a, b: t.softmax(a, -1),
]
VIEWS: list[Any] = [
    lambda t, a, b: a.view(-1),
    lambda t, a, b: a.reshape(-1),
    lambda t, a, b: a.t(),
    lambda t, a, b: a.transpose(0, 1),
    lambda t, a, b: a.T,
    lambda t, a, b: a[0],
    lambda t, a, b: a[1:],
    lambda t, a, b: a[:, 1],
    lambda t, a, b: a[..., 0],
    lambda t, a, b: a[0, 1:],
    lambda t, a, b: a.unsqueeze(0),
    lambda t, a, b: a.squeeze(),
    lambda t, a, b: a.unbind(0)[0],
    lambda t, a, b: a.split(1)[0],
    lambda t, a, b: a.chunk(2)[1],
    lambda t, a, b: a.diagonal(),
    lambda t, a, b: a.narrow(0, 0, 1),
    lambda t, a, b: a.flatten(),
    lambda t, a, b: a.view_as(b),
    lambda t, a, b: a.permute(1, 0),
]
CHANGES: list[Any] = [
    lambda t, a, b: a.add_(1),
    lambda t, a, b: a.add_(b),
    lambda t, a, b: a.mul_(2),
    lambda t, a, b: a.mul_(b),
    lambda t, a, b: a.sub_(b),
    lambda t, a, b: a.div_(2),
    lambda t, a, b: a.zero_(),
    lambda t, a, b: a.fill_(0.5),
    lambda t, a, b: a.copy_(b),
    lambda t, a, b: a.sin_(),
    lambda t, a, b: a.tanh_(),
    lambda t, a, b: a.relu_(),
    lambda t, a, b: a.clamp_(-0.5, 0.5),
    lambda t, a, b: a.__setitem__(0, 0.25),
    lambda t, a, b: a.__setitem__(0, b[0]),
    lambda t, a, b: a.__setitem__((slice(None), 1), b[:, 0]),
    lambda t, a, b: a.__setitem__(slice(1, None), b[1:]),
    lambda t, a, b: a.__iadd__(b),
    lambda t, a, b: a.__imul__(0.5),
    lambda t, a, b: a.data.mul_(0.5),
    lambda t, a, b: a.detach().mul_(0.5),
]
# fmt: on
STEPS = PURE + VIEWS + CHANGES


def start(torch: Any) -> list[Any]:
    made = np.random.RandomState(3)
    w = torch.from_numpy(made.standard_normal((2, 2))).requires_grad_()
    x = torch.from_numpy(made.standard_normal((2, 2))).requires_grad_()
    c = torch.from_numpy(made.standard_normal((2, 2)))
    v = torch.from_numpy(made.standard_normal(2)).requires_grad_()
    return [w, x, c, v, w * 1.5, x + c]


def tried(function: Any) -> Any:
    """A result, or the error in words."""
    try:
        return function()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def told(t: Any) -> list[Any]:
    node = tried(lambda: t.grad_fn)
    name = node if node is None or isinstance(node, str) else node.name()
    return [t.tolist(), list(t.shape), t.requires_grad, t._version, name]


def execute(torch: Any, program: list[tuple[int, int, int, bool]], names: bool = True) -> list[Any]:
    """What each step gave or raised, all tensors at the end, and the gradients of each tensor's sum."""
    pool = start(torch)
    leaves = [each for each in pool if each.requires_grad and each.is_leaf]
    log: list[Any] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for step, first, second, silent in program:
            a, b = pool[first % len(pool)], pool[second % len(pool)]
            if (
                step >= len(PURE) + len(VIEWS)
                and a is not b
                and np.shares_memory(a.detach().numpy(), b.detach().numpy())
            ):
                continue  # what a change of overlapping memory gives depends on the order of the elements
            with torch.no_grad() if silent else contextlib.nullcontext():
                result = tried(lambda a=a, b=b, step=step: STEPS[step](torch, a, b))
            if isinstance(result, str):
                log.append(result)
            elif hasattr(result, "requires_grad") and not any(result is each for each in pool):
                pool.append(result)
        log += [told(each) for each in pool]
        for i, each in enumerate(pool):
            if not each.requires_grad or each.dtype is not torch.float64:
                continue
            found = tried(
                lambda each=each: torch.autograd.grad(each.sum(), leaves, allow_unused=True, retain_graph=True)
            )
            log.append([i, found if isinstance(found, str) else [None if g is None else g.tolist() for g in found]])
    return log


MAKER = re.compile(r", which is output \d of [\w:]+,")  # of a result saved in place on a view it is now this, now that
CHANGED = "has been modified by an inplace operation"
STALE = ("is a view", "A view was created in no_grad mode")


def near(a: Any, b: Any) -> bool:
    """The same structure, and the same numbers to the last few digits. Where two things are wrong at once, one of them
    with a view that cannot be used any more, either may be told; and where several saved tensors were changed, any of
    them."""
    if isinstance(a, str) and isinstance(b, str) and any(word in b for word in STALE):
        return "Error: " in a
    if isinstance(a, str) and isinstance(b, str) and CHANGED in b:
        return CHANGED in a
    if isinstance(a, str) and isinstance(b, str):
        return MAKER.sub("", a) == MAKER.sub("", b)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(near(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, float) and isinstance(b, float):
        return bool(np.isclose(a, b, 1e-9, 1e-9, equal_nan=True))
    return type(a) is type(b) and bool(a == b)


step = st.tuples(
    st.one_of(
        st.integers(0, len(PURE) - 1),
        st.integers(len(PURE), len(PURE) + len(VIEWS) - 1),
        st.integers(len(PURE) + len(VIEWS), len(STEPS) - 1),
    ),
    st.integers(0, 20),
    st.integers(0, 20),
    st.sampled_from([False, False, False, True]),
)


@pytest.mark.oracle
@settings(max_examples=150, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(step, min_size=1, max_size=8))
def test_programs(program: list[tuple[int, int, int, bool]]) -> None:
    compare(program)


@pytest.mark.oracle
@pytest.mark.slow
@settings(max_examples=600, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(step, min_size=3, max_size=14))
def test_many_programs(program: list[tuple[int, int, int, bool]]) -> None:
    compare(program)


def compare(program: list[tuple[int, int, int, bool]]) -> None:
    theirs = execute(oracle.torch(), program)
    ours = execute(engine, program)
    assert len(ours) == len(theirs), (ours, theirs)
    for a, b in zip(ours, theirs, strict=True):
        assert near(a, b), f"{a}\nPyTorch: {b}"
