# %% [markdown]
# # A learning rate that is too large
# The same parabola, four learning rates: creeping, right, swinging, exploding. On w² each step multiplies w by 1 − 2·lr.
# topics: optimizers
# level: beginner
# minutes: 6

# %%
import torch

rates = [0.05, 0.5, 0.95, 1.05]
weights = [torch.tensor(1.0, requires_grad=True) for _ in rates]
optimizer = torch.optim.SGD([{"params": [w], "lr": lr} for w, lr in zip(weights, rates)])

for i in range(40):
    optimizer.zero_grad()
    loss = sum(w ** 2 for w in weights)
    loss.backward()
    optimizer.step()
    if i % 10 == 0:
        print(i, [round(w.item(), 3) for w in weights])

# %% [markdown]
# ## One step
# Press the four phases once. Every gradient is 2.
#
# do: zero_grad, forward, backward, step
# look: step, weights[3]
# predict: The last learning rate is 1.05. Where does the last weight land?
# answer: weights[3].item()
# slip: 3.1 -> Against the gradient: 1 − 1.05 · 2.
# because: 1 − 1.05 · 2: it jumps over the minimum and lands further away than it was.

# %% [markdown]
# ## Half is perfect
# lr = 0.5 multiplies by 1 − 2 · 0.5.
#
# look: weights[1]
# predict: Where is the second weight after one step?
# answer: weights[1].item()
# because: At the minimum, in one step. For a parabola of another curvature it would be another rate: 1 / (second derivative).

# %% [markdown]
# ## Ten iterations
# Run the iteration to its end and 9 more.
#
# do: run 10
# look: weights[2], weights[3], loss
# predict: After ten steps, is |w| of the rate 0.95 larger or smaller than of the rate 0.05?
# choices: larger | smaller | the same
# answer: "the same" if abs(abs(weights[2].item()) - abs(weights[0].item())) < 1e-3 else "larger" if abs(weights[2].item()) > abs(weights[0].item()) else "smaller"
# because: 0.9 against −0.9: one creeps, one swings from side to side, and both shrink to nine tenths in each step.

# %% [markdown]
# ## Forty
# Run the other 30.
#
# do: run 30
# look: loss, weights[3]
# predict: The last weight is multiplied by −1.1 in each step. Is it above 40 in size by now?
# choices: yes | no
# answer: "yes" if abs(weights[3].item()) > 40 else "no"
# because: 1.1 to the power of 40 is about 45. After some 930 steps it is beyond what float32 can hold: inf, and then nan.
