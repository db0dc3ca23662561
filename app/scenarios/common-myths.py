# %% [markdown]
# # Common myths, put right
# Five sentences that one often reads about gradients, and what is so. Most can be tried at once.
# topics: gradients
# level: beginner
# minutes: 8

# %%
import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)

for i in range(6):
    optimizer.zero_grad()
    squares = w ** 2
    loss = squares.sum()
    loss.backward()
    optimizer.step()
    print(f"{i + 1}: loss {loss.item():.4f}, is a leaf: {loss.is_leaf}, elements in w.grad: {w.grad.numel()}")

# %% [markdown]
# ## "The loss is a leaf of the graph"
# Press **zero_grad** and **forward**.
#
# do: zero_grad, forward
# look: loss, w
# predict: What is `loss.is_leaf`?
# choices: True | False
# answer: loss.is_leaf
# slip: True -> A leaf is what no recorded operation has made. The loss was computed.
# because: Leaves are tensors that no recorded operation made: w. The loss is the other end, the root that backward starts from.

# %% [markdown]
# ## "Gradients pile up in memory"
# Press **backward**, then **forward** and **backward** twice more.
#
# do: backward, forward, backward, forward, backward
# look: w
# predict: How many numbers are in `w.grad` after three backwards?
# answer: w.grad.numel()
# tolerance: 0
# slip: 6 -> They are added, not appended.
# slip: 3 -> That is how many backwards there were. Each has a number for every element of w.
# because: One tensor of w's shape, however many backwards added to it. Accumulating costs no further memory.

# %% [markdown]
# ## "zero_grad gives 0"
# Press **zero_grad**.
#
# do: zero_grad
# look: w
# predict: What is `w.grad`?
# choices: None | tensor([0., 0.])
# answer: w.grad
# slip: torch.zeros(2) -> So it was before PyTorch 2.0, and so it is with set_to_none=False.
# because: None, since PyTorch 2.0. Older answers on the web speak of zeros.

# %% [markdown]
# ## "Every tensor in the graph has a gradient"
# Press **forward** and **backward**. A gradient flowed through `squares`; the picture shows it as passing.
#
# do: forward, backward
# look: squares, w
# predict: Does `squares` keep it: what is `squares.retains_grad`?
# choices: True | False
# answer: squares.retains_grad
# slip: True -> Only of leaves, and of tensors whose retain_grad() was called.
# because: Only leaves get a `.grad`. What flows through an operation is not kept, unless retain_grad() was called before.

# %% [markdown]
# ## "Four accumulation steps are a batch size of four"
# Accumulation steps are how many backwards there are before a step. How many examples each of them sees is another
# number: the size of a micro-batch.
#
# look: w
# predict: Micro-batches of 8, accumulated 4 times: how many examples does one step see?
# answer: 8 * 4
# tolerance: 0
# slip: 4 -> That is the number of micro-batches.
# slip: 8 -> That is one micro-batch. The step comes after four of them.
# because: 8 · 4. The effective batch size is the product.
