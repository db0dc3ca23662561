# %% [markdown]
# # The three calls and their order
# zero_grad, backward, step: two weights, three calls. Press them in the usual order, then in others, and see which orders
# give the same update and which do not.
# topics: loop
# level: beginner
# minutes: 6

# %%
import torch

a = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(2.0, requires_grad=True)
optimizer = torch.optim.SGD([a, b], lr=0.1)

for i in range(10):
    optimizer.zero_grad()
    loss = (a * b - 6) ** 2
    loss.backward()
    optimizer.step()
    print(f"{i + 1}: a = {a.item():.4f}, b = {b.item():.4f}")

# %% [markdown]
# ## Step before backward
# Press **step** first, before anything else.
#
# do: step
# look: step, a
# predict: What is `a` after this step?
# answer: a.item()
# slip: 1 + 0.1 * 16 -> That is a step with a gradient. Nobody has computed one yet.
# slip: 0.9 -> lr times the weight is not the step: it is lr times the gradient, and there is none.
# because: Every `.grad` is None, and step() passes such parameters over. No error, no warning, no movement.

# %% [markdown]
# ## The usual order
# Press **zero_grad**, **forward**, **backward**. The gradient of a is 2 · (a·b − 6) · b.
#
# do: zero_grad, forward, backward
# look: a, b, formula
# predict: What is `a.grad`?
# answer: a.grad.item()
# slip: (a * b - 6).item() * b.item() -> A factor 2 is missing: the one of the square, or b, the derivative of a·b by a.
# slip: 2 * (a * b).item() * b.item() -> Do not forget the target: what is squared is a·b − 6.
# because: Each leaf gets the gradient that passed through the product, times the other factor.

# %% [markdown]
# ## Clearing too late
# Press **zero_grad** now, between backward and step, and then **step**.
#
# do: zero_grad, step
# look: zero_grad, step
# predict: What is `a` after this step?
# answer: a.item()
# slip: 1 + 0.1 * 16 -> That would be so if `.grad` were still there. zero_grad() came before step().
# because: zero_grad() threw away what backward() had computed, so step() found None. Clear before backward, or after step: never between.

# %% [markdown]
# ## Clearing after the step is as good
# Press **forward**, **backward**, **step**, **zero_grad**: the clearing comes last. The next iteration then starts
# with an empty `.grad`, which is all that matters.
#
# do: forward, backward, step, zero_grad
# look: a, step
# predict: What is `a` after these four presses? (lr is 0.1)
# answer: a.item()
# slip: 1.0 - 0.1 * 16 -> The sign: the gradient is negative, so subtracting it makes a grow.
# slip: 1.0 -> This time step() came before zero_grad(), so it had a gradient to read.
# because: a was 1, its gradient −16, and step() subtracts lr times the gradient.
