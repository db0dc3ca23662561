"""What hooks of modules are given."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from tests.differential import oracle


def told_to_hooks(torch: Any) -> list[Any]:
    """Of the backward hook of a module whose input does not require grad."""
    torch.manual_seed(0)
    told: list[Any] = []
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))

    def hook(module: Any, grads_in: Any, grads_out: Any) -> None:
        told.append([type(module).__name__, [g is None for g in grads_in], [list(g.shape) for g in grads_out]])

    model[0].register_full_backward_hook(hook)
    model(torch.ones(5, 3)).sum().backward()
    return told


@pytest.mark.filterwarnings("ignore")
def test_a_first_layer_has_no_gradient_of_its_input() -> None:
    assert told_to_hooks(engine) == oracle.answer("hooks", "first layer", told_to_hooks)


def _shapes(grads: Any) -> list[Any]:
    return [None if g is None else list(g.shape) for g in grads]


def _modules(torch: Any) -> list[tuple[Any, Any]]:
    nn, asks = torch.nn, {"requires_grad": True}
    return [
        (nn.Linear(3, 2), torch.randn(4, 3)),
        (nn.Linear(3, 2), torch.randn(4, 3, **asks)),
        (nn.Linear(3, 2, bias=False), torch.randn(4, 3, **asks)),
        (nn.Linear(3, 2), torch.randn(2, 4, 3, **asks)),
        (nn.Conv2d(1, 2, 3), torch.randn(1, 1, 5, 5)),
        (nn.ReLU(), torch.randn(3, **asks)),
        (nn.Sequential(nn.Linear(3, 2), nn.Tanh()), torch.randn(4, 3, **asks)),
        (nn.BatchNorm1d(3), torch.randn(5, 3)),
        (nn.Embedding(5, 3), torch.tensor([1, 2])),
    ]


def told_to_all(torch: Any, register: str) -> list[Any]:
    """What the backward hooks of many modules are told, and what a hook that answers changes."""
    torch.manual_seed(0)
    told: list[Any] = []
    for module, given in _modules(torch):
        getattr(module, register)(
            lambda m, i, o: told.append([type(m).__name__, _shapes(i), _shapes(o)])  # append gives None: no answer
        )
        module(given).sum().backward()
    layer, given = torch.nn.Linear(2, 1), torch.ones(1, 2, requires_grad=True)
    getattr(layer, register)(lambda m, i, o: tuple(10 * g for g in i))
    out = layer(given)
    told.append(out.grad_fn.name())
    out.sum().backward()
    told += [layer.weight.grad.tolist(), layer.bias.grad.tolist(), given.grad.div(layer.weight.detach()).tolist()]
    other = {"register_full_backward_hook": "register_backward_hook"}.get(register, "register_full_backward_hook")
    told.append(oracle.error_of(lambda: getattr(layer, other)(print)))
    return told


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("register", ["register_full_backward_hook", "register_backward_hook"])
def test_backward_hooks_are_told_what_pytorchs_are(register: str) -> None:
    wanted = oracle.answer("hooks", register, lambda torch: told_to_all(torch, register))
    assert told_to_all(engine, register) == wanted


def of_a_convolution(torch: Any) -> list[Any]:
    told: list[Any] = []
    for layer in (torch.nn.Conv2d(1, 2, 3), torch.nn.ConvTranspose2d(1, 2, 3)):
        layer.register_backward_hook(lambda m, i, o: told.append([_shapes(i), _shapes(o)]))
        layer(torch.ones(1, 1, 5, 5, requires_grad=True)).sum().backward()
        layer(torch.ones(1, 1, 5, 5)).sum().backward()
    return told


@pytest.mark.filterwarnings("ignore")
def test_older_hooks_of_a_convolution_see_its_weight_as_it_lies() -> None:
    assert of_a_convolution(engine) == oracle.answer("hooks", "convolution", of_a_convolution)


def of_several_inputs(torch: Any) -> list[Any]:
    class Sum(torch.nn.Module):  # type: ignore[misc]
        def forward(self, x: Any, name: str, y: Any) -> Any:
            return x * y, x + 1

    told: list[Any] = []
    module = Sum()
    module.register_full_backward_hook(lambda m, i, o: told.append([_shapes(i), _shapes(o)]))
    x, y = torch.ones(2, requires_grad=True), torch.ones(2)
    product, more = module(x, "y", y)
    product.sum().backward(retain_graph=True)
    (product + more).sum().backward()
    module.register_full_backward_hook(lambda m, i, o: (None,))
    told += [x.grad.tolist(), oracle.error_of(lambda: module(x, "y", y)[0].sum().backward())]
    return told


@pytest.mark.filterwarnings("ignore")
def test_a_full_hook_sees_all_inputs_and_outputs_in_their_places() -> None:
    assert of_several_inputs(engine) == oracle.answer("hooks", "several inputs", of_several_inputs)


def _first_of_two(torch: Any) -> list[str]:
    """What is said of a first input that needs no gradient, and of a first output that has none."""
    told: list[str] = []

    class Product(torch.nn.Module):
        def forward(self, a: Any, b: Any) -> Any:
            return a * b

    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            positive = x > 0
            ctx.mark_non_differentiable(positive)
            return positive, x * 2

        @staticmethod
        def backward(ctx: Any, _: Any, g: Any) -> Any:
            return g * 2

    module = Product()
    module.register_full_backward_hook(lambda m, i, o: told.append(repr((i, o))))
    b = torch.tensor([5.0], requires_grad=True)
    module(torch.tensor([3.0]), b).sum().backward()
    return [*told, repr(Doubled.apply(b)), repr(torch.linalg.slogdet(b.reshape(1, 1)))]


@pytest.mark.filterwarnings("ignore")
def test_what_needs_no_gradient_comes_first() -> None:
    assert _first_of_two(engine) == oracle.answer("hooks", "first of two", _first_of_two)


def told_to_hooks_on_all(torch: Any, place: Any) -> list[Any]:
    """What full backward (pre-)hooks on all modules are told, in order, and what one that answers changes."""
    told: list[Any] = []
    model = torch.nn.Sequential(torch.nn.Linear(2, 1, bias=False), torch.nn.Tanh())
    given = torch.ones(1, 2, requires_grad=True)
    handles = [
        place.register_module_full_backward_pre_hook(
            lambda m, o: told.append(["before", type(m).__name__, o[0].item()])
        ),
        place.register_module_full_backward_pre_hook(lambda m, o: (o[0] * 2,)),
        place.register_module_full_backward_hook(lambda m, i, o: told.append([type(m).__name__, o[0].item()])),
    ]
    with torch.no_grad():
        model[0].weight.fill_(0.0)
    for _ in range(2):
        model(given).sum().backward()
        told.append(given.grad.tolist())
        for handle in handles:
            handle.remove()
    return told


def test_hooks_on_all_modules_before_the_gradients_pass() -> None:
    from engine.nn import everywhere

    theirs = oracle.answer("hooks", "before on all", lambda torch: told_to_hooks_on_all(torch, torch.nn.modules.module))
    assert told_to_hooks_on_all(engine, everywhere) == theirs
