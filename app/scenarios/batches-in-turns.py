# %% [markdown]
# # Two tasks in turns, one optimizer
# A trunk and two heads under one Adam. Even iterations train the first task, odd ones the second. The head that is not used
# has no gradient, and Adam leaves its state alone; with zeros it would not.
# topics: optimizers, loop
# level: advanced
# minutes: 8

# %%
import torch
from torch import nn

torch.manual_seed(1)
trunk = nn.Linear(1, 2)
heads = nn.ModuleList([nn.Linear(2, 1), nn.Linear(2, 1)])
parameters = [*trunk.parameters(), *heads.parameters()]
optimizer = torch.optim.Adam(parameters, lr=0.05)

x = torch.tensor([[-1.0], [0.0], [1.0]])
targets = [2 * x, x ** 2]

# %% Training loop
for i in range(60):
    task = i % 2
    optimizer.zero_grad()
    output = heads[task](torch.tanh(trunk(x)))
    loss = ((output - targets[task]) ** 2).mean()
    loss.backward()
    optimizer.step()
    if i % 20 < 2:
        print(f"{i}: task {task}, loss {loss.item():.4f}")

# %% [markdown]
# ## The first task
# Under **More…** run 1 iteration: task 0. Adam makes its state for a parameter when it first steps it.
#
# do: run 1
# look: optimizer
# predict: For how many of the six parameters does Adam have state now?
# answer: len(optimizer.state)
# tolerance: 0
# slip: 6 -> The second head had no gradient, so step() passed it over.
# slip: 2 -> The trunk has a weight and a bias, and so has the head that was used.
# because: The trunk's two and the first head's two.

# %% [markdown]
# ## The second task
# Run another one: task 1.
#
# do: run 1
# look: optimizer, trunk.weight
# predict: How many steps does Adam count for the trunk's weight?
# answer: int(optimizer.state[trunk.weight]["step"].item())
# tolerance: 0
# slip: 1 -> So it is for each head. The trunk is used by both tasks.
# because: The trunk is trained by both tasks. Each head has been stepped once.

# %% [markdown]
# ## Ten more
# Under **More…** run 10 iterations. The state of the head at rest is untouched while the other one trains.
#
# do: run 10
# look: optimizer
# predict: How many steps does Adam count for the first head's weight?
# answer: int(optimizer.state[heads[0].weight]["step"].item())
# tolerance: 0
# slip: 12 -> Half of the iterations leave this head without a gradient.
# because: Every second iteration. With zero_grad(set_to_none=False) the head would get zeros instead of None, the count would go on, and Adam would keep moving the head by its old average.
