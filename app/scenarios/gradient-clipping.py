# %% [markdown]
# # Gradient clipping
# One steep wall in the loss, one gradient that is far too long. clip_grad_norm_ shortens all gradients together and keeps
# their direction.
# topics: gradients, optimizers
# level: intermediate
# minutes: 6

# %%
import torch

a = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(4.0, requires_grad=True)
optimizer = torch.optim.SGD([a, b], lr=0.5)

for i in range(30):
    optimizer.zero_grad()
    loss = (a ** 4 + b ** 4) / 4
    loss.backward()
    norm = torch.nn.utils.clip_grad_norm_([a, b], max_norm=1.0)
    optimizer.step()
    if i % 10 == 0:
        print(f"{i}: norm {norm.item():.3f} before clipping, a = {a.item():.3f}, b = {b.item():.3f}")

# %% [markdown]
# ## The gradient of a wall
# Press **zero_grad**, **forward**, **backward**. The gradient of b⁴/4 is b³.
#
# do: zero_grad, forward, backward
# look: a, b
# predict: What is `b.grad`?
# answer: b.grad.item()
# slip: 256 -> The 4 in front cancels against the division by 4.
# slip: 27 -> That is `a.grad`.
# because: 4³.

# %% [markdown]
# ## Where it would land
# lr is 0.5.
#
# look: b, step
# predict: Where would `b` land without clipping?
# answer: (b - 0.5 * b.grad).item()
# slip: (b + 0.5 * b.grad).item() -> Against the gradient.
# slip: (b - b.grad).item() -> lr is 0.5: half of the gradient.
# because: 4 − 0.5 · 64: far on the other side, where the wall is higher still. The column "after step()" says the same.

# %% [markdown]
# ## Clipped
# Press **next ▸**: clip_grad_norm_ runs. It returns the norm that all gradients together had, √(27² + 64²) = 69.46, and
# multiplies each of them in place by max_norm / norm.
#
# do: next
# look: a, b
# predict: max_norm is 1. What is `b.grad` now?
# answer: b.grad.item()
# slip: 1 -> The norm of both together is 1. One of them is less.
# slip: 64 -> It was too long: clip_grad_norm_ has changed `.grad` itself.
# because: 64 / 69.46. `a.grad` was divided by the same number, so the direction stays.

# %% [markdown]
# ## The order
# Press **step**. Clipping belongs between backward and step.
#
# do: step
# look: b, step
# predict: `b.grad` is 0.9214. Where is `b` now?
# answer: b.item()
# tolerance: 0.01
# slip: -28 -> That is the step without clipping.
# slip: 4 - 0.9214 -> The step is lr times the gradient, and lr is 0.5.
# because: 4 − 0.5 · 0.9214. No step of plain SGD can now be longer than lr · max_norm, in all parameters together. For Adam, which divides the size away, clipping means less.
