# %% [markdown]
# # Momentum and Adam, step by step
# What an optimizer remembers between steps: a velocity for SGD with momentum, two running averages and a count for Adam.
# Step into step() and read its lines.
# topics: optimizers
# level: intermediate
# minutes: 10

# %%
import torch

m = torch.tensor(1.0, requires_grad=True)
a = torch.tensor(1.0, requires_grad=True)
momentum = torch.optim.SGD([m], lr=0.1, momentum=0.9)
adam = torch.optim.Adam([a], lr=0.1)

for i in range(20):
    momentum.zero_grad()
    adam.zero_grad()
    loss = 2 * m + 2 * a
    loss.backward()
    momentum.step()
    adam.step()
    print(f"{i + 1}: m = {m.item():.4f}, a = {a.item():.4f}")

# %% [markdown]
# ## The first velocity
# The loss is 2m + 2a: both gradients are 2, always. Press both **zero_grad**, **forward**, **backward** and the first
# **step**; **into ▾** then shows its lines one by one.
#
# do: zero_grad, zero_grad zero_grad-2, forward, backward, step
# look: step, m
# predict: What is the momentum_buffer of `m` after the first step?
# answer: momentum.state[m]["momentum_buffer"].item()
# slip: 0.2 -> The buffer holds the gradient, not lr times the gradient.
# because: The first gradient as it is.

# %% [markdown]
# ## The second velocity
# Press on to the first **step** of the second iteration. buffer = 0.9 · buffer + gradient.
#
# do: step step-2, zero_grad, zero_grad zero_grad-2, forward, backward, step
# look: step, m
# predict: What is the momentum_buffer now?
# answer: momentum.state[m]["momentum_buffer"].item()
# slip: 2.0 -> The old velocity is kept to nine tenths, and the new gradient comes on top.
# slip: 4.0 -> The old velocity is kept to nine tenths only.
# because: 0.9 · 2 + 2. With a constant gradient it grows towards 2 / (1 − 0.9) = 20.

# %% [markdown]
# ## Adam's step
# Press the second **step**, for the second time. Adam divides by the root of the average square: for a gradient that
# never changes the two cancel.
#
# do: step step-2
# look: step, a
# predict: How far does Adam move `a` in each step? (a positive number)
# answer: (1.0 - a.item()) / 2
# slip: 0.2 -> The size of the gradient cancels out: only lr is left.
# because: exp_avg / sqrt(exp_avg_sq) is 1 here after bias correction, so each step is lr, whether the gradient is 2 or 2,000.

# %% [markdown]
# ## exp_avg
# exp_avg = 0.9 · exp_avg + 0.1 · gradient, from 0 on.
#
# look: optimizer
# predict: What is exp_avg after these two steps?
# answer: adam.state[a]["exp_avg"].item()
# slip: 0.2 -> That is its value after the first step.
# slip: 2.0 -> It starts from 0 and comes near the gradient slowly. Bias correction makes up for that.
# because: 0.9 · 0.2 + 0.1 · 2.

# %% [markdown]
# ## What zero_grad leaves
# Press both **zero_grad** buttons.
#
# do: zero_grad, zero_grad zero_grad-2
# look: optimizer
# predict: What is the momentum_buffer of `m` now?
# answer: momentum.state[m]["momentum_buffer"].item()
# slip: 0.0 -> zero_grad() clears `.grad` and nothing else.
# because: Optimizer state stays. To forget it, one makes a new optimizer.
