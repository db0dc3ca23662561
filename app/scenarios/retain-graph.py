# %% [markdown]
# # Twice through one graph
# y = 3x² is computed once. A second backward through the same graph is an error, unless the first one kept what it needed.
# topics: gradients
# level: beginner
# minutes: 6

# %%
import torch

x = torch.tensor(2.0, requires_grad=True)
opt = torch.optim.SGD([x], lr=0.01)

for i in range(5):
    opt.zero_grad()
    y = 3 * x ** 2
    y.backward(retain_graph=True)
    opt.step()
    print(f"{i + 1}: x = {x.item():.4f}")

# %% [markdown]
# ## Saved for backward
# **forward** computes 3x². The square saves x, because its derivative 2x needs it.
#
# do: zero_grad, forward, backward
# look: x, formula
# predict: What is `x.grad`, the derivative of 3x² at x = 2?
# answer: x.grad.item()
# slip: 3 * 2.0 -> You took 3x. The square brings down a 2.
# slip: 2 * 2.0 -> You took 2x: the factor 3 passes through as well.
# because: 3 · 2x = 6x.

# %% [markdown]
# ## The same graph again
# This script says retain_graph=True, so the saved tensors are still there. Press **backward** again, without a forward.
#
# do: backward
# look: x
# predict: What is `x.grad` now?
# answer: x.grad.item()
# slip: 12.0 -> That is what this backward computed; `.grad` still held as much.
# because: Same graph, same values, same gradient: added to the first.

# %% [markdown]
# ## Without retain_graph
# Now a backward that keeps nothing: under **More…** execute `y.backward()`. It works, since the backward before it
# retained the graph; what it frees is struck out in the picture. Then execute the same once more: that fails.
#
# do: statement y.backward()
# do: statement y.backward()
# look: x
# predict: What is `x.grad` after these two?
# answer: x.grad.item()
# slip: 48.0 -> The second of these two fails: its saved tensors were freed, and a backward that fails adds nothing.
# slip: 24.0 -> The first of these two still works and adds its gradient.
# because: The first freed the saved tensors after using them. The second raised an error and left `.grad` alone.

# %% [markdown]
# ## The usual cure
# Mostly the right cure is not retain_graph=True but a new **forward**: it builds a new graph. Press **zero_grad**,
# **forward**, and under **More…** execute `y.backward()`.
#
# do: zero_grad, forward
# do: statement y.backward()
# look: x
# predict: What is `x.grad`?
# answer: x.grad.item()
# slip: 48.0 -> zero_grad() came first: what was in `.grad` is gone.
# slip: 36.0 -> That is what was there before zero_grad().
# because: A new graph, an empty `.grad`, one backward.
