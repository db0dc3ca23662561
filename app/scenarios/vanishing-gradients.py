# %% [markdown]
# # Vanishing gradients
# Six layers of one weight each, once with sigmoid and once with ReLU. Watch the gradient shrink on its way back: the
# sigmoid's slope is at most a quarter.
# topics: gradients, networks
# level: intermediate
# minutes: 8

# %%
import torch

sig = [torch.tensor(1.0, requires_grad=True) for _ in range(6)]
relu = [torch.tensor(1.0, requires_grad=True) for _ in range(6)]
optimizer = torch.optim.SGD([*sig, *relu], lr=0.1)

for i in range(20):
    optimizer.zero_grad()
    s, r = torch.tensor(1.0), torch.tensor(1.0)
    for layer in range(6):
        s = torch.sigmoid(sig[layer] * s)
        r = torch.relu(relu[layer] * r)
    loss = (s - 2) ** 2 + (r - 2) ** 2
    loss.backward()
    optimizer.step()
    if i % 5 == 0:
        print(f"{i}: first sigmoid layer {sig[0].grad.item():.2e}, first ReLU layer {relu[0].grad.item():.2e}")

# %% [markdown]
# ## Through ReLU
# Press **zero_grad**, **forward**, **backward**. With all weights 1 the ReLU chain passes 1 on, and its slope is 1.
#
# do: zero_grad, forward, backward
# look: relu[0]
# predict: What is the gradient of the first ReLU weight? (the loss is (1 − 2)²)
# answer: relu[0].grad.item()
# slip: -1 -> The square brings down a 2.
# because: 2 · (1 − 2) · 1 · 1 · ... : nothing is lost on the way.

# %% [markdown]
# ## Through the sigmoid
# Compare the six gradients of each chain in the table. **open all** above the picture shows them on their way: at every
# sigmoid what passes is multiplied by s · (1 − s).
#
# look: sig[0], sig[5]
# predict: How many times larger is the gradient of the last sigmoid weight than that of the first? Guess the order of magnitude.
# choices: 3 times | 30 times | more than 300 times
# answer: "more than 300 times" if (sig[5].grad / sig[0].grad).item() > 300 else "30 times" if (sig[5].grad / sig[0].grad).item() > 10 else "3 times"
# slip: "3 times" -> One sigmoid on the way makes more than that: its slope is at most a quarter.
# slip: "30 times" -> Two or three sigmoids would make that. There are five on the way.
# because: Five factors of about 0.22 lie between them. With sixty layers next to nothing would arrive.

# %% [markdown]
# ## Twenty iterations
# Under **More…** run **to the end**.
#
# do: finish
# look: sig[0], relu[0]
# predict: Which of the two first weights has moved further from 1?
# choices: the sigmoid one | the ReLU one
# answer: "the ReLU one" if abs(relu[0].item() - 1) > abs(sig[0].item() - 1) else "the sigmoid one"
# slip: "the sigmoid one" -> Compare the two gradients: a step is lr times that.
# because: SGD moves a weight by lr times its gradient. Adam would hide the difference: it divides the size of the gradient away.
