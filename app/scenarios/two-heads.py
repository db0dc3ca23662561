# %% [markdown]
# # Two heads on one trunk
# Two losses share a trunk. Their gradients add up in it; each head only hears of its own loss. Press the two backwards in
# turns, and see what one zero_grad clears.
# topics: gradients, networks
# level: intermediate
# minutes: 8

# %%
import torch

trunk = torch.tensor(1.0, requires_grad=True)
head_a = torch.tensor(2.0, requires_grad=True)
head_b = torch.tensor(-1.0, requires_grad=True)
opt_a = torch.optim.SGD([trunk, head_a], lr=0.05)
opt_b = torch.optim.SGD([head_b], lr=0.05)
x = torch.tensor(1.0)

for i in range(20):
    opt_a.zero_grad()
    opt_b.zero_grad()
    shared = trunk * x
    loss_a = (head_a * shared - 3) ** 2
    loss_b = (head_b * shared - 1) ** 2
    loss_a.backward(retain_graph=True)
    loss_b.backward()
    opt_a.step()
    opt_b.step()
    print(f"{i + 1}: loss_a = {loss_a.item():.4f}, loss_b = {loss_b.item():.4f}")

# %% [markdown]
# ## The first head
# Press both **zero_grad**, both **forward**, and the first **backward**. It flows through head_a and the trunk, and says
# retain_graph=True: the second one will go through the trunk's part of the graph again.
#
# do: zero_grad, zero_grad zero_grad-2, forward, forward forward-2, backward
# look: trunk, head_a, head_b
# predict: What is `head_b.grad` now?
# choices: None | 0 | 4
# answer: head_b.grad
# slip: 0 -> No gradient is not a gradient of zero: nothing has reached head_b.
# slip: 4 -> loss_b has not been differentiated yet.
# because: loss_a was not computed from head_b, so nothing reaches it.

# %% [markdown]
# ## Into the trunk
# The gradient of loss_a with respect to the trunk is 2 · (2·1 − 3) · 2 = −4.
#
# do: backward backward-2
# look: trunk
# predict: loss_b adds 2 · (−1·1 − 1) · (−1) to it. What is `trunk.grad` after the second **backward**?
# answer: trunk.grad.item()
# slip: 4 -> That is the part of loss_b. The part of loss_a is there already.
# slip: -4 -> That is the part of loss_a. The second backward adds its own.
# because: −4 and 4 cancel: the two heads pull the trunk in opposite directions with equal strength.

# %% [markdown]
# ## One trunk, one optimizer
# Press both **step** buttons. The trunk belongs to opt_a alone.
#
# do: step, step step-2
# look: trunk, head_b
# predict: What is `trunk` after both steps?
# answer: trunk.item()
# slip: 1.2 -> That is a step with the part of loss_a alone. Both parts are in `trunk.grad`.
# slip: 0.8 -> That is a step with the part of loss_b alone. Both parts are in `trunk.grad`.
# because: Its gradient is 0, so it stays where it is; both heads move. Had both optimizers held the trunk, it would be stepped twice in every iteration.

# %% [markdown]
# ## Only one zero_grad
# Press the second **zero_grad** (opt_b's) and look at the trunk.
#
# do: zero_grad zero_grad-2
# look: trunk, head_a, head_b
# predict: Which of the three gradients is None now?
# choices: trunk | head_a | head_b | all three
# answer: [n for n, p in (("trunk", trunk), ("head_a", head_a), ("head_b", head_b)) if p.grad is None][0]
# slip: "trunk" -> opt_a holds the trunk, and its zero_grad was not pressed.
# slip: "head_a" -> opt_a holds head_a, and its zero_grad was not pressed.
# slip: "all three" -> Each optimizer knows its own parameters only.
# because: An optimizer clears what it holds and nothing else. model.zero_grad() clears all parameters of a model, whoever steps them.
