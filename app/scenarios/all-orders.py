# %% [markdown]
# # All 24 orders of the four calls
# zero_grad, forward, backward, step in every order, three rounds each, computed and grouped. Must one zero before every
# backward?
#
# level: intermediate
# minutes: 8

# %%
import itertools

import torch


def three_rounds(order):
    w = torch.tensor(1.0, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    loss = None
    for _ in range(3):
        for call in order:
            if call == "zero_grad":
                optimizer.zero_grad()
            elif call == "forward":
                loss = (w - 3) ** 2
            elif call == "backward":
                loss.backward()
            else:
                optimizer.step()
    return round(w.item(), 4)


# %%
groups = {}
for order in itertools.permutations(["zero_grad", "forward", "backward", "step"]):
    try:
        result = three_rounds(order)
    except (RuntimeError, AttributeError) as error:
        result = type(error).__name__
    groups.setdefault(result, []).append(" ".join(order))

for result, orders in groups.items():
    print(result, len(orders))
    for order in orders:
        print("   ", order)

# %% [markdown]
# ## The usual one
# The usual order is zero_grad, forward, backward, step. w starts at 1, the target is 3, lr is 0.1. Each round takes a fifth
# of the way that is left.
#
# do: finish
# look: output
# predict: Where is w after three rounds in the usual order?
# answer: three_rounds(["zero_grad", "forward", "backward", "step"])
# slip: 2.2 -> Each step is a fifth of the way that is left, not of the whole way.
# because: 3 − 2 · 0.8 · 0.8 · 0.8.

# %% [markdown]
# ## As good as that
# The order is a ring: what comes last in one round comes before the first in the next. Look at the output.
#
# look: output
# predict: How many of the 24 orders end where the usual one does?
# answer: len(groups[three_rounds(["zero_grad", "forward", "backward", "step"])])
# tolerance: 0
# because: All in which each step has a fresh gradient of the current weight and nothing else in `.grad`.

# %% [markdown]
# ## No update at all
# Some orders never move w: zero_grad stands between backward and step.
#
# look: output
# predict: In how many of the 24 orders does w stay at 1?
# answer: len(groups[1.0])
# tolerance: 0
# because: What backward() computed is thrown away before step() can read it.

# %% [markdown]
# ## An error
# Some orders call backward before there is a loss.
#
# look: output
# predict: In how many orders does that end in an error?
# answer: len(groups["AttributeError"])
# tolerance: 0
# because: backward before forward: None has no backward. One need not zero before every backward, but before a backward whose `.grad` a step has used already.
