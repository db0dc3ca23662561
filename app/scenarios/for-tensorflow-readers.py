# %% [markdown]
# # For readers of TensorFlow: where is the tape?
# GradientTape records inside of a `with` block and returns gradients. PyTorch records unless told not to (no_grad), and
# adds the gradients to `.grad`. The same loop, line by line, the PyTorch way.
# topics: gradients, other-code
# level: beginner
# minutes: 6

# %%
import torch

w = torch.tensor(2.0, requires_grad=True)  # tf.Variable(2.0)
optimizer = torch.optim.SGD([w], lr=0.1)  # tf.keras.optimizers.SGD(0.1)

for step in range(10):
    optimizer.zero_grad()  # the tape needs no such line
    loss = (w * 3 - 9) ** 2 / 9  # with tf.GradientTape() as tape: loss = ...
    loss.backward()  # grads = tape.gradient(loss, [w])
    optimizer.step()  # optimizer.apply_gradients(zip(grads, [w]))
    print(f"{step}: loss {loss.item():.4f}, w = {w.item():.4f}")

# %% [markdown]
# ## No tape to open
# Press **zero_grad** and **forward**. Whatever is computed from a tensor that requires grad is recorded: the graph is
# the tape.
#
# do: zero_grad, forward
# look: w, loss
# predict: What does `loss.grad_fn` say about how the loss was made? Its last operation was ...
# choices: DivBackward0 | PowBackward0 | None
# answer: loss.grad_fn.name()
# slip: "PowBackward0" -> The square is there too, but the division by 9 comes after it.
# slip: None -> `w` requires grad, so everything computed from it is recorded.
# because: Each result knows the operation that made it. In TensorFlow this is on the tape, outside of the tensors.

# %% [markdown]
# ## Where the gradients go
# tape.gradient returns new tensors. Press **backward**: it returns nothing.
#
# do: backward
# look: w
# predict: What is `w.grad`? (the derivative of (3w − 9)² / 9 at w = 2)
# answer: w.grad.item()
# slip: 2 * (w * 3 - 9).item() / 9 -> One factor is missing: 3w has the derivative 3.
# slip: 2 * (w * 3 - 9).item() * 3 -> Do not forget the division by 9.
# because: 2 · (6 − 9) · 3 / 9.

# %% [markdown]
# ## Why zero_grad exists
# Press **forward** and **backward** again, as two tapes one after another would.
#
# do: forward, backward
# look: w
# predict: What is `w.grad` now?
# answer: w.grad.item()
# slip: -2.0 -> Two tapes give two results. In PyTorch the second is added to the first.
# because: `.grad` adds up. What TensorFlow does with grads = grads_1 + grads_2, PyTorch does by not clearing.

# %% [markdown]
# ## One tape, one use
# The graph is freed by its backward, as a tape is by its gradient. Under **More…** execute `loss.backward()`.
#
# do: statement loss.backward()
# look: explanation
# predict: What happens?
# choices: an error | the gradient is added again
# answer: "an error" if w.grad.item() > -4.5 else "the gradient is added again"
# slip: "the gradient is added again" -> Only if the backward before it was told to keep the graph.
# because: persistent=True in TensorFlow is retain_graph=True in PyTorch. torch.autograd.grad(loss, [w]) is the function that returns gradients without touching `.grad`.
