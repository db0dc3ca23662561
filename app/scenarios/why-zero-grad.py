# %% [markdown]
# # Why zero_grad?
# Two equal weights walk to the same target; one has its gradient cleared, the other does not. What step() reads without
# clearing is the sum of all gradients so far: not simply "the loss goes up", but momentum without friction.
# topics: gradients, loop
# level: beginner
# minutes: 8

# %%
import torch

clean = torch.tensor(0.0, requires_grad=True)
summed = torch.tensor(0.0, requires_grad=True)
opt_clean = torch.optim.SGD([clean], lr=0.1)
opt_summed = torch.optim.SGD([summed], lr=0.1)

for i in range(40):
    opt_clean.zero_grad()  # nobody calls opt_summed.zero_grad()
    loss = (clean - 1) ** 2 + (summed - 1) ** 2
    loss.backward()
    opt_clean.step()
    opt_summed.step()
    print(f"{i + 1}: clean = {clean.item():.3f}, summed = {summed.item():.3f}")

# %% [markdown]
# ## The first iteration is harmless
# Press the phases once, in order, both **step** buttons included. There is nothing in `.grad` yet, so nothing can be
# added to it.
#
# do: run 1
# look: clean, summed
# predict: What is `summed` after the first iteration? (the gradient of (s − 1)² at 0 is −2, lr is 0.1)
# answer: summed.item()
# slip: -0.2 -> Subtracting a negative gradient moves the weight up, towards the target.
# slip: 2.0 -> step() moves by lr times the gradient, and lr is 0.1.
# because: 0 − 0.1 · (−2), and the same for `clean`.

# %% [markdown]
# ## The second backward
# Press **zero_grad**, **forward**, **backward**. The gradient at 0.2 is smaller than the first one.
#
# do: zero_grad, forward, backward
# look: clean, summed
# predict: `clean.grad` is −1.6. What does `summed.grad` hold?
# answer: summed.grad.item()
# slip: clean.grad.item() -> That is the new gradient alone. Nobody cleared the old one.
# slip: -2.0 -> That is the old gradient alone. backward() has just added the new one.
# because: The old −2 and the new −1.6, added up: step() is about to read both.

# %% [markdown]
# ## Past the target
# Press both **step** buttons, then under **More…** run 6 iterations: the first ends the one that has begun. `clean`
# creeps up to 1 and never passes it.
#
# do: step, step step-2, run 6
# look: loss, summed
# predict: Where is `summed` now?
# choices: below 1 | above 1
# answer: "above 1" if summed.item() > 1 else "below 1"
# slip: "below 1" -> That is where `clean` is. The old gradients are still in the sum, and go on pushing past the target.
# because: The sum pushes in the old direction until enough gradients of the other sign have come in. A ball without friction rolls through the valley and up the other side.

# %% [markdown]
# ## Back and forth
# Under **More…** run the other 33 iterations and look at the loss: `summed` swings around 1 and does not settle. The
# sum of gradients acts like a velocity.
#
# do: run 33
# look: loss, summed
# predict: At the end, is `summed` within 0.01 of the target, as `clean` is?
# choices: yes | no
# answer: "yes" if abs(summed.item() - 1) < 0.01 else "no"
# slip: "yes" -> Nothing takes energy out of the swing: old gradients never leave the sum.
# because: Without zero_grad the sum of all gradients drives the weight: it oscillates. "The loss goes up" is only part of the story.

# %% [markdown]
# ## It is momentum without friction
# Under **More…** start over, execute `opt_clean.param_groups[0]["momentum"] = 1.0`, and run 10 iterations. The
# velocity of `clean` is then the sum of all its gradients, while its `.grad` is cleared as it should be.
#
# do: reset
# do: statement opt_clean.param_groups[0]["momentum"] = 1.0
# do: run 10
# look: clean, summed
# predict: How far apart are `clean` and `summed` now?
# answer: abs(clean.item() - summed.item())
# slip: 1.0 -> One has a velocity that is the sum of its gradients, the other steps by that sum. What is the difference?
# because: The same numbers in every iteration: never clearing is SGD with momentum=1. Real momentum is 0.9: friction takes a tenth of the velocity in each step, and the swinging dies out.

# %% [markdown]
# ## When it diverges
# Under **More…** start over and give the uncleared weight a learning rate that is too large even for that: execute
# `opt_summed.param_groups[0]["lr"] = 2.1`, and run 10 iterations.
#
# do: reset
# do: statement opt_summed.param_groups[0]["lr"] = 2.1
# do: run 10
# look: summed, loss
# predict: Is `summed` more than 100 away from the target?
# choices: yes | no
# answer: "yes" if abs(summed.item() - 1) > 100 else "no"
# slip: "no" -> Each swing is larger than the one before: watch the loss.
# because: On this parabola the sum of gradients swings for ever while lr is below 2, and each swing is larger than the one before above it. So the loss may fall, swing or explode: what is wrong is what step() reads, not how the loss looks.
