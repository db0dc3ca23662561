# %% [markdown]
# # Freezing layers, and detach
# Three ways to leave a parameter as it is: requires_grad=False, detach() on a value computed from it, and not giving it to
# the optimizer. They do not do the same: see who still gets a gradient.
# topics: gradients, networks
# level: intermediate
# minutes: 8

# %%
import torch

frozen = torch.tensor(2.0, requires_grad=False)
before = torch.tensor(3.0, requires_grad=True)
after = torch.tensor(0.5, requires_grad=True)
unheld = torch.tensor(1.0, requires_grad=True)
optimizer = torch.optim.SGD([before, after], lr=0.01)

for i in range(10):
    optimizer.zero_grad()
    features = (frozen * before).detach()
    loss = (features * after * unheld - 4) ** 2
    loss.backward()
    optimizer.step()
    print(f"{i + 1}: before = {before.item():.2f}, after = {after.item():.4f}, unheld.grad = {unheld.grad.item():.4f}")

# %% [markdown]
# ## Cut off by detach
# Press **zero_grad**, **forward**, **backward**. features was detached: for autograd it is a plain number.
#
# do: zero_grad, forward, backward
# look: before, after
# predict: What is `before.grad`?
# choices: None | 0 | -12
# answer: before.grad
# slip: 0 -> A zero would be a gradient that arrived. Nothing has arrived here at all.
# slip: -12 -> That is the gradient of `after`.
# because: Nothing flows past a detach(). `before` requires grad and an optimizer holds it, and still it never gets one.

# %% [markdown]
# ## Not held
# `unheld` takes part in the graph but no optimizer holds it. Its gradient is computed like any other.
#
# look: unheld
# predict: What is `unheld.grad`? (the derivative of (6 · 0.5 · u − 4)² at u = 1)
# answer: unheld.grad.item()
# slip: 2 * (6 * 0.5 - 4) -> One factor is missing: 6 · 0.5 multiplies u.
# slip: (6 * 0.5 - 4) * 3 -> The square brings down a 2.
# because: 2 · (3 − 4) · 3.

# %% [markdown]
# ## And not cleared
# Press **step**, then go through another **zero_grad**, **forward**, **backward**.
#
# do: step, zero_grad, forward, backward
# look: unheld
# predict: Does `unheld.grad` hold one gradient or the sum of two?
# choices: one | the sum of two
# answer: "one" if abs(unheld.grad.item() - (2 * (features * after * unheld - 4) * features * after).item()) < 1e-4 else "the sum of two"
# slip: "one" -> Who has cleared the first one? The optimizer does not hold `unheld`.
# because: optimizer.zero_grad() clears what the optimizer holds. Gradients of other parameters pile up unnoticed, until somebody gives them to an optimizer.

# %% [markdown]
# ## Frozen
# `frozen` does not require grad: backward() computes nothing for it, which also saves the time.
#
# look: features, line 20
# predict: What is `frozen.grad`?
# choices: None | 0
# answer: frozen.grad
# slip: 0 -> Nothing is computed for it, not even a zero.
# because: requires_grad=False is the cheapest way to freeze. Gradients still flow through the operation to its other operand.
