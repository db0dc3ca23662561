# %% [markdown]
# # A loop through time
# One weight is used at every time step, and the losses of all steps add up. Backward walks back through time, and each use
# of the weight adds to the same `.grad`.
# topics: gradients, networks
# level: advanced
# minutes: 10

# %%
import torch

w = torch.tensor(0.5, requires_grad=True)
u = torch.tensor(1.0, requires_grad=True)
optimizer = torch.optim.SGD([w, u], lr=0.02)
inputs = [1.0, 0.0, 0.0]
targets = [1.0, 0.8, 0.64]

for i in range(30):
    optimizer.zero_grad()
    h = torch.tensor(0.0)
    loss = torch.tensor(0.0)
    for x, target in zip(inputs, targets):
        h = w * h + u * x
        loss = loss + (h - target) ** 2
    loss.backward()
    optimizer.step()
    if i % 10 == 9:
        print(f"{i + 1}: loss {loss.item():.5f}, w = {w.item():.4f}, u = {u.item():.4f}")

# %% [markdown]
# ## Unrolled
# Press **zero_grad** and **forward**. The picture shows the loop unrolled: w takes part once for each time step.
#
# do: zero_grad, forward
# look: w, loss
# predict: h starts at 0, and the inputs are 1, 0, 0. What is `h` after three time steps?
# answer: h.item()
# slip: 0.5 -> That is h after two steps: one more factor w.
# slip: 0.125 -> One factor w too many: the first time step multiplies h = 0.
# because: 1, then w · 1, then w · w · 1.

# %% [markdown]
# ## Back through time
# Press **backward** and go **into ▾** it: the walk visits the last time step first.
#
# do: backward
# look: w
# predict: Each use of w adds passing · h, with the h that came in. Which part of `w.grad` comes from the last time step? (2 · (h − 0.64) · the h before)
# answer: (2 * (h - 0.64) * 0.5).item()
# slip: w.grad.item() -> That is the sum over all time steps.
# slip: (2 * (h - 0.64)).item() -> That is the gradient passing into the last product: times the h before.
# because: 2 · (0.25 − 0.64) · 0.5. The first time step adds nothing: its h is 0.

# %% [markdown]
# ## One gradient
# All contributions are in one tensor.
#
# look: w
# predict: Is `w.grad` positive or negative? (h falls faster than the targets)
# choices: positive | negative
# answer: "negative" if w.grad.item() < 0 else "positive"
# slip: "positive" -> Then a larger w would make the loss larger. But h is below its targets.
# because: A larger w would keep more of h, so the loss falls as w grows: the gradient is negative.

# %% [markdown]
# ## Where it ends
# Under **More…** run **to the end**.
#
# do: finish
# look: loss, w
# predict: To which value does `w` go, so that 1 becomes 0.8 and then 0.64?
# answer: w.item()
# tolerance: 0.05
# slip: 0.64 -> That is w · w: two time steps.
# slip: 0.5 -> That is where it began.
# because: It is on its way to 0.8, for every time step multiplies by w. Detaching h between the time steps would cut the way back: each loss would only teach w about the last multiplication before it.
