# %% [markdown]
# # Gradients add up
# One weight, one number to hit. See what zero_grad, forward, backward and step each do, and what happens to `w.grad`
# when one of them is left out.
# topics: gradients
# level: beginner
# minutes: 5

# %%
import torch

w = torch.tensor(1.5, requires_grad=True)
x, target = torch.tensor(2.0), torch.tensor(5.0)
opt = torch.optim.SGD([w], lr=0.05)

for i in range(20):
    opt.zero_grad()
    loss = (w * x - target) ** 2
    loss.backward()
    opt.step()
    print(f"{i + 1}: w = {w.item():.4f}")

# %% [markdown]
# ## Forward only computes
# Press **zero_grad**, then **forward**. The forward pass multiplies, subtracts and squares, and the graph remembers
# how. Nothing has flowed back yet.
#
# do: zero_grad, forward
# look: w, loss
# predict: What is `w.grad` after the forward pass?
# choices: None | 0 | -8
# answer: w.grad
# slip: 0 -> A zero would be a gradient that somebody computed. There is no tensor there at all.
# slip: -8 -> That is what backward() is going to compute. forward only records how.
# because: Gradients are computed by backward(). Until then `.grad` is None: there is no tensor at all, not a tensor of zeros.

# %% [markdown]
# ## Backward fills .grad
# **backward** walks from the loss to the leaf and multiplies by one local derivative at each node. With e = w·x −
# target the loss is e², so the chain rule gives 2·e for the square and x for the product.
#
# do: backward
# look: w, formula
# predict: Which number will stand in `w.grad`?
# answer: w.grad.item()
# slip: 2 * (w * x - target).item() -> That is the derivative of the square. The chain rule has one more factor: w is multiplied by x.
# slip: 2 * (w * x).item() * x.item() -> Do not forget the target: the error is w·x − target.
# because: 2 · (w·x − target) · x. It is negative, so a larger w makes the loss smaller.

# %% [markdown]
# ## Backward adds
# Now press **forward** and **backward** again, without zero_grad between. Nothing was stepped, so the second backward
# computes the very same gradient.
#
# do: forward, backward
# look: w
# predict: What does `w.grad` hold now?
# answer: w.grad.item()
# slip: (2 * (w * x - target) * x).item() -> That is what the second backward computed. It did not replace what was there: it was added to it.
# slip: 0.0 -> Nothing was subtracted: both gradients point the same way.
# because: backward() adds to `.grad`. PyTorch keeps one tensor, not a list: only the sum is left.

# %% [markdown]
# ## Step reads the sum
# **step** moves every parameter by −lr · `.grad`. It does not know how the number in `.grad` came about.
#
# do: step
# look: step, w
# predict: The learning rate is 0.05. What will `w` be?
# answer: w.item()
# slip: 1.5 - 0.05 * w.grad.item() / 2 -> That is the step for one gradient. `.grad` holds the sum of two.
# slip: 1.5 + 0.05 * w.grad.item() -> Gradient descent subtracts: the gradient is negative, so w grows.
# because: w moved twice as far as one clean iteration would have moved it.

# %% [markdown]
# ## Clearing
# Press **zero_grad**.
#
# do: zero_grad
# look: w, zero_grad
# predict: What is `w.grad` now?
# choices: None | 0 | -16
# answer: w.grad
# slip: 0 -> It was so before PyTorch 2.0. Today the tensor is dropped and not filled with zeros.
# slip: -16 -> step() leaves `.grad` as it is. zero_grad() is the call that clears it.
# because: Since PyTorch 2.0 zero_grad() drops the tensor: set_to_none=True is the default. The weight itself does not change.
