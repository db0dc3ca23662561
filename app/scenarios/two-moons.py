# %% [markdown]
# # Two moons
# A network with one hidden layer learns to tell two interleaved half circles apart. Adam keeps two running averages per
# weight, exp_avg and exp_avg_sq: watch them beside each `.grad`.
#
# level: intermediate
# minutes: 10

# %% Data: two half circles, with noise
import math

import torch
from torch import nn

torch.manual_seed(7)

n = 40
angle = torch.linspace(0, math.pi, n)
upper = torch.stack([torch.cos(angle), torch.sin(angle)], dim=1)
lower = torch.stack([1 - torch.cos(angle), 0.5 - torch.sin(angle)], dim=1)
points = torch.cat([upper, lower]) + 0.1 * torch.randn(2 * n, 2)
labels = torch.cat([torch.zeros(n, 1), torch.ones(n, 1)])

# %% Model and optimizer
model = nn.Sequential(
    nn.Linear(2, 8),
    nn.Tanh(),
    nn.Linear(8, 1),
)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)


def accuracy():
    with torch.no_grad():
        return ((model(points) > 0) == (labels > 0)).float().mean().item()


# %% Training loop
for epoch in range(100):
    optimizer.zero_grad()
    logits = model(points)
    loss = criterion(logits, labels)
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        print(f"epoch {epoch}: {accuracy():.0%} right")

# %% Result
print(f"after training: {accuracy():.0%} right")
