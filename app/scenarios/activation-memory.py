# %% [markdown]
# # What a forward keeps in memory
# Backward needs what forward computed: activations are kept until then. A large batch keeps all of them at once;
# accumulating over micro-batches keeps those of one micro-batch at a time.
# topics: gradients
# level: advanced
# minutes: 6

# %%
import torch

torch.manual_seed(0)
w1 = torch.randn(4, 16, requires_grad=True)
w2 = torch.randn(16, 1, requires_grad=True)
optimizer = torch.optim.SGD([w1, w2], lr=0.01)
x = torch.randn(32, 4)
y = torch.randn(32, 1)

for micro_batches in (1, 4):
    largest = 0
    optimizer.zero_grad()
    for inputs, targets in zip(x.chunk(micro_batches), y.chunk(micro_batches)):
        hidden = torch.tanh(inputs @ w1)
        loss = ((hidden @ w2 - targets) ** 2).mean() / micro_batches
        largest = max(largest, hidden.numel())
        loss.backward()
    print(f"batch in {micro_batches}: {largest} activations kept at a time, gradient norm {w1.grad.norm().item():.4f}")

# %% [markdown]
# ## One large batch
# Press **forward**, then **next ▸**, which counts: all 32 examples at once.
#
# do: forward, next
# look: hidden, variables
# predict: How many activations does `hidden` hold until backward has used them?
# answer: hidden.numel()
# tolerance: 0
# slip: 16 -> That is the number of hidden units. Each example has its own activations.
# slip: 32 -> That is the number of examples. Each has 16 activations.
# because: 32 examples, 16 hidden units. The parameters do not depend on the batch size; the activations do.

# %% [markdown]
# ## Freed by backward
# Press **backward**. What the graph had saved is gone: under the operations that had saved something, the name is struck
# out.
#
# do: backward
# look: loss, w1
# predict: What stays is the gradient. How many numbers does `w1.grad` hold?
# answer: w1.grad.numel()
# tolerance: 0
# slip: 512 -> The gradient has the shape of the parameter, not of the activations.
# slip: 128 -> That is x. The gradient has the shape of w1: 4 inputs, 16 units.
# because: As many as w1. backward() lets go of the activations it has used, unless retain_graph=True. So memory does not grow from one iteration to the next.

# %% [markdown]
# ## Four micro-batches
# Under **More…** run **to the end** and compare the two printed lines.
#
# do: finish
# look: output, hidden
# predict: How many activations are kept at a time with four micro-batches?
# answer: largest
# tolerance: 0
# slip: 512 -> That is the whole batch at once.
# slip: 8 -> That is the number of examples in a micro-batch. Each has 16 activations.
# because: A quarter. The gradient norm is the same: accumulation pays for memory with time.
