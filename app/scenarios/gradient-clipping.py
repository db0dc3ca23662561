# %% [markdown]
# # Gradient clipping
# One steep wall in the loss, one gradient that is far too long. clip_grad_norm_ shortens all gradients together and keeps
# their direction.
# topics: gradients, optimizers
# level: intermediate
# minutes: 6

# %%
import torch

w = torch.tensor([3.0, 4.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.5)

for i in range(30):
    optimizer.zero_grad()
    loss = (w ** 4).sum() / 4
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_([w], max_norm=1.0)
    optimizer.step()
    if i % 10 == 0:
        print(f"{i}: norm {norm.item():.3f}, clipped to {w.grad.norm().item():.3f}, w = {w.tolist()}")

# %% [markdown]
# ## The gradient of a wall
# Press **zero_grad**, **forward**, **backward**. The gradient of w⁴/4 is w³.
#
# do: zero_grad, forward, backward
# look: w
# predict: What is the second entry of `w.grad`?
# answer: w.grad[1].item()
# slip: 256 -> The 4 in front cancels against the division by 4.
# because: 4³.

# %% [markdown]
# ## Where it would land
# lr is 0.5.
#
# look: w, step
# predict: Where would the second weight land without clipping?
# answer: (w[1] - 0.5 * w.grad[1]).item()
# slip: (w[1] + 0.5 * w.grad[1]).item() -> Against the gradient.
# because: 4 − 0.5 · 64: far on the other side, where the wall is higher still.

# %% [markdown]
# ## Clipped
# Press **next**: clip_grad_norm_ runs. It returns the norm as it was, and changes `.grad` in place.
#
# do: next
# look: w
# predict: What is the norm of `w.grad` now?
# answer: w.grad.norm().item()
# because: max_norm is 1. Both entries were multiplied by the same number, so the direction stays.

# %% [markdown]
# ## The order
# Clipping belongs between backward and step.
#
# do: step
# look: step
# predict: How far did this step move w, measured as a distance?
# answer: (0.5 * w.grad.norm()).item()
# because: lr · 1: no step can be longer than lr · max_norm. For Adam, which divides the size away, clipping means less.
