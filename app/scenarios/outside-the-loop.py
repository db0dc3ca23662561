# %% [markdown]
# # One line slipped out of the loop
# step() is indented once too little. The script runs, the loss is printed, nothing learns. How to see it.
# topics: loop
# level: beginner
# minutes: 5

# %%
import torch

w = torch.tensor(1.0, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)

for i in range(20):
    optimizer.zero_grad()
    loss = (w - 3) ** 2
    loss.backward()
    if i % 5 == 0:
        print(f"{i}: loss {loss.item():.4f}, w = {w.item():.4f}")
optimizer.step()
print(f"after the loop: w = {w.item():.4f}")

# %% [markdown]
# ## No green mark
# Run 3 iterations and look at the timeline: zero_grad, forward, backward, over and over. There is no green tick.
#
# do: run 3
# look: timeline, w
# predict: What is `w` after three iterations?
# answer: w.item()
# slip: 1 + 0.1 * 4 -> That is one step. How many were made?
# because: Nobody moved it: step() stands after the loop.

# %% [markdown]
# ## The same gradient again
# zero_grad() clears and backward() computes, at the same w every time.
#
# look: w
# predict: What is `w.grad` after ten iterations more?
# answer: w.grad.item()
# because: It is cleared in time, so it does not pile up; and since w stays, it is the same number in each iteration. A loss that does not change by a single digit is the sign to look for.

# %% [markdown]
# ## After the loop
# Press **finish**: the loop ends, and one step is made.
#
# do: finish
# look: w, line 20
# predict: What is `w` at the end?
# answer: w.item()
# slip: 3 -> That is where twenty steps would have led. One was made.
# because: 1 − 0.1 · (−4): one step with the last gradient. Indent optimizer.step() once more, and it belongs to the loop.
