"""What PyTorch has saved is loaded here, and what is saved here is loaded there: the same keys in the same order, the
same shapes and dtypes, and training goes on with the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine
from tests.differential import oracle

STEPS = 3


def vectors(torch: Any) -> Any:
    return torch.nn.Sequential(torch.nn.Linear(4, 6), torch.nn.Tanh(), torch.nn.Linear(6, 4))


def images(torch: Any) -> Any:
    """Layers on pictures: (8, 4) seen as (8, 1, 2, 2)."""
    nn = torch.nn
    return nn.Sequential(
        nn.Unflatten(1, (1, 2, 2)),
        *(nn.Conv2d(1, 4, 2, padding=1), nn.BatchNorm2d(4), nn.PReLU(4), nn.GroupNorm(2, 4)),
        *(nn.InstanceNorm2d(4, affine=True, track_running_stats=True), nn.ConvTranspose2d(4, 2, 2), nn.Flatten()),
        *(nn.Linear(32, 6), nn.LayerNorm(6), nn.BatchNorm1d(6, affine=False), nn.Linear(6, 4, bias=False)),
    )


def parts(torch: Any) -> Any:
    """Parameters, buffers and modules in containers, one of them shared, some buffers not kept."""
    nn = torch.nn

    class Parts(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.many = nn.ParameterList([torch.full((4,), 0.5), torch.ones(1)])
            self.named = nn.ParameterDict({"b": torch.full((4, 4), 0.1), "a": torch.zeros(4)})
            self.layers = nn.ModuleDict({"z": nn.Linear(4, 4), "y": nn.Bilinear(4, 4, 4)})
            self.again = self.layers["z"]
            self.register_buffer("scale", torch.tensor(2.0))
            self.register_buffer("count", torch.tensor(3))
            self.register_buffer("left", torch.ones(2), persistent=False)
            self.register_parameter("none", None)
            self.scaled = nn.EmbeddingBag(5, 4)
            self.list = nn.ModuleList([nn.RMSNorm(4), nn.Identity()])

        def forward(self, x: Any) -> Any:
            x = self.again(self.layers["z"](x) * self.many[0] + self.many[1]) @ self.named["b"] + self.named["a"]
            return self.list[0](self.layers["y"](x, x) * self.scale) + self.scaled.weight[1]

    return Parts()


def recurrent(kind: str, **options: Any) -> Any:
    def make(torch: Any) -> Any:
        nn = torch.nn

        class Recurrent(nn.Module):  # type: ignore[misc]
            def __init__(self) -> None:
                super().__init__()
                self.cells = getattr(nn, kind)(2, 2, **options)
                self.out = nn.Linear(2 * (1 + options.get("bidirectional", False)), 2)

            def forward(self, x: Any) -> Any:
                return self.out(self.cells(x.reshape(2, 8, 2))[0]).reshape(8, 4)

        return Recurrent()

    return make


def attentive(torch: Any) -> Any:
    nn = torch.nn

    class Attentive(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.words = nn.Embedding(5, 4)
            self.encoder = nn.TransformerEncoder(
                nn.TransformerEncoderLayer(4, 2, 6, dropout=0.0), 2, enable_nested_tensor=False
            )
            self.decoder = nn.TransformerDecoderLayer(4, 2, 6, dropout=0.0)
            self.other = nn.MultiheadAttention(4, 2, kdim=3, vdim=3)

        def forward(self, x: Any) -> Any:
            seen = self.encoder(x.unsqueeze(1) + self.words.weight[:1])
            return self.decoder(seen, seen).squeeze(1)

    return Attentive()


MODELS = {
    "vectors": vectors,
    "images": images,
    "parts": parts,
    "attentive": attentive,
    "rnn": recurrent("RNN", num_layers=2),
    "lstm": recurrent("LSTM", bidirectional=True),
    "lstm projected": recurrent("LSTM", bias=False),
    "gru": recurrent("GRU", num_layers=2, bidirectional=True),
}

OPTIMIZERS: dict[str, tuple[str, dict[str, Any]]] = {
    "sgd": ("SGD", {"lr": 0.1}),
    "sgd momentum": ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.01}),
    "adam": ("Adam", {"lr": 0.01}),
    "adam amsgrad": ("Adam", {"lr": 0.01, "amsgrad": True, "weight_decay": 0.1}),
    "adamw": ("AdamW", {"lr": 0.01}),
    "nadam": ("NAdam", {"lr": 0.01}),
    "radam": ("RAdam", {"lr": 0.01}),
    "adamax": ("Adamax", {"lr": 0.01}),
    "adagrad": ("Adagrad", {"lr": 0.1, "lr_decay": 0.01}),
    "adadelta": ("Adadelta", {"lr": 1.0}),
    "rmsprop": ("RMSprop", {"lr": 0.01, "centered": True, "momentum": 0.9}),
    "rprop": ("Rprop", {"lr": 0.01}),
    "asgd": ("ASGD", {"lr": 0.1}),
    "adafactor": ("Adafactor", {"lr": 0.01}),
    "lbfgs": ("LBFGS", {"lr": 0.5, "max_iter": 4}),
    "lbfgs line search": ("LBFGS", {"line_search_fn": "strong_wolfe", "max_iter": 3}),
}

SCHEDULERS: dict[str, tuple[str, dict[str, Any]]] = {
    "step": ("StepLR", {"step_size": 2}),
    "many": ("MultiStepLR", {"milestones": [1, 4]}),
    "lambda": ("LambdaLR", {"lr_lambda": lambda epoch: 0.9**epoch}),
    "multiplicative": ("MultiplicativeLR", {"lr_lambda": lambda epoch: 0.9}),
    "exponential": ("ExponentialLR", {"gamma": 0.8}),
    "cosine": ("CosineAnnealingLR", {"T_max": 5}),
    "restarts": ("CosineAnnealingWarmRestarts", {"T_0": 2, "T_mult": 2}),
    "linear": ("LinearLR", {"total_iters": 4}),
    "constant": ("ConstantLR", {"total_iters": 4}),
    "polynomial": ("PolynomialLR", {"total_iters": 5}),
    "one cycle": ("OneCycleLR", {"max_lr": 0.2, "total_steps": 9}),
    "cyclic": ("CyclicLR", {"base_lr": 0.01, "max_lr": 0.1, "step_size_up": 2, "mode": "exp_range", "gamma": 0.9}),
    "plateau": ("ReduceLROnPlateau", {"patience": 0, "threshold": 0.5}),
}

CASES = [
    *((model, "sgd momentum" if model in ("images", "attentive") else "adam", "step") for model in MODELS),
    *(("vectors", optimizer, "step") for optimizer in OPTIMIZERS if optimizer != "adam"),
    *(("vectors", "sgd momentum", scheduler) for scheduler in SCHEDULERS if scheduler != "step"),
]


def trained(torch: Any, case: tuple[str, str, str], start: Any = None) -> dict[str, Any]:
    """A few steps from the beginning, or from what was saved: the states then, and the losses."""
    torch.manual_seed(0)
    model = MODELS[case[0]](torch).double()
    draws = np.random.RandomState(0)
    x, y = (torch.from_numpy(draws.randn(8, 4)) for _ in range(2))
    kind, options = OPTIMIZERS[case[1]]
    optimizer = getattr(torch.optim, kind)(model.parameters(), **options)
    kind, options = SCHEDULERS[case[2]]
    scheduler = getattr(torch.optim.lr_scheduler, kind)(optimizer, **options)
    if start is not None:
        told = model.load_state_dict(start["model"])
        assert [*told.missing_keys, *told.unexpected_keys] == []
        optimizer.load_state_dict(start["optimizer"])
        scheduler.load_state_dict(start["scheduler"])
    losses = []

    def closure() -> Any:
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        return loss

    for _ in range(STEPS):
        loss = optimizer.step(closure)
        losses.append(loss.item())
        scheduler.step(*[loss.item()] * (case[2] == "plateau"))
    states = {"model": model, "optimizer": optimizer, "scheduler": scheduler}
    return {**{name: each.state_dict() for name, each in states.items()}, "losses": losses}


def outline(value: Any) -> Any:
    """Keys in their order, types, shapes and dtypes; numbers are compared apart."""
    if isinstance(value, dict):
        return [(key, outline(each)) for key, each in value.items()]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(outline, value)]
    if hasattr(value, "detach"):
        return str(value.dtype), tuple(value.shape)
    return type(value).__name__


def numbers(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [each for held in value.values() for each in numbers(held)]
    if isinstance(value, (list, tuple)):
        return [each for held in value for each in numbers(held)]
    if hasattr(value, "detach"):
        return list(value.detach().numpy().reshape(-1).astype(np.float64))
    return [value]


def assert_alike(ours: Any, theirs: Any) -> None:
    assert outline(ours) == outline(theirs)
    for one, other in zip(numbers(ours), numbers(theirs), strict=True):
        if isinstance(other, float) and not isinstance(one, str):
            assert one == pytest.approx(other, rel=1e-7, abs=1e-9)
        else:
            assert one == other


@pytest.mark.parametrize("case", CASES, ids=" - ".join)
def test_training_goes_on_from_what_pytorch_has_saved(case: tuple[str, str, str]) -> None:
    def ask(torch: Any) -> Any:
        first = trained(torch, case)
        saved = oracle.encode(first)  # before training goes on: the states are the optimizer's own
        return [saved, oracle.encode(trained(torch, case, oracle.decode(saved, torch)))]

    first, second = (oracle.decode(each, engine) for each in oracle.answer("state_dicts", " - ".join(case), ask))
    assert_alike(trained(engine, case), first)
    assert_alike(trained(engine, case, first), second)


@pytest.mark.oracle
@pytest.mark.parametrize("case", CASES, ids=" - ".join)
def test_pytorch_goes_on_from_what_was_saved_here(case: tuple[str, str, str]) -> None:
    torch = oracle.torch()
    saved = oracle.encode(trained(engine, case))
    theirs = trained(torch, case, oracle.decode(saved, torch))
    assert_alike(trained(engine, case, oracle.decode(saved, engine)), oracle.decode(oracle.encode(theirs), engine))
