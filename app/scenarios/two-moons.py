# %% [markdown]
# # Two moons
# A network with one hidden layer learns to tell two interleaved half circles apart. Adam keeps two running averages per
# weight, exp_avg and exp_avg_sq: watch them beside each `.grad`.
# topics: optimizers, networks
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

# %% [markdown]
# ## A fresh network
# Press **zero_grad** and **forward**. The network answers with logits near 0: it does not know anything yet.
#
# do: zero_grad, forward
# look: loss
# predict: BCEWithLogitsLoss of a logit of 0 is −log(0.5). What would the loss be, if all logits were 0?
# answer: criterion(torch.zeros_like(logits), labels).item()
# tolerance: 0.01
# slip: 0.5 -> That is the probability. The loss is minus its logarithm.
# because: −log(0.5): the loss of guessing.

# %% [markdown]
# ## Eight hidden units
# Press **backward**. Every parameter has a gradient of its own shape.
#
# do: backward
# look: model.0.weight
# predict: How many numbers are in the gradient of the first weight?
# answer: model[0].weight.grad.numel()
# tolerance: 0
# slip: 160 -> The 80 points were averaged away: a gradient has the shape of its parameter.
# slip: 24 -> The bias has eight numbers and a gradient of its own.
# because: 8 units with 2 inputs each.

# %% [markdown]
# ## Adam's first step
# Press **step**, and go into it. exp_avg and exp_avg_sq start at 0 and are corrected for that.
#
# do: step
# look: optimizer, step
# predict: By how much does Adam move each weight in its very first step? (lr is 0.05)
# answer: (0.05 * (optimizer.state[model[0].weight]["exp_avg"] / 0.1).abs() / (optimizer.state[model[0].weight]["exp_avg_sq"] / 0.001).sqrt()).mean().item()
# tolerance: 0.001
# slip: 0.05 * 0.1 -> exp_avg is a tenth of the gradient after one step, but bias correction divides that by a tenth.
# because: In the first step the corrected averages are g and g², so every weight moves by lr · g / |g|: by lr, whatever its gradient.

# %% [markdown]
# ## Learning to bend
# Under **More…** run 51 iterations: the first ends the one that has begun. Then press **landscape** above the chart.
#
# do: run 51
# look: loss
# predict: Is the loss now less than half of that of guessing?
# choices: yes | no
# answer: "yes" if loss.item() < 0.3466 else "no"
# slip: "no" -> Look at the chart: guessing costs 0.693.
# because: The hidden units have turned their edges into the gap between the moons: **landscape** draws the boundary.
