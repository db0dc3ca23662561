# %% [markdown]
# # Old code: Variable and .data
# Scripts from before PyTorch 0.4 wrap tensors in Variable and change `.data`. They still run. See what a Variable is today.
# topics: other-code
# level: intermediate
# minutes: 5

# %%
import torch
from torch.autograd import Variable

x_data = [1.0, 2.0, 3.0]
y_data = [2.0, 4.0, 6.0]

w = Variable(torch.Tensor([1.0]), requires_grad=True)


def forward(x):
    return x * w


for epoch in range(10):
    for x_val, y_val in zip(x_data, y_data):
        loss = (forward(x_val) - y_val) ** 2
        loss.backward()
        w.data = w.data - 0.01 * w.grad.data
        w.grad.data.zero_()
    print("epoch", epoch, f"w = {w.item():.4f}")

# %% [markdown]
# ## A Variable is a tensor
# Variable(...) returns a plain tensor today.
#
# look: w
# predict: What does `type(w).__name__` say?
# choices: Tensor | Variable | Parameter
# answer: type(w).__name__
# slip: "Variable" -> It was a class of its own before PyTorch 0.4.
# slip: "Parameter" -> That is what an nn.Module registers as its weights. This is a plain tensor.
# because: Since PyTorch 0.4 the two are one class; requires_grad is an attribute of every tensor.

# %% [markdown]
# ## One example
# Press **forward** and **backward**: (x · w − y)² with x = 1, y = 2.
#
# do: forward, backward
# look: w
# predict: What is `w.grad`?
# answer: w.grad.item()
# slip: -1.0 -> 2 · (x·w − y) · x: do not forget the 2.
# because: 2 · (1 · 1 − 2) · 1.

# %% [markdown]
# ## Behind autograd's back
# Press **step**. `.data` gives the same numbers without the history, and assigning to it is not recorded. Today one
# writes `with torch.no_grad(): w -= 0.01 * w.grad`.
#
# do: step
# look: w
# predict: What is `w` now?
# answer: w.item()
# slip: 0.98 -> Against the gradient: it is negative, so w grows.
# slip: 3.0 -> The step is 0.01 times the gradient.
# because: 1 − 0.01 · (−2).

# %% [markdown]
# ## Zeroed, not dropped
# Press **zero_grad**: `w.grad.data.zero_()`.
#
# do: zero_grad
# look: w
# predict: What is `w.grad` now?
# choices: None | tensor([0.])
# answer: w.grad
# slip: None -> That is what optimizer.zero_grad() does today. zero_() fills a tensor that stays.
# because: zero_() fills the tensor with zeros. optimizer.zero_grad() did the same before PyTorch 2.0, which is why older answers on the web speak of zeros; today it gives None.
