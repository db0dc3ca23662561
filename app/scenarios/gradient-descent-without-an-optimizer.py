# %% [markdown]
# # Gradient descent without an optimizer
# The loop that optimizers replace: subtract lr times the gradient under no_grad, then clear. And its three classic errors.
# topics: optimizers, other-code
# level: intermediate
# minutes: 8

# %%
import torch

w = torch.tensor(4.0, requires_grad=True)
lr = 0.1

for i in range(10):
    loss = (w - 1) ** 2
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
    w.grad = None
    print(f"{i + 1}: w = {w.item():.4f}")

# %% [markdown]
# ## Forward and backward
# Press **forward** and **backward**.
#
# do: forward, backward
# look: w
# predict: What is `w.grad`?
# answer: w.grad.item()
# slip: (w - 1).item() -> The square brings down a 2.
# slip: loss.item() -> That is the loss.
# because: 2 · (4 − 1).

# %% [markdown]
# ## In place, on a leaf
# Under **More…** execute `w -= lr * w.grad`, without no_grad. PyTorch refuses: a leaf that requires grad may not be
# changed in place where the change would be recorded.
#
# do: statement w -= lr * w.grad
# look: explanation, w
# predict: What is `w` after the error?
# answer: w.item()
# slip: 3.4 -> The statement failed before anything was written.
# because: An error leaves everything as it was. Under no_grad nothing is recorded, and the same line is allowed.

# %% [markdown]
# ## The lost leaf
# Under **More…** execute `v = w - lr * w.grad`: the same sum without the in-place minus. It makes a new tensor.
#
# do: statement v = w - lr * w.grad
# look: explanation
# predict: Is `v` a leaf?
# choices: True | False
# answer: v.is_leaf
# slip: True -> It was computed from w by an operation that is recorded. A leaf is what no such operation has made.
# because: It is the result of a subtraction. Had it been called w, the next backward would have filled the `.grad` of the old tensor, which nobody could reach any more, and `w.grad` would have stayed None.

# %% [markdown]
# ## The right way
# Press **step**: the lines under no_grad change the tensor itself, and it stays a leaf.
#
# do: step
# look: w, step
# predict: What is `w` now?
# answer: w.item()
# slip: 4.6 -> Against the gradient: subtract.
# slip: -2 -> The step is lr times the gradient.
# because: 4 − 0.1 · 6, in place.

# %% [markdown]
# ## A gradient of None
# Press **zero_grad**, which is `w.grad = None` here, and then **step** once more.
#
# do: zero_grad, step
# look: explanation
# predict: Does the second step move `w`?
# choices: yes | no
# answer: "yes" if abs(w.item() - 3.4) > 1e-3 else "no"
# slip: "yes" -> By what? `.grad` is None, and lr times None is no number.
# because: None times a number is a TypeError. An optimizer's step() would have passed the parameter over in silence.
