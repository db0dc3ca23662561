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
# because: PyTorch refuses before it subtracts. Under no_grad nothing is recorded, and the same line is allowed.

# %% [markdown]
# ## The lost leaf
# The same sum without the in-place minus: under **More…** execute `w = w - lr * w.grad`. No error; but it makes a new
# tensor and calls that w. Now press **forward** and **backward**.
#
# do: statement w = w - lr * w.grad
# do: forward, backward
# look: w, explanation
# predict: What is `w.grad` now?
# choices: None | 4.8 | 10.8
# answer: w.grad
# slip: 4.8 -> That would be 2 · (3.4 − 1), if w were a leaf. It was computed from another tensor.
# slip: 10.8 -> Both gradients are in the `.grad` of the old tensor, which is called w no more.
# because: The new w is the result of a subtraction, not a leaf, and backward() fills the `.grad` of leaves. It reached the old tensor, which has no name any more.

# %% [markdown]
# ## A gradient of None
# Press **step**: the same three lines as ever, and this w.
#
# do: step
# look: explanation
# predict: What happens?
# choices: an error | w stays | w moves
# answer: "an error" if w.grad is None and not w.is_leaf else "w moves"
# slip: "w stays" -> An optimizer's step() passes over what has no gradient. Here lr is multiplied by None.
# slip: "w moves" -> By what? `w.grad` is None.
# because: A number times None is a TypeError. You meet the same one when backward() has been forgotten, or comes after the step.

# %% [markdown]
# ## The right way
# **Start over** and press **forward**, **backward**, **step**. The lines under no_grad change the tensor itself.
#
# do: reset
# do: forward, backward, step
# look: w, step
# predict: What is `w` now?
# answer: w.item()
# slip: 4.6 -> Against the gradient: subtract.
# slip: -2 -> The step is lr times the gradient.
# because: 4 − 0.1 · 6, in place and not recorded: w stays the leaf that it was. The last line of the loop clears its `.grad`, as zero_grad() does.
