"""Networks as people build them, trained in shuffled batches of which the last is smaller: normalisations with running
statistics, convolutions, pools, embeddings, dropout. Each is replayed, and is what it would be."""

from __future__ import annotations

import pytest

from tests.engine.replay.test_replay import held_against_eager

LOOP = """
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(1)
X, Y = {data}, torch.randint(0, 3, (22,))
loader = DataLoader(TensorDataset(X, Y), batch_size=5, shuffle=True)
{network}
criterion = nn.CrossEntropyLoss({loss})
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
for epoch in range(4):
    model.train()
    total, correct = 0.0, 0
    for x, y in loader:
        optimizer.zero_grad(set_to_none=True)
        out = model(x)
        loss = criterion(out, y)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item() * len(x)
        correct += (out.argmax(dim=1) == y).sum().item()
    model.eval()
    with torch.no_grad():
        print(epoch, total, correct, norm, criterion(model(X), Y).item())
print([*model.state_dict().values()], [each._version for each in model.buffers()], torch.rand(1))
"""
IMAGES, ROWS, WORDS = "torch.randn(22, 2, 6, 6)", "torch.randn(22, 4)", "torch.randint(0, 7, (22, 3))"
TIMES = "torch.randn(22, 5, 4)"
MODULE = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {parts}
    def helper(self, x):
        return x * 2
    def forward(self, x):
        {forward}
model = Net()
"""


def net(parts: str, forward: str) -> str:
    return MODULE.format(parts=parts, forward=forward)


SMALL = """
features = [nn.Conv2d(2, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(4, 4, 2, stride=2)]
model = nn.Sequential(*features, nn.AvgPool2d(1), nn.Flatten(), nn.Dropout(0.2), nn.Linear(4, 3))
"""
NETWORKS = {
    "batch norm": (ROWS, "model = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Linear(6, 3))", ""),
    "batch norm, averaged": (ROWS, "model = nn.Sequential(nn.BatchNorm1d(4, momentum=None), nn.Linear(4, 3))", ""),
    "a small network of convolutions": (IMAGES, SMALL, ""),
    "written out": (
        IMAGES,
        net(
            "self.conv, self.fc = nn.Conv2d(2, 3, 3), nn.Linear(12, 3)",
            "x = F.max_pool2d(F.relu(self.conv(x)), 2)\n        x = x.view(x.size(0), -1)\n"
            "        x = F.dropout(x, p=0.3, training=self.training)\n        return F.log_softmax(self.fc(x), dim=1)",
        ),
        "",
    ),
    "flattened first": (
        IMAGES,
        net("self.fc = nn.Linear(72, 3)", "x = x.view(x.shape[0], -1)\n        return self.helper(self.fc(x))"),
        "",
    ),
    "a gradient that goes two ways": (
        ROWS,
        net(
            "self.a, self.b, self.c = nn.Linear(4, 6), nn.Linear(4, 6), nn.Linear(6, 3)",
            "return self.c(F.relu(self.a(x)) + F.relu(self.b(x)))",
        ),
        "",
    ),
    "words": (
        WORDS,
        net("self.words, self.fc = nn.Embedding(7, 5), nn.Linear(5, 3)", "return self.fc(self.words(x).mean(dim=1))"),
        "",
    ),
    "a list of layers": (
        ROWS,
        net(
            "self.layers = nn.ModuleList([nn.Linear(4, 4), nn.LayerNorm(4), nn.Linear(4, 3)])",
            "for layer in self.layers[:-1]:\n            x = torch.tanh(layer(x))\n        return self.layers[-1](x)",
        ),
        "",
    ),
    "noise": (
        ROWS,
        net("self.fc = nn.Linear(4, 3)", "h = self.fc(x)\n        return h + torch.randn_like(h) * torch.exp(h / 9)"),
        "",
    ),
    "attention": (
        TIMES,
        net(
            "self.all, self.fc = nn.Linear(4, 12), nn.Linear(4, 3)",
            "q, k, v = self.all(x).chunk(3, dim=-1)\n"
            "        a = F.softmax(q @ k.transpose(-2, -1) * 4 ** -0.5, dim=-1)\n"
            "        return self.fc((a @ v).permute(0, 2, 1).mean(dim=2))",
        ),
        "",
    ),
    "conditions": (
        ROWS,
        net(
            "self.deep, self.norm, self.one, self.two = 2, None, nn.Linear(4, 4), nn.Linear(4, 3)",
            "if self.deep > 1 and x.dim() == 2:\n            x = torch.relu(self.one(x))\n"
            "        if self.norm is not None:\n            x = self.norm(x)\n"
            "        elif self.training:\n            x = x * 2\n        return self.two(x)",
        ),
        "",
    ),
    "a wide layer, multiplied from its other side": (
        "torch.randn(22, 150)",
        "model = nn.Sequential(nn.Linear(150, 300), nn.Tanh(), nn.Linear(300, 3, bias=False))",
        "",
    ),
    "smoothed labels": (ROWS, "model = nn.Linear(4, 3)", "label_smoothing=0.2"),
    "weights of classes": (ROWS, "model = nn.Linear(4, 3)", "weight=torch.tensor([1.0, 2.0, 0.5])"),
    "a class that is ignored": (ROWS, "model = nn.Linear(4, 3)", "ignore_index=1"),
}


@pytest.mark.parametrize(("data", "network", "loss"), NETWORKS.values(), ids=NETWORKS.keys())
def test_it_is_replayed(data: str, network: str, loss: str) -> None:
    (loop,) = held_against_eager(LOOP.format(data=data, network=network, loss=loss))
    assert loop.tally.replayed > 9, loop.tally


def test_a_mode_that_is_set_between_forward_and_backward_is_the_next_iterations() -> None:
    network = "model = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Dropout(0.3), nn.Linear(6, 3))"
    source = LOOP.format(data=ROWS, network=network, loss="").replace("model.train()", "batch = 0")
    held_against_eager(
        source.replace(
            "loss.backward()", "model.train(batch % 2 == 0)\n        batch += 1\n" + " " * 8 + "loss.backward()"
        )
    )


CHANGING = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)
X, Y, c = torch.randn(6, 3, 2), torch.randn(6, 1), torch.randint(0, 2, (6,))
rnn, head = nn.RNN(2, 2, batch_first=True), nn.Linear(2, 1)
optimizer = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
start, one, zero = torch.ones(1, 6, 2), torch.ones(6), torch.zeros(1)
def run(x, h):
    out, h = rnn(x, h)
    return head(h[0])
for step in range(16):
    loss = {loss}
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step == 6:
        one, zero, c[0] = one * 2, zero + 1, -100
    if step == 11:
        one *= 3
        zero += 1
print(loss.item(), rnn.weight_hh_l0)
"""


@pytest.mark.parametrize(
    "loss",
    [
        "F.mse_loss(run(X, start * zero), Y)",
        "F.mse_loss(run(X * one.view(6, 1, 1), start), Y)",
        "(F.cross_entropy(rnn(X)[1][0], c) * (one * 1)).mean()",
        "nn.CrossEntropyLoss()(rnn(X)[1][0], c)",
        "(nn.CrossEntropyLoss(label_smoothing=0.1)(rnn(X)[1][0], c) * (one * 1)).mean()",
    ],
)
def test_what_only_looks_as_if_it_never_changed_is_computed_each_time(loss: str) -> None:
    held_against_eager(CHANGING.format(loss=loss))


@pytest.mark.parametrize("layer", ["nn.BatchNorm1d(4)", "nn.LayerNorm(4)", "nn.Conv1d(8, 2, 3)"])
def test_a_function_in_which_one_statement_computes_and_goes_backward(layer: str) -> None:
    source = f"""
import torch
from torch import nn
torch.manual_seed(0)
layer = {layer}
layer.eval()
def slope(x):
    x = x.clone().detach().requires_grad_(True)
    layer(x).sum().backward()
x = torch.rand(8, 4)
for i in range(3):
    slope(x)
print([p.grad for p in layer.parameters()])
"""
    held_against_eager(source)


AT_ONCE = """
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(1)
x, y, t = torch.randn(16, 4), torch.randint(0, 3, (16,)), torch.rand(16, 3)
model = {model}
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
for i in range(8):
    optimizer.zero_grad()
    {loss}.backward()
    optimizer.step()
print([*model.state_dict().values()], [p.grad for p in model.parameters()])
"""
LAYERS = {
    "norms": "nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.LayerNorm(6), nn.Dropout(0.3), nn.Linear(6, 3)",
    "convolutions": "nn.Unflatten(1, (1, 2, 2)), nn.Conv2d(1, 3, 2, padding=1), nn.MaxPool2d(2), nn.AvgPool2d(1),"
    " nn.Flatten()",
}


@pytest.mark.parametrize("layers", LAYERS.values(), ids=LAYERS.keys())
@pytest.mark.parametrize(
    "loss",
    [
        "model(x).sum()",
        "F.cross_entropy(model(x), y)",
        "F.smooth_l1_loss(model(x), t)",
        "F.binary_cross_entropy_with_logits(model(x), t)",
    ],
)
def test_a_statement_that_computes_and_goes_backward_is_replayed(layers: str, loss: str) -> None:
    (loop,) = held_against_eager(AT_ONCE.format(model=f"nn.Sequential({layers})", loss=loss))
    assert loop.tally.replayed > 4, loop.tally
