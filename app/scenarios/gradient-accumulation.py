# %% [markdown]
# # Gradient accumulation
# Four micro-batches, one step: because backward() adds, their gradients sum up to the gradient of one large batch. If each
# loss is divided by their number.
# topics: gradients, loop
# level: intermediate
# minutes: 8

# %%
import torch

torch.manual_seed(0)
x = torch.randn(8, 1)
y = 3 * x
w = torch.zeros(1, 1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
accumulate = 4

large = ((x @ w - y) ** 2).mean()
large.backward()
print(f"one large batch:    w.grad = {w.grad.item():.4f}")
optimizer.zero_grad()

# %% Training loop
for i in range(40):
    part = slice(2 * (i % accumulate), 2 * (i % accumulate) + 2)
    loss = ((x[part] @ w - y[part]) ** 2).mean()
    (loss / accumulate).backward()
    if (i + 1) % accumulate == 0:
        if i + 1 == accumulate:
            print(f"four micro-batches: w.grad = {w.grad.item():.4f}")
        optimizer.step()
        optimizer.zero_grad()
print(f"w = {w.item():.4f}")

# %% [markdown]
# ## One micro-batch
# Under **More…** run 1 iteration: a **forward** and a **backward**, no step yet. `.grad` holds a quarter of the
# gradient of the first micro-batch.
#
# do: run 1
# look: w
# predict: How many micro-batches must be added before `.grad` is the gradient of the whole batch?
# answer: accumulate
# tolerance: 0
# slip: 8 -> That is how many examples there are. A micro-batch has two of them.
# slip: 2 -> That is the size of a micro-batch.
# because: Every micro-batch adds its part; accumulate of them make one step.

# %% [markdown]
# ## All four
# Under **More…** run 2 iterations, then press **forward** and **backward**: the fourth micro-batch has been added and
# step() has not been called yet. The first line of the output says what one large batch gives.
#
# do: run 2, forward, backward
# look: w, output
# predict: Is `w.grad` now the gradient of one large batch?
# choices: yes | no
# answer: "yes" if abs(w.grad.item() - torch.autograd.grad(((x @ w - y) ** 2).mean(), w)[0].item()) < 1e-4 else "no"
# slip: "no" -> Each loss is a mean over two examples, divided by four. Added up, that is a mean over eight.
# because: The mean over 8 is the mean of four means over 2. Only layers that look at the whole batch, as BatchNorm does, would notice.

# %% [markdown]
# ## The forgotten division
# Without `/ accumulate` each backward adds the whole gradient of its micro-batch. Act it out: under **More…** execute
# `optimizer.zero_grad()`, and then the four backwards in one line:
# `for k in (0, 2, 4, 6): ((x[k:k + 2] @ w - y[k:k + 2]) ** 2).mean().backward()`.
#
# do: statement optimizer.zero_grad()
# do: statement for k in (0, 2, 4, 6): ((x[k:k + 2] @ w - y[k:k + 2]) ** 2).mean().backward()
# look: w, line 28
# predict: How many times the gradient of the large batch does `w.grad` hold now?
# answer: w.grad.item() / torch.autograd.grad(((x @ w - y) ** 2).mean(), w)[0].item()
# slip: 8 -> That is the number of examples. Each loss is a mean already, and four of them are added.
# slip: 2 -> That is the size of a micro-batch. How many means are added?
# because: The sum of four means is four times the mean: for SGD that is a learning rate four times as large. Accumulation steps are not the batch size: with accumulate = 8 it would be eight times.

# %% [markdown]
# ## Step, then clear
# Press **step** and **zero_grad**. The clearing belongs to the step, not to the micro-batch.
#
# do: step, zero_grad
# look: w
# predict: What is `w.grad` now?
# choices: None | tensor([[0.]])
# answer: w.grad
# slip: torch.zeros(1, 1) -> With set_to_none=False. By default the tensor is dropped.
# because: A zero_grad() at every micro-batch would have thrown three of the four away.
