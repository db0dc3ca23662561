# %% [markdown]
# # A learning rate that is too large
# The same parabola, four learning rates: creeping, right, swinging, exploding. On w² each step multiplies w by 1 − 2·lr.
# topics: optimizers
# level: beginner
# minutes: 6

# %%
import torch

rates = [0.05, 0.5, 0.95, 1.05]
w = [torch.tensor(1.0, requires_grad=True) for _ in rates]
optimizer = torch.optim.SGD([{"params": [one], "lr": lr} for one, lr in zip(w, rates)])

for i in range(40):
    optimizer.zero_grad()
    loss = sum(one ** 2 for one in w)
    loss.backward()
    optimizer.step()
    if i % 10 == 0:
        print(i, [round(one.item(), 3) for one in w])

# %% [markdown]
# ## One step
# Press the four phases once. Every gradient is 2.
#
# do: zero_grad, forward, backward, step
# look: step, w[3]
# predict: The last learning rate is 1.05. Where does the last weight land?
# answer: w[3].item()
# slip: 3.1 -> Against the gradient: 1 − 1.05 · 2.
# slip: 1 - 1.05 -> The gradient of w² at 1 is 2, not 1.
# because: 1 − 1.05 · 2: it jumps over the minimum and lands further away than it was.

# %% [markdown]
# ## Half is perfect
# lr = 0.5 multiplies by 1 − 2 · 0.5.
#
# look: w[1]
# predict: Where is the second weight after one step?
# answer: w[1].item()
# slip: 0.5 -> The gradient is 2, so the step is 0.5 · 2.
# because: At the minimum, in one step. For a parabola of another curvature it would be another rate: 1 / (second derivative).

# %% [markdown]
# ## Ten iterations
# Under **More…** run 10 iterations: the first ends the one that has begun.
#
# do: run 10
# look: w[2], w[3], loss
# predict: After ten steps, is |w| of the rate 0.95 larger or smaller than of the rate 0.05?
# choices: larger | smaller | the same
# answer: "the same" if abs(abs(w[2].item()) - abs(w[0].item())) < 1e-3 else "larger" if abs(w[2].item()) > abs(w[0].item()) else "smaller"
# slip: "larger" -> It swings, and each step multiplies it by −0.9. What is that in size?
# slip: "smaller" -> Each step multiplies one by 0.9 and the other by −0.9. What is that in size?
# because: 0.9 against −0.9: one creeps, one swings from side to side, and both shrink to nine tenths in each step.

# %% [markdown]
# ## Forty
# Under **More…** run the other 30.
#
# do: run 30
# look: loss, w[3]
# predict: The last weight is multiplied by −1.1 in each step. Is it above 40 in size by now?
# choices: yes | no
# answer: "yes" if abs(w[3].item()) > 40 else "no"
# slip: "no" -> 1.1 · 1.1 · 1.1 ... grows slowly at first: ten factors make 2.6, forty make 2.6 · 2.6 · 2.6 · 2.6.
# because: 1.1 to the power of 40 is about 45. The loss is its square and inf after some 470 steps; w itself is inf after 925, and then nan.
