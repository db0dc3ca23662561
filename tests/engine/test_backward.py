"""The backward walk: what accumulates, what is freed, what is counted, and that nothing is shared by mistake."""

import itertools
import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine as torch
from engine import observe
from engine.autograd import careful
from engine.autograd.graph import Node
from engine.nn import everywhere


def scalar(value):
    return torch.tensor(value, requires_grad=True)


def test_backward_adds_to_grad_in_the_same_tensor():
    w = scalar(1.5)
    ((w * 2.0 - 7.0) ** 2).backward()
    first = w.grad
    ((w * 2.0 - 7.0) ** 2).backward()
    assert w.grad is first
    assert w.grad.item() == -32.0
    assert w.grad._version == 1


def test_none_is_not_zero():
    w = scalar(1.0)
    assert w.grad is None
    optimizer = torch.optim.SGD([w], lr=0.1)
    (w * w).backward()
    optimizer.zero_grad()
    assert w.grad is None
    (w * w).backward()
    kept = w.grad
    optimizer.zero_grad(set_to_none=False)
    assert w.grad is kept
    assert w.grad.item() == 0.0


@pytest.mark.parametrize(
    ("make", "second_fails"),
    [
        (lambda x: x + 3, False),
        (lambda x: x.sum(), False),
        (lambda x: x.mean(), False),
        (lambda x: 3 * x, True),
        (lambda x: x * x, True),
        (lambda x: x.exp(), True),
        (lambda x: -x, False),
    ],
)
def test_a_second_backward_depends_on_what_was_saved(make, second_fails):
    x = scalar(2.0)
    y = make(x)
    y.backward()
    before = x.grad.item()
    if second_fails:
        with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
            y.backward()
        assert x.grad.item() == before
    else:
        y.backward()
        assert x.grad.item() == 2 * before


def test_retain_graph_keeps_what_was_saved():
    x = scalar(3.0)
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.item() == 12.0
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()


def test_gradients_of_two_uses_are_summed_before_they_are_accumulated():
    class Watcher:
        def __init__(self):
            self.added = []

        def accumulate(self, leaf, before, added):
            self.added.append((before, added.item()))

        def __getattr__(self, name):
            return lambda *a: None

    watcher = Watcher()
    w = scalar(2.0)
    with observe.watching(watcher):
        (w * 3 + w * 4).backward()
    assert watcher.added == [(None, 7.0)]


@pytest.mark.parametrize("hooked", [False, True])
def test_who_wants_no_gradients_is_told_of_the_leaves(hooked):
    class Watcher:
        every_gradient = False

        def __init__(self):
            self.told = []

        def __getattr__(self, name):
            return lambda *a: self.told.append((name, a))

    watcher = Watcher()
    v, w = scalar(2.0), scalar(3.0)
    if hooked:
        w.register_hook(lambda g: g * 10)
    with observe.watching(watcher):
        (v * w + w).backward()
    assert [name for name, _ in watcher.told[:3]] == ["operation", "operation", "backward"]
    after = watcher.told[3:]
    if hooked:  # what is unusual is walked as it always is
        assert {name for name, _ in after} == {"gradient", "accumulate"}
    else:
        ((name, (leaves,)),) = after
        assert name == "reached"
        assert {id(leaf) for leaf in leaves} == {id(v), id(w)}
    assert (v.grad.item(), w.grad.item()) == (3.0, 30.0 if hooked else 3.0)


def test_what_is_watched_is_recorded_as_what_is_not():
    def graph():
        x, y = torch.ones(2, 3, requires_grad=True), torch.ones(3, requires_grad=True)
        layer = torch.nn.functional.linear(x, torch.ones(4, 3), torch.ones(4))
        return [x * y, x + 2, layer, x.exp(), x[1] * y.unbind(0)[1]]

    told = []

    class Watcher:
        def __getattr__(self, name):
            return lambda *a: told.append(a[0])

    plain = graph()
    with observe.watching(Watcher()):
        watched = graph()
    for one, other in zip(plain, watched, strict=True):
        a, b = one.grad_fn, other.grad_fn
        assert (type(a), a.shape, a.dtype, a.versions, a.edge_numbers) == (
            type(b),
            b.shape,
            b.dtype,
            b.versions,
            b.edge_numbers,
        )
        assert [type(each) for each in a.edges] == [type(each) for each in b.edges]
        assert [each is None for each in a.saved] == [each is None for each in b.saved]
        assert b in told


def _operands(case):
    x, y = torch.ones(2, 3, requires_grad=True), torch.ones(3)
    if case == "both are leaves":
        y.requires_grad_()
    elif case == "computed":
        x = x.exp()
    elif case == "changed in place":
        y.add_(1)
        x = x.exp().add_(1)
    elif case == "one of several results":
        x, y = x.unbind(0)
    elif case == "0-d":
        x, y = x.sum(), x[0].sum()
    elif case == "nothing is needed":
        x = x.detach()
    return x, y


@pytest.mark.parametrize(
    "case",
    [
        "a leaf",
        "both are leaves",
        "computed",
        "changed in place",
        "one of several results",
        "0-d",
        "nothing is needed",
    ],
)
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("name", ["add", "mul"])
def test_an_operator_is_recorded_as_the_function_is(name, swapped, case):
    x, y = reversed(_operands(case)) if swapped else _operands(case)
    one, other = getattr(operator, name)(x, y), getattr(torch, name)(x, y)
    assert (one.requires_grad, one._version, one.tolist()) == (other.requires_grad, other._version, other.tolist())
    a, b = one.grad_fn, other.grad_fn
    assert type(a) is type(b)
    if a is None:
        return
    assert (a.shape, a.dtype, a.edge_numbers, b.number - a.number) == (b.shape, b.dtype, b.edge_numbers, 1)
    assert [*map(id, a.edges)] == [*map(id, b.edges)]
    assert [*map(id, a.saved)] == [*map(id, b.saved)]
    x.detach().add_(1), y.detach().add_(1)
    if name == "mul":
        for node in (a, b):
            with pytest.raises(RuntimeError, match=r"modified (by an )?inplace"):
                node.unpack()


def test_no_two_leaves_share_a_gradient():
    leaves = [torch.ones(3, requires_grad=True) for _ in range(4)]
    a, b, c, d = leaves
    ((a + b) - (c + d)).sum().backward()
    for p, q in itertools.combinations(leaves, 2):
        assert not np.shares_memory(p.grad.numpy(), q.grad.numpy())
    a.grad.zero_()
    assert b.grad.tolist() == [1.0, 1.0, 1.0]


def test_the_gradient_given_to_backward_is_not_taken():
    x = torch.ones(3, requires_grad=True)
    seed = torch.tensor([1.0, 2.0, 3.0])
    x.backward(seed)
    x.grad.zero_()
    assert seed.tolist() == [1.0, 2.0, 3.0]


def test_what_was_broadcast_is_summed():
    row = torch.zeros(3, requires_grad=True)
    column = torch.zeros(2, 1, requires_grad=True)
    (row + column).sum().backward()
    assert row.grad.tolist() == [2.0, 2.0, 2.0]
    assert column.grad.tolist() == [[3.0], [3.0]]


def test_gradients_have_the_dtype_of_their_tensors():
    a = torch.tensor([1.0], requires_grad=True)
    b = torch.tensor([2.0], dtype=torch.float64, requires_grad=True)
    (a * b).sum().backward()
    assert (a.grad.dtype, b.grad.dtype) == (torch.float32, torch.float64)


def test_an_in_place_change_of_a_saved_tensor_is_noticed():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    z = y * y
    y += 1
    with pytest.raises(RuntimeError, match=r"\[torch.FloatTensor \[2\]\], which is output 0 of Add, is at version 1"):
        z.sum().backward()


def test_a_change_through_data_is_not():
    x = torch.tensor([3.0], requires_grad=True)
    y = x * x
    x.data.fill_(10.0)
    y.backward()
    assert x.grad.item() == 20.0


def test_views_take_part_in_their_bases_history():
    a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    base = a * 1
    middle = base[1]
    base.mul_(10)
    assert middle.item() == 20.0
    middle.backward()
    assert a.grad.tolist() == [0.0, 10.0, 0.0]


def test_an_in_place_change_of_a_view_reaches_the_base():
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    base = torch.zeros(3)
    base[1:].add_(a * 3)
    (base * base).sum().backward()
    assert a.grad.tolist() == [18.0, 36.0]


def test_leaves_refuse_in_place_changes_while_recording():
    w = torch.tensor([1.0], requires_grad=True)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place"):
        w -= 1
    with pytest.raises(RuntimeError, match="a view of a leaf Variable"):
        w[0] = 1
    assert w.tolist() == [1.0]
    with torch.no_grad():
        w -= 1
    assert w.tolist() == [0.0]
    assert w.is_leaf


def test_retain_grad_and_hooks():
    x = scalar(2.0)
    y = x * 3
    y.retain_grad()
    seen = []
    y.register_hook(lambda g: seen.append(g.item()))
    x.register_hook(lambda g: g * 10)
    (y * y).backward()
    assert (y.grad.item(), seen, x.grad.item()) == (12.0, [12.0], 360.0)


def test_higher_order():
    x = scalar(2.0)
    orders = []
    y = x**4
    for _ in range(4):
        (y,) = torch.autograd.grad(y, x, create_graph=True)
        orders.append(y.item())
    assert orders == [32.0, 48.0, 48.0, 24.0]
    assert x.grad is None


def test_grad_of_an_unused_input():
    x, y = scalar(1.0), scalar(1.0)
    with pytest.raises(RuntimeError, match="appears to not have been used"):
        torch.autograd.grad(x * 2, [x, y])
    assert torch.autograd.grad(x * 2, [x, y], allow_unused=True) == (torch.tensor(2.0), None)


def test_custom_function():
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x * x

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 3 * x * x

    x = scalar(2.0)
    y = Cube.apply(x)
    assert y.grad_fn.name() == "CubeBackward"
    y.backward()
    assert x.grad.item() == 12.0
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()


values = st.floats(-2, 2, width=32)


@given(st.lists(values, min_size=1, max_size=4), st.lists(st.integers(0, 6), min_size=1, max_size=8))
def test_a_backward_twice_with_retain_graph_doubles(numbers, steps):
    x = torch.tensor(numbers, requires_grad=True)
    y = x
    for step in steps:
        y = [y * x, y + x, y.tanh(), y - 1.5, y * 0.5, y.sin(), -y][step]
    y.sum().backward(retain_graph=True)
    once = x.grad.numpy().copy()
    y.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), 2 * once, rtol=1e-5)


@pytest.mark.parametrize("shape", [(1,), (1, 3), (3,)])
@pytest.mark.parametrize("is_leaf", [True, False])
def test_a_bias_that_was_broadcast_gets_a_gradient_of_its_own_shape(shape, is_leaf):
    leaf = torch.ones(shape, requires_grad=True)
    bias = leaf if is_leaf else leaf * 2
    if not is_leaf:
        bias.retain_grad()
    x = torch.ones(2, 4) * torch.ones(1, requires_grad=True)
    torch.nn.functional.linear(x, torch.ones(3, 4), bias).sum().backward()
    assert bias.grad.shape == shape
    assert bias.grad.sum().item() == 6.0
    leaf.grad = None
    bias = leaf if is_leaf else (leaf * 2).reshape(-1).view(shape)
    torch.nn.functional.linear(x.detach(), torch.ones(3, 4), bias).sum().backward()
    assert leaf.grad.shape == shape
    assert leaf.grad.sum().item() == (6.0 if is_leaf else 12.0)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12))
def test_a_plain_graph_gives_what_one_with_a_hook_gives(steps):
    """Where nothing is unusual the walk is another one; branches meet again in both."""
    gradients = []
    for hooked in (False, True):
        leaves = [
            torch.tensor([0.5, -1.25, 2.0], requires_grad=True),
            torch.tensor([[0.75], [-0.5]], requires_grad=True),
        ]
        if hooked:
            leaves[0].register_hook(lambda g: None)
        values = list(leaves)
        for kind, i, j in steps:
            a, b = values[i % len(values)], values[j % len(values)]
            values.append([a * b, a + b, a - b, torch.tanh(a), a.sum(), torch.sin(b)][kind])
        total = sum((each.sum() for each in values[2:]), start=leaves[0].sum() * 0)
        total.backward()
        gradients.append([None if leaf.grad is None else leaf.grad.numpy() for leaf in leaves])
    for plain, other in zip(*gradients, strict=True):
        np.testing.assert_array_equal(plain, other)


@pytest.mark.parametrize("hooked", [False, True])
def test_a_backward_that_fails_has_reached_the_leaves_that_were_done(hooked):
    early, late, twice = (torch.ones(2, requires_grad=True) for _ in range(3))
    if hooked:
        early.register_hook(lambda g: None)
    inside = early * 2
    factor = twice * 3
    total = (inside * factor * late * twice).sum()
    with torch.no_grad():
        inside.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        total.backward()
    assert late.grad.tolist() == [6.0, 6.0]
    assert early.grad is None
    assert twice.grad is None  # more would have reached it


def kinds_of_nodes() -> list[type[Node]]:
    found, kinds = [], [Node]
    while kinds:
        found.append(kinds.pop())
        kinds += found[-1].__subclasses__()
    return found


def test_a_way_through_a_node_is_that_of_its_backward():
    """A kind made from another, with a gradient of its own, has no way that is the other's."""
    assert Node.through is None
    (torch.ones(2, requires_grad=True) + 1j).tanh()  # nodes of complex numbers are kinds made from others
    own = [kind for kind in kinds_of_nodes() if kind.through is not None]
    assert own
    for kind in own:
        first = next(each for each in kind.__mro__ if {"through", "backward"} & vars(each).keys())
        assert "through" in vars(first), kind


def test_python_remembers_where_the_attributes_of_nodes_are():
    """A class with a `__getattr__` is looked through each time, which made the walks longer."""
    for kind in kinds_of_nodes():
        assert "__getattr__" not in vars(kind) or kind.__module__ == "engine.autograd.function", kind
    node = torch.ones(2, requires_grad=True).tanh().grad_fn
    assert [name for name in dir(node) if "_saved_" in name] == ["_raw_saved_result", "_saved_result"]
    assert not hasattr(node, "_saved_self")


def test_a_hook_on_all_modules_leaves_nothing_behind() -> None:
    with everywhere.register_module_forward_hook(lambda module, args, result: None):
        assert everywhere.hooks
    assert not everywhere.hooks
    assert not careful.on


@pytest.mark.parametrize("kind", ["var", "std"])
def test_the_spread_of_one_number_alone(kind: str) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    assert getattr(x, kind)(correction=0) == 0


def test_a_function_of_ones_own_is_printed_with_its_module():
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return 2 * x

        @staticmethod
        def backward(ctx, g):
            return 2 * g

    out = Twice.apply(torch.ones(1, requires_grad=True))
    assert repr(out.grad_fn).startswith("<torch.autograd.function.TwiceBackward object at 0x")
