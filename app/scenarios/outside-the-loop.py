# %% [markdown]
# # One line slipped out of the loop
# step() is indented once too little. The script runs, the loss is printed, nothing learns. How to see it.
# topics: loop
# level: beginner
# minutes: 7

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
# Under **More…** run 3 iterations and look at the timeline: zero_grad, forward, backward, over and over, and no green
# step. There is no **step** button either: the loop has none.
#
# do: run 3
# look: timeline, w
# predict: What is `w` after three iterations?
# answer: w.item()
# slip: 1 + 0.1 * 4 -> That is one step. How many were made?
# because: Nobody moved it: step() stands after the loop. The panel **Noticed** names its line.

# %% [markdown]
# ## The same gradient again
# Under **More…** run 10 iterations. zero_grad() clears and backward() computes, at the same w every time.
#
# do: run 10
# look: w, loss
# predict: What is `w.grad` after ten iterations more?
# answer: w.grad.item()
# slip: -4.0 * 13 -> It would pile up without zero_grad(). That call is in the loop.
# slip: 0.0 -> zero_grad() clears it, and backward() fills it again in the same iteration.
# because: It is cleared in time, so it does not pile up; and since w stays, it is the same number in each iteration. A loss that does not change by a single digit is the sign to look for.

# %% [markdown]
# ## After the loop
# Under **More…** run **to the end**: the loop ends, and one step is made.
#
# do: finish
# look: w, line 20
# predict: What is `w` at the end?
# answer: w.item()
# slip: 1.0 -> After the loop step() is called, once.
# slip: 3 -> That is where twenty steps would have led. One was made.
# because: 1 − 0.1 · (−4): one step with the last gradient. Indent optimizer.step() once more, and it belongs to the loop.

# %% [markdown]
# ## If zero_grad slips out
# **Start over** and act it out: press **zero_grad** once, as if it stood before the loop, then **forward** and
# **backward** three times.
#
# do: reset
# do: zero_grad, forward, backward, forward, backward, forward, backward
# look: w
# predict: What is `w.grad` now?
# answer: w.grad.item()
# slip: -4.0 -> That is one backward. Three have been added up since the only clearing.
# because: Three times −4. The bars under `.grad` show how many backwards are in it; in a loop that steps, w runs past its target and back.

# %% [markdown]
# ## If backward slips out
# **Start over** and press **forward** three times, as a loop does whose backward stands after it.
#
# do: reset
# do: forward, forward, forward
# look: w, loss
# predict: What is `w.grad` now?
# choices: None | -4 | -12
# answer: w.grad
# slip: -4 -> That will come from the one backward after the loop. Nothing has flowed back yet.
# slip: -12 -> A forward computes no gradient, however often it runs.
# because: Each forward records a new graph, and the one before is forgotten. A backward and a step after the loop learn from the last batch only: one update for the whole loop.
