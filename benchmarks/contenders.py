"""The workloads, written as a user of each library would.

Each contender is a function from a workload to `(iterate, read)`: `iterate()` does one iteration, `read()` answers the
parameters and, for W4, the gradient. One that cannot do a workload raises `Unable`.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.workloads import CHAIN, Workload

Prepared = tuple[Callable[[], Any], Callable[[], list[np.ndarray]]]
Contender = Callable[[Workload], Prepared]


class Unable(Exception):
    """The library has no means for this workload."""


# ------------------------------------------------------------------ PyTorch, and what is shaped like it


def torch_shaped(torch: Any) -> Contender:
    """The same text for PyTorch and for `import engine as torch`."""
    nn, optim = torch.nn, torch.optim

    def optimizer_of(work: Workload, parameters: Any) -> Any:
        return {"sgd": optim.SGD, "adam": optim.Adam, "adamw": optim.AdamW}[work.optimizer](parameters, **work.settings)

    def line(work: Workload) -> Prepared:
        w, b = (torch.tensor(float(value), requires_grad=True) for value in work.parameters)
        x, y = torch.tensor(float(work.x)), torch.tensor(float(work.y))
        optimizer = optimizer_of(work, [w, b])

        def iterate() -> None:
            optimizer.zero_grad()
            loss = (w * x + b - y) ** 2
            loss.backward()
            optimizer.step()

        return iterate, lambda: [w.detach().numpy(), b.detach().numpy()]

    def chain(work: Workload) -> Prepared:
        leaf = torch.tensor(work.parameters[0].tolist(), requires_grad=True)
        a, b = torch.tensor(work.x.tolist()), torch.tensor(work.y.tolist())

        def iterate() -> None:
            leaf.grad = None
            x = leaf
            for _ in range(CHAIN):
                x = torch.tanh(x * a + b)
            x.sum().backward()

        return iterate, lambda: [leaf.grad.numpy()]

    def layers(work: Workload) -> Prepared:
        modules: list[Any] = []
        for weight in work.parameters[::2]:
            modules += [nn.Linear(weight.shape[1], weight.shape[0]), nn.ReLU()]
        model = nn.Sequential(*modules[:-1])
        with torch.no_grad():
            for parameter, value in zip(model.parameters(), work.parameters, strict=True):
                parameter.copy_(torch.tensor(value.tolist()))
        x, y = torch.tensor(work.x.tolist()), torch.tensor(work.y.tolist())
        criterion = {
            "mse_sum": lambda: nn.MSELoss(reduction="sum"), "mse": nn.MSELoss, "cross_entropy": nn.CrossEntropyLoss,
        }[work.loss]()  # fmt: skip
        optimizer = optimizer_of(work, model.parameters())

        def iterate() -> None:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()

        return iterate, lambda: [parameter.detach().numpy() for parameter in model.parameters()]

    return lambda work: {"line": line, "chain": chain}.get(work.loss, layers)(work)


# ------------------------------------------------------------------ optimizers for libraries that have none


def updater(work: Workload) -> Callable[[list[np.ndarray], list[np.ndarray]], None]:
    """An update of the arrays in place, from their gradients."""
    lr, momentum, decay = (work.settings.get(name, 0.0) for name in ("lr", "momentum", "weight_decay"))
    first: list[np.ndarray] = [np.zeros_like(parameter) for parameter in work.parameters]
    second: list[np.ndarray] = [np.zeros_like(parameter) for parameter in work.parameters]
    steps = 0

    def sgd(parameters: list[np.ndarray], gradients: list[np.ndarray]) -> None:
        for parameter, gradient, velocity in zip(parameters, gradients, first, strict=True):
            if momentum:
                velocity *= momentum
                velocity += gradient
                parameter -= lr * velocity
            else:
                parameter -= lr * gradient

    def adam(parameters: list[np.ndarray], gradients: list[np.ndarray]) -> None:
        nonlocal steps
        steps += 1
        correction = (1 - 0.999**steps) ** 0.5
        for parameter, gradient, m, v in zip(parameters, gradients, first, second, strict=True):
            if decay:
                parameter *= 1 - lr * decay
            m *= 0.9
            m += 0.1 * gradient
            v *= 0.999
            v += 0.001 * gradient * gradient
            parameter -= lr / (1 - 0.9**steps) * m / (np.sqrt(v) / correction + 1e-8)

    return sgd if work.optimizer == "sgd" else adam


# ------------------------------------------------------------------ HIPS autograd


def hips_autograd(work: Workload) -> Prepared:
    import autograd
    import autograd.numpy as anp

    parameters = work.copies()
    x, y = work.x, work.y

    def line(values: list[Any]) -> Any:
        w, b = values
        return (w * x + b - y) ** 2

    def chain(values: list[Any]) -> Any:
        (state,) = values
        for _ in range(CHAIN):
            state = anp.tanh(state * x + y)
        return anp.sum(state)

    def layers(values: list[Any]) -> Any:
        state = x
        for index in range(0, len(values), 2):
            state = anp.dot(state, values[index].T) + values[index + 1]
            if index + 2 < len(values):
                state = anp.maximum(state, np.float32(0))
        if work.loss == "cross_entropy":
            state = state - anp.max(state, axis=1, keepdims=True)
            logarithm = anp.log(anp.sum(anp.exp(state), axis=1))
            return anp.mean(logarithm - state[np.arange(len(y)), y])
        error = state - y
        return anp.sum(error * error) if work.loss == "mse_sum" else anp.mean(error * error)

    loss = {"line": line, "chain": chain}.get(work.loss, layers)
    gradients_of = autograd.grad(loss)
    if work.optimizer == "none":
        kept: list[np.ndarray] = []

        def look() -> None:
            kept[:] = gradients_of(parameters)

        return look, lambda: kept
    update = updater(work)
    return lambda: update(parameters, gradients_of(parameters)), lambda: parameters


# ------------------------------------------------------------------ MyGrad


def my_grad(work: Workload) -> Prepared:
    import mygrad
    from mygrad.nnet.activations import relu
    from mygrad.nnet.losses import softmax_crossentropy

    parameters = [mygrad.tensor(value) for value in work.copies()]
    x, y = work.x, work.y

    def line() -> Any:
        w, b = parameters
        return (w * x + b - y) ** 2

    def chain() -> Any:
        (state,) = parameters
        for _ in range(CHAIN):
            state = mygrad.tanh(state * x + y)
        return mygrad.sum(state)

    def layers() -> Any:
        state: Any = x
        for index in range(0, len(parameters), 2):
            state = mygrad.matmul(state, parameters[index].T) + parameters[index + 1]
            if index + 2 < len(parameters):
                state = relu(state)
        if work.loss == "cross_entropy":
            return softmax_crossentropy(state, y)
        error = (state - y) ** 2
        return mygrad.sum(error) if work.loss == "mse_sum" else mygrad.mean(error)

    loss = {"line": line, "chain": chain}.get(work.loss, layers)
    if work.optimizer == "none":
        return lambda: loss().backward(), lambda: [parameters[0].grad]
    update = updater(work)

    def iterate() -> None:
        loss().backward()
        update([parameter.data for parameter in parameters], [parameter.grad for parameter in parameters])

    return iterate, lambda: [parameter.data for parameter in parameters]


# ------------------------------------------------------------------ micrograd: one object per number


def micro_grad(work: Workload) -> Prepared:
    from math import tanh

    from micrograd.engine import Value

    if work.name not in ("W2", "W3", "W4"):
        raise Unable("hours")
    sys.setrecursionlimit(100_000)  # it walks the graph recursively

    def tanh_of(value: Any) -> Any:
        out = Value(tanh(value.data), (value,), "tanh")

        def backward() -> None:
            value.grad += (1 - out.data**2) * out.grad

        out._backward = backward
        return out

    shapes = [parameter.shape for parameter in work.parameters]
    values = [[Value(float(number)) for number in parameter.ravel()] for parameter in work.parameters]

    def layers(row: np.ndarray) -> list[Any]:
        state: list[Any] = row.tolist()
        for index in range(0, len(values), 2):
            width = shapes[index][1]
            rows = [values[index][start : start + width] for start in range(0, len(values[index]), width)]
            state = [sum((w * s for w, s in zip(row, state, strict=True)), bias)
                     for row, bias in zip(rows, values[index + 1], strict=True)]  # fmt: skip
            if index + 2 < len(values):
                state = [value.relu() for value in state]
        return state

    def loss() -> Any:
        if work.loss == "line":
            return (values[0][0] * float(work.x) + values[1][0] - float(work.y)) ** 2
        if work.loss == "chain":
            state = values[0]
            for _ in range(CHAIN):
                state = [tanh_of(s * float(a) + float(b)) for s, a, b in zip(state, work.x, work.y, strict=True)]
            return sum(state, Value(0.0))
        errors = [(layers(row)[0] - float(target[0])) ** 2 for row, target in zip(work.x, work.y, strict=True)]
        return sum(errors, Value(0.0)) * (1 / len(errors))

    velocity = [[0.0] * len(numbers) for numbers in values]
    lr, momentum = work.settings.get("lr", 0.0), work.settings.get("momentum", 0.0)

    def iterate() -> None:
        for numbers in values:
            for value in numbers:
                value.grad = 0
        loss().backward()
        for numbers, speeds in zip(values, velocity, strict=True):
            for place, value in enumerate(numbers):
                speeds[place] = momentum * speeds[place] + value.grad
                value.data -= lr * speeds[place]

    def read() -> list[np.ndarray]:
        kind = "grad" if work.optimizer == "none" else "data"
        return [np.array([getattr(value, kind) for value in numbers]).reshape(shape)
                for numbers, shape in zip(values, shapes, strict=True)]  # fmt: skip

    return iterate, read


# ------------------------------------------------------------------ who is here

OURS = "Gradient Flow"
REFERENCE = "PyTorch"


def contenders() -> dict[str, Contender]:
    """Who can be imported, by name; ours first."""
    import engine

    found: dict[str, Contender] = {OURS: torch_shaped(engine)}
    try:
        torch = importlib.import_module("torch")
        torch.set_num_threads(1)
        found[REFERENCE] = torch_shaped(torch)
    except ImportError:
        pass
    peers = {
        "HIPS autograd": ("autograd", hips_autograd),
        "MyGrad": ("mygrad", my_grad),
        "micrograd": ("micrograd", micro_grad),
    }
    here = {name: contender for name, (module, contender) in peers.items() if importlib.util.find_spec(module)}
    return found | here
