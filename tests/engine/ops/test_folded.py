"""Rows of layers in one go are what the layers one by one are: numbers, nodes, versions and errors."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine as torch
from engine import observe
from engine.autograd import graph
from engine.nn import functional as F
from engine.ops.folded import Folded
from engine.ops.linear import AddmmBackward0
from engine.run import copying

nn = torch.nn


@pytest.fixture(autouse=True)
def nothing_unusual(monkeypatch):
    """As in a process in which nobody had a hook so far."""
    monkeypatch.setattr(graph, "unusual", False)


def one_by_one(model, x):
    for module in model:
        x = module(x)
    return x


def is_folded(tensor):
    return type(tensor._node) is Folded  # which looks at nothing of it


def nodes(tensor):
    """What can be seen of the graph behind a tensor: names, and the leaves by their numbers."""
    numbers = {}

    def seen(node):
        if node is None:
            return None
        if node.name() == "torch::autograd::AccumulateGrad":
            return numbers.setdefault(id(node.variable), len(numbers))
        return node.name(), node.freed, node.shape, [seen(each) for each, _ in node.next_functions]

    return seen(tensor.grad_fn)


def network(*sizes, activation=nn.ReLU, last=False):
    modules = []
    for one, other in itertools.pairwise(sizes):
        modules += [nn.Linear(one, other), activation()]
    return nn.Sequential(*modules[: None if last else -1])


def gradients(model):
    return [None if p.grad is None else p.grad.numpy().tobytes() for p in model.parameters()]


def versions(model):
    return [p._version for p in model.parameters()]


@st.composite
def networks(draw):
    torch.manual_seed(draw(st.integers(0, 1000)))
    sizes = draw(st.lists(st.integers(1, 20), min_size=2, max_size=5))
    activation = draw(st.sampled_from([nn.ReLU, nn.Tanh, nn.Sigmoid]))
    model = network(*sizes, activation=activation, last=draw(st.booleans()))
    if draw(st.booleans()):
        model = nn.Sequential(activation(), *model)
    for parameter in model.parameters():
        parameter.requires_grad_(draw(st.integers(0, 4)) > 0)
    x = torch.randn(draw(st.sampled_from([1, 2, 5, 17, 100])), sizes[0])
    x.requires_grad_(draw(st.booleans()))
    return model, x, draw(st.booleans())


@given(networks(), st.booleans())
def test_the_same_as_one_by_one(given_, twice):
    model, leaf, derived = given_
    found = []
    for forward in (one_by_one, lambda model, x: model(x)):
        model.zero_grad()
        leaf.grad = None
        x = leaf * 1 if derived else leaf
        out = forward(model, x)
        if out.requires_grad:
            loss = out.sum()
            (g,) = torch.autograd.grad(loss, [x], retain_graph=True) if x.requires_grad else (None,)
            loss = forward(model, x).sum()
            loss.backward(retain_graph=twice)
            if twice:
                loss.backward()
            freed = nodes(loss)
        else:
            g, freed = None, None
        found.append(
            [out.detach().numpy().tobytes(), gradients(model), None if g is None else g.numpy().tobytes(), freed]
        )
        found[-1].append(None if leaf.grad is None else leaf.grad.numpy().tobytes())
    assert found[0] == found[1]
    out = model(leaf)
    assert is_folded(out) == (len(model) > 1 and out.requires_grad)


def test_the_nodes_are_those_of_the_layers():
    model, x = network(3, 4, 2), torch.randn(5, 3, requires_grad=True)
    assert is_folded(model(x))
    assert nodes(model(x)) == nodes(one_by_one(model, x))
    out = model(x)
    assert isinstance(out.grad_fn, AddmmBackward0)
    assert not is_folded(out)
    assert repr(model(x)).endswith("grad_fn=<AddmmBackward0>)")
    loss = model(x).sum()
    loss.backward()
    assert nodes(loss) == nodes_after_backward(model, x)


def nodes_after_backward(model, x):
    loss = one_by_one(model, x).sum()
    loss.backward()
    return nodes(loss)


def test_numbers_grow_along_the_row():
    model, x = network(3, 4, 2), torch.randn(5, 3, requires_grad=True)
    start = (x * 2) ** 1
    before = start.grad_fn.number
    out = model(start)
    behind = (out * 2).grad_fn.number
    found, node = [], out.grad_fn
    while node is not start.grad_fn:
        found.append(node.number)
        node = next(each for each, _ in node.next_functions if each is not None and each.edges)
    assert sorted(found, reverse=True) == found
    assert len(set(found)) == 3
    assert before < found[-1]
    assert found[0] < behind


def change_a_weight(model, x, out):
    with torch.no_grad():
        model[2].weight.add_(1)


def change_the_input(model, x, out):
    with torch.no_grad():
        x.mul_(2)


def change_the_result(model, x, out):
    out.mul_(2)


def backward_before(model, x, out):
    out.sum().backward()


@pytest.mark.parametrize("wrong", [change_a_weight, change_the_input, change_the_result, backward_before])
def test_what_is_wrong_is_said_in_the_same_words(wrong):
    said = []
    for forward in (one_by_one, lambda model, x: model(x)):
        torch.manual_seed(0)
        model, x = network(3, 4, 2, last=True), torch.randn(5, 3)
        out = forward(model, x)
        wrong(model, x, out)
        with pytest.raises(RuntimeError) as caught:
            out.sum().backward()
        said.append([str(caught.value), gradients(model)])
    assert said[0] == said[1]


def test_what_nobody_needs_may_change():
    model, x = network(3, 4, 2), torch.randn(5, 3)
    out = model(x)
    with torch.no_grad():
        model[0].weight.add_(1)  # which is needed for the gradient of x alone
        model[2].bias.add_(1)
        out.mul_(2)  # which the last layer does not keep
    out.sum().backward()
    assert model[0].weight.grad is not None


def test_a_gradient_of_a_gradient():
    found = []
    for forward in (one_by_one, lambda model, x: model(x)):
        torch.manual_seed(0)
        model, x = network(3, 4, 1, activation=nn.Tanh), torch.randn(5, 3, requires_grad=True)
        (g,) = torch.autograd.grad(forward(model, x).sum(), x, create_graph=True)
        (g**2).sum().backward()
        found.append(gradients(model))
    assert found[0] == found[1]
    assert found[0][0] is not None


def test_hooks_on_the_result_and_its_node():
    model, x = network(3, 4, 2), torch.randn(5, 3)
    out = model(x)
    heard = []
    out.register_hook(lambda g: heard.append(g.shape))
    out.grad_fn.register_hook(lambda inputs, outputs: heard.append(len(inputs)))
    out.retain_grad()
    out.sum().backward()
    assert heard == [(5, 2), 3]
    assert out.grad.shape == (5, 2)


def test_shared_layers_add_up():
    found = []
    for forward in (one_by_one, lambda model, x: model(x)):
        torch.manual_seed(0)
        layer = nn.Linear(4, 4)
        model, x = nn.Sequential(layer, nn.Tanh(), layer, nn.Tanh(), layer), torch.randn(5, 4)
        (forward(model, x) + forward(model, x * 2)).sum().backward()
        found.append(gradients(model))
    assert found[0] == found[1]


def test_steps_between_forwards():
    """Training goes on as one by one: parameters, their versions and gradients."""
    found = []
    for forward in (one_by_one, lambda model, x: model(x)):
        torch.manual_seed(0)
        model, x, y = network(2, 8, 1), torch.randn(20, 2), torch.randn(20, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        for _ in range(5):
            optimizer.zero_grad()
            F.mse_loss(forward(model, x), y).backward()
            optimizer.step()
        found.append([[p.detach().numpy().tobytes() for p in model.parameters()], versions(model), gradients(model)])
    assert found[0] == found[1]


def hooked(model):
    model[1].register_forward_hook(lambda *_: None)


def with_a_forward_of_its_own(model):
    model[1].forward = lambda x: x * 2


def in_place(model):
    model[1].inplace = True


def without_bias(model):
    model[0].bias = model[2].bias = None


def in_double(model):
    model.double()


@pytest.mark.parametrize("change", [hooked, with_a_forward_of_its_own, in_place, without_bias, in_double])
def test_what_is_unusual_goes_one_by_one(change):
    model, x = network(3, 4, 2), torch.randn(5, 3)
    change(model)
    x = x.double() if change is in_double else x
    out = model(x)
    assert not is_folded(out)
    assert torch.equal(out, one_by_one(model, x))


def test_nothing_is_folded_where_somebody_watches(monkeypatch):
    class Watcher:
        every_gradient = True

        def __init__(self):
            self.seen = []

        def operation(self, node, output, inputs):
            self.seen.append(node.name())

        def enter_module(self, module):
            self.seen.append(type(module).__name__)

        def leave_module(self, module):
            pass

    model, x, watcher = network(3, 4, 2), torch.randn(5, 3), Watcher()
    monkeypatch.setattr(observe, "active", watcher)
    model(x)
    assert watcher.seen == [
        *("Sequential", "Linear", "AddmmBackward0", "ReLU", "ReluBackward0", "Linear", "AddmmBackward0")
    ]


def test_without_gradients_nothing_is_recorded():
    model, x = network(3, 4, 2), torch.randn(5, 3)
    with torch.no_grad():
        out = model(x)
    assert out.grad_fn is None
    assert torch.equal(out, one_by_one(model, x))
    with torch.inference_mode():
        assert model(x).is_inference()


def test_shapes_that_do_not_fit_are_refused_by_the_layer():
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(5, 2))
    with pytest.raises(RuntimeError, match=r"mat1 and mat2 shapes cannot be multiplied \(5x4 and 5x2\)"):
        model(torch.randn(5, 3))


def test_a_layer_that_was_not_initialised_says_so():
    model = network(2, 2, 2)
    model._modules["0"] = nn.Linear.__new__(nn.Linear)
    with pytest.raises(AttributeError, match="'Linear' object has no attribute '_backward_hooks'"):
        model(torch.ones(2, 2))


def test_what_is_kept_is_let_go_by_backward():
    model, x = network(3, 4, 2), torch.randn(5, 3)
    loss = model(x).sum()
    row = object.__getattribute__(loss.grad_fn.edges[0], "row")
    assert [each is None for each in row.results] == [False, True, False, True]  # the results that nobody needs
    loss.backward()
    assert row.results is None
    assert row.source is None


def test_a_copy_of_all_that_a_program_holds():
    model, x = network(3, 4, 2), torch.randn(5, 3)
    loss = model(x).sum()
    copied_loss, copied = copying.Copier(1 << 20, {}, copying.Known()).copy((loss, model))
    loss.backward()
    copied_loss.backward()
    assert gradients(copied) == gradients(model)
    assert nodes(copied_loss) == nodes(loss)


def test_other_modules_between():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Flatten(), nn.Linear(6, 4), nn.ReLU(), nn.Dropout(0.0), nn.Linear(4, 4), nn.Tanh())
    x = torch.randn(5, 2, 3)
    assert is_folded(model(x))
    assert np.array_equal(model(x).detach().numpy(), one_by_one(model, x).detach().numpy())
    assert nodes(model(x)) == nodes(one_by_one(model, x))
