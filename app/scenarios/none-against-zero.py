# %% [markdown]
# # None against zero
# zero_grad() sets `.grad` to None; zero_grad(set_to_none=False) fills it with zeros. For plain SGD that is the same. With
# momentum or Adam it is not: a zero is a gradient, None is no gradient at all.
# topics: gradients
# level: intermediate
# minutes: 8

# %%
import torch

u = torch.tensor(1.0, requires_grad=True)
v = torch.tensor(1.0, requires_grad=True)
momentum = torch.optim.SGD([u], lr=0.1, momentum=0.9)
adam = torch.optim.Adam([v], lr=0.1)

for i in range(10):
    momentum.zero_grad()
    adam.zero_grad(set_to_none=False)
    loss = u ** 2 + v ** 2
    loss.backward()
    momentum.step()
    adam.step()
    print(f"{i + 1}: u = {u.item():.4f}, v = {v.item():.4f}")

# %% [markdown]
# ## Before the first backward
# Press both **zero_grad** buttons. There is no gradient yet, so there is nothing to fill with zeros.
#
# do: zero_grad, zero_grad zero_grad-2
# look: u, v
# predict: What is `v.grad`?
# choices: None | tensor(0.)
# answer: v.grad
# slip: torch.tensor(0.) -> There is no tensor yet that could be filled.
# because: set_to_none=False zeroes a tensor that exists. It does not make one.

# %% [markdown]
# ## After an iteration
# Go through one iteration, then press both **zero_grad** buttons again.
#
# do: forward, backward, step, step step-2, zero_grad, zero_grad zero_grad-2
# look: u, v
# predict: What is `v.grad` now?
# choices: None | tensor(0.)
# answer: v.grad
# slip: None -> That is `u.grad`. For v it says set_to_none=False.
# because: The tensor stays and holds zero. `u.grad` is None, since its optimizer was asked for the default.

# %% [markdown]
# ## A step with None
# u is 0.8 and has no gradient, but its momentum_buffer still holds the last velocity, 2. Press the **step** of the
# momentum optimizer.
#
# do: step
# look: u
# predict: What is `u` after this step?
# answer: u.item()
# slip: 0.8 - 0.1 * 0.9 * 2 -> That is what a gradient of zero would do: the buffer would shrink to nine tenths and still move u.
# slip: 0.8 - 0.1 * 2 -> The last gradient is gone: zero_grad() dropped it.
# because: None means that step() passes the parameter over. The buffer is neither used nor changed.

# %% [markdown]
# ## A step with zero
# v has a gradient, and it is zero. Adam's exp_avg still remembers the last one. Press the **step** of Adam.
#
# do: step step-2
# look: v
# predict: Does `v` move?
# choices: yes | no
# answer: "yes" if abs(v.item() - 0.9) > 1e-3 else "no"
# slip: "no" -> A gradient of zero is a gradient: Adam goes on by its running averages.
# because: Adam mixes the zero into its running averages and moves by what is left of them; weight decay would act as well.

# %% [markdown]
# ## Adam with None
# Now take the gradient away: under **More…** execute `v.grad = None`, and press the **step** of Adam once more. It has
# counted two steps of v so far.
#
# do: statement v.grad = None
# do: step step-2
# look: v, optimizer
# predict: How many steps does Adam count for `v` now?
# answer: int(adam.state[v]["step"].item())
# tolerance: 0
# slip: 3 -> step() was called a third time, and passed v over: without a gradient nothing is counted.
# slip: 1 -> The step with zero was counted as well: a zero is a gradient.
# because: None leaves everything alone: the value, both running averages and the count.

# %% [markdown]
# ## Momentum with a zero
# Now give `u` a gradient of zero, as set_to_none=False would have left it: under **More…** execute
# `u.grad = torch.tensor(0.0)`, and press the **step** of the momentum optimizer.
#
# do: statement u.grad = torch.tensor(0.0)
# do: step
# look: u
# predict: The momentum_buffer of `u` is 2, lr is 0.1. What is `u` after this step?
# answer: u.item()
# slip: 0.8 -> So it is with None. With a zero the buffer shrinks to nine tenths and is used.
# slip: 0.8 - 0.1 * 2 -> The buffer shrinks first: 0.9 · 2 + 0.
# because: 0.8 − 0.1 · (0.9 · 2 + 0). So a head that gets no gradient rests with None and drifts on with zeros, with momentum and with Adam alike.
