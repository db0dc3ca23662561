# %% [markdown]
# # What step() reads
# step() never looks at the loss. It reads `.grad`, its own state and its settings; change one of them between backward and
# step and see what happens.
# topics: optimizers
# level: intermediate
# minutes: 7

# %%
import torch

w = torch.tensor(2.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1, weight_decay=0.5)

for i in range(10):
    optimizer.zero_grad()
    loss = w ** 2
    loss.backward()
    optimizer.step()
    print(f"{i + 1}: w = {w.item():.4f}")

# %% [markdown]
# ## More than .grad
# Press **zero_grad**, **forward**, **backward**: `w.grad` is 4. This optimizer has weight_decay=0.5, which adds 0.5 ·
# w to the gradient inside of step().
#
# do: zero_grad, forward, backward, step
# look: step, w
# predict: What is `w` after **step**? (lr is 0.1)
# answer: w.item()
# slip: 2 - 0.1 * 4 -> That is the step without weight decay: it adds 0.5 · w to the gradient.
# slip: 2 + 0.1 * (4 + 0.5 * 2) -> A step goes against the gradient.
# because: 2 − 0.1 · (4 + 0.5 · 2).

# %% [markdown]
# ## .grad is not touched
# What weight decay added stays inside of step().
#
# look: w
# predict: What does `w.grad` hold after the step?
# answer: w.grad.item()
# slip: 5 -> step() reads `.grad`. It does not write to it.
# because: step() works on a gradient of its own and leaves `.grad` as backward() left it.

# %% [markdown]
# ## A gradient made by hand
# Put a number of your own into `.grad`: under **More…** execute `w.grad = torch.tensor(10.0)` and, so that nothing is
# added to it, `optimizer.param_groups[0]["weight_decay"] = 0.0`. Then press **step**. The loss knows nothing of it.
#
# do: statement w.grad = torch.tensor(10.0)
# do: statement optimizer.param_groups[0]["weight_decay"] = 0.0
# do: step
# look: w, step
# predict: `w` is 1.5 and lr is 0.1. What is `w` after the step?
# answer: w.item()
# slip: 1.5 - 0.1 * 3 -> step() does not ask where the gradient comes from: it read your 10.
# slip: 1.5 - 0.1 * 4 -> The 4 is not there any more: you have put 10 in its place.
# because: 1.5 − 0.1 · 10: step() reads whatever is in `.grad`.

# %% [markdown]
# ## Twice
# Press **step** once more.
#
# do: step
# look: w
# predict: What is `w` now?
# answer: w.item()
# slip: 0.5 -> Nobody cleared `.grad`, so a second step reads the same gradient again.
# because: The same stale gradient, the same movement. There is no warning.
