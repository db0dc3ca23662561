# %% [markdown]
# # The batch size grows, the optimizer stays
# Each epoch doubles the batch size. Shapes of data change, shapes of parameters and gradients do not, and the momentum buffer
# lives through it all.
# topics: optimizers, loop
# level: intermediate
# minutes: 6

# %%
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.linspace(-1, 1, 16).unsqueeze(1)
data = TensorDataset(x, 2 * x + 0.5)
model = nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

# %% Training loop
for epoch in range(4):
    batch_size = 2 * 2 ** epoch
    for inputs, labels in DataLoader(data, batch_size=batch_size, shuffle=True):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(inputs), labels)
        loss.backward()
        optimizer.step()
    print(f"batch size {batch_size}: loss {loss.item():.5f}")

# %% [markdown]
# ## Two examples
# Press **zero_grad**, **forward**, **backward**: a batch of two.
#
# do: zero_grad, forward, backward
# look: model.weight
# predict: How many elements has `model.weight.grad`?
# answer: model.weight.grad.numel()
# tolerance: 0
# slip: 2 -> The gradient has the shape of the parameter. The batch was averaged away.
# because: One weight, one gradient, whatever the batch.

# %% [markdown]
# ## The rest of the epoch
# Press **step**, then under **More…** run 8 iterations: the 7 that are left of the first epoch, and 1 of the second.
#
# do: step, run 8
# look: loss, variables
# predict: How many examples are in the batch now?
# answer: len(inputs)
# tolerance: 0
# slip: 2 -> That was the first epoch.
# slip: 8 -> That will be the third epoch: the size doubles with each.
# because: 16 examples in batches of 2 make 8 iterations; the ninth begins the second epoch with batches of 4.

# %% [markdown]
# ## What the optimizer noticed
# Nothing. Its buffer has the shape of the weight.
#
# look: optimizer
# predict: Is the momentum buffer still carried over from the smaller batches?
# choices: yes | no
# answer: "yes" if optimizer.state[model.weight]["momentum_buffer"].abs().item() > 0 else "no"
# slip: "no" -> Nobody has made a new optimizer.
# because: State belongs to parameters, not to batches. With a mean loss, a larger batch gives a gradient of about the same size, with less noise.
