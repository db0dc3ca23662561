# %% [markdown]
# # One step of SGD by hand
# y = 100·x: the gradient is 100 wherever x is. Do the optimizer's work by hand and compare it with step().
# topics: optimizers
# level: beginner
# minutes: 5

# %%
import torch

x = torch.tensor(3.0, requires_grad=True)
optimizer = torch.optim.SGD([x], lr=0.001)

for i in range(5):
    before = x.item()
    optimizer.zero_grad()
    y = 100 * x
    y.backward()
    optimizer.step()
    print(f"{i + 1}: x = {x.item():.4f}, by hand {before - 0.001 * x.grad.item():.4f}")

# %% [markdown]
# ## A slope that does not care
# Press **zero_grad**, **forward**, **backward**.
#
# do: zero_grad, forward, backward
# look: x, formula
# predict: What is `x.grad`?
# answer: x.grad.item()
# slip: y.item() -> That is y. The derivative of 100·x is the factor alone.
# because: The local derivative of a product with a number is that number, whatever x is.

# %% [markdown]
# ## The step
# lr is 0.001. Press **step**.
#
# do: step
# look: step, x
# predict: What is `x` now?
# answer: x.item()
# slip: 3.0 + 0.1 -> A step goes against the gradient.
# slip: 3.0 - 100 -> The step is lr times the gradient.
# slip: 3.0 - 0.001 * y.item() -> The step is lr times the gradient, not lr times y.
# because: 3 − 0.001 · 100. There is nothing else in plain SGD.

# %% [markdown]
# ## It goes on for ever
# Under **More…** run 5 iterations: the first ends the one that has begun. y = 100·x has no minimum.
#
# do: run 5
# look: x
# predict: What is `x` after five steps in all?
# answer: x.item()
# slip: 3.0 - 6 * 0.1 -> Five steps in all: the one that you have made is the first.
# slip: 3.0 - 0.1 * (1 + 2 + 3 + 4 + 5) -> So it would be without zero_grad(): each step longer than the one before.
# because: Every step is the same, as long as `.grad` is cleared. Without clearing the steps would grow: 0.1, 0.2, 0.3 ...
