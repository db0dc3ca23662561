# %% [markdown]
# # All 24 orders of the four calls
# zero_grad, forward, backward, step in every order, three rounds each, computed and grouped. Must one zero before every
# backward?
# topics: gradients, loop
# level: intermediate
# minutes: 8

# %%
import itertools

import torch


def rounds(order):
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
calls = ["zero_grad", "forward", "backward", "step"]
results = {}
for order in itertools.permutations(calls):
    try:
        results[order] = rounds(order)
    except AttributeError as error:
        results[order] = str(error)

# %%
kinds = {
    results["zero_grad", "forward", "backward", "step"]: "same",
    results["step", "zero_grad", "forward", "backward"]: "same, one step behind",
    1.0: "no update",
}
groups = {"same": [], "same, one step behind": [], "stale": [], "no update": [], "error": []}
for order, result in results.items():
    kind = "error" if isinstance(result, str) else kinds.get(result, "stale")
    groups[kind].append(" ".join(order) + f": {result}")

for kind, orders in groups.items():
    print(f"{kind}: {len(orders)}")
    for order in orders:
        print("   ", order)

# %% [markdown]
# ## The usual one
# The usual order is zero_grad, forward, backward, step. w starts at 1, the target is 3, lr is 0.1. Each round takes a
# fifth of the way that is left. Under **More…** run **to the end**.
#
# do: finish
# look: output
# predict: Where is w after three rounds in the usual order?
# answer: rounds(calls)
# slip: 2.2 -> Each step is a fifth of the way that is left, not of the whole way.
# slip: 1.4 -> That is one round. There are three.
# because: 3 − 2 · 0.8 · 0.8 · 0.8.

# %% [markdown]
# ## As good as that
# The order is a ring: what comes last in one round comes before the first in the next. Look at the output.
#
# look: output
# predict: How many of the 24 orders end where the usual one does?
# answer: len(groups["same"])
# tolerance: 0
# slip: 1 -> It may also come last, or between forward and backward.
# slip: 4 -> There are four ways to begin in the ring, but one begins with backward and one with step.
# because: Those in which each step has a fresh gradient of the current weight and nothing else in `.grad`. Two more do the same one step later, since they begin with step.

# %% [markdown]
# ## No update at all
# Some orders never move w: each step() finds a `.grad` of None.
#
# look: output
# predict: In how many of the 24 orders does w stay at 1?
# answer: len(groups["no update"])
# tolerance: 0
# slip: 0 -> Where zero_grad stands between backward and step, there is nothing left to step by.
# because: What backward() computed is thrown away before step() can read it.

# %% [markdown]
# ## An error
# Some orders call backward before there is a loss.
#
# look: output
# predict: In how many orders does that end in an error?
# answer: len(groups["error"])
# tolerance: 0
# slip: 6 -> Six orders begin with backward. In others zero_grad or step comes before it, and still no forward.
# because: In half of all orders backward comes before forward: None has no backward.

# %% [markdown]
# ## Stale
# One order is left: forward, step, zero_grad, backward. It runs and it moves w, and yet it is wrong.
#
# look: output
# predict: The gradient that a step reads: at which w was it computed?
# choices: the current one | the one before the last step
# answer: "the one before the last step" if len(groups["stale"]) == 1 and groups["stale"][0].startswith("forward step") else "the current one"
# slip: "the current one" -> In this order a step comes between the forward and its backward.
# because: A step moves w between each forward and its backward, so backward still differentiates at the old w. Nothing warns: the numbers only come out a little different.

# %% [markdown]
# ## Must I zero before every backward?
# Look at the first group once more.
#
# look: output
# predict: Does zero_grad stand right before backward in each of them?
# choices: yes | no
# answer: "yes" if all("zero_grad backward" in order for order in groups["same"]) else "no"
# slip: "yes" -> In zero_grad, forward, backward, step a forward stands between.
# because: It is enough that it stands somewhere between a step and the next backward. Where several backwards are to be added up on purpose (accumulation, two losses), one zero_grad serves them all.
