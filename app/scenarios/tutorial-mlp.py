# %% [markdown]
# # The tutorial network at full size
# 2,000 inputs, 200 hidden units, 20 outputs, a batch of 128, the summed squared error, Adam at 1e-4, 500 iterations:
# 404,220 parameters. The three calls are the same three calls.
# topics: networks
# level: intermediate
# minutes: 8

# %% Data and model
import torch

torch.manual_seed(0)

x = torch.randn(128, 2000)
y = torch.randn(128, 20)

model = torch.nn.Sequential(
    torch.nn.Linear(2000, 200),
    torch.nn.ReLU(),
    torch.nn.Linear(200, 20),
)
loss_fn = torch.nn.MSELoss(reduction="sum")
optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)

# %% Training loop
for t in range(500):
    y_pred = model(x)
    loss = loss_fn(y_pred, y)
    if t == 0 or t % 100 == 99:
        print(t, f"{loss.item():.2f}")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# %% [markdown]
# ## The loss at the start
# Press **forward**. MSELoss(reduction="sum") adds up 128 · 20 squared errors. y is drawn from a normal distribution of
# variance 1, and a fresh network answers with small numbers.
#
# do: forward
# look: loss
# predict: How many squared errors are added up in this loss?
# answer: y.numel()
# tolerance: 0
# slip: 128 -> Each of the 128 examples has 20 outputs.
# slip: 20 -> That is one example. There are 128 of them.
# because: 128 · 20. Each is about 1 at the start, so the loss is of that size. With reduction="mean" loss and gradients would be 2,560 times smaller: SGD would need another learning rate, while Adam, which divides the size away, would hardly notice.

# %% [markdown]
# ## The shape of a gradient
# Press **zero_grad** and **backward**. A gradient has the shape of what it belongs to.
#
# do: zero_grad, backward
# look: model.0.weight
# predict: How many numbers are there in the `.grad` of the first weight?
# answer: model[0].weight.grad.numel()
# tolerance: 0
# slip: 2000 * 128 -> The batch is summed away: the gradient has the shape of the weight, not of the input.
# slip: 404220 -> Those are the numbers of all four parameters.
# because: 200 · 2,000: W.grad = dy^T @ x, summed over the batch.

# %% [markdown]
# ## What Adam keeps
# Press **step**. Adam keeps two running averages for each parameter: exp_avg and exp_avg_sq.
#
# do: step
# look: optimizer
# predict: How many numbers does Adam keep in these averages, for all 404,220 parameters?
# answer: sum(s["exp_avg"].numel() + s["exp_avg_sq"].numel() for s in optimizer.state.values())
# tolerance: 0
# slip: 404220 -> There are two averages for each parameter.
# because: Two for each parameter. zero_grad() touches none of them.

# %% [markdown]
# ## Five hundred iterations
# Under **More…** run **to the end**: 499 more iterations, which take a while. The loss is printed five times more.
#
# do: finish
# look: loss, output
# predict: 128 random examples, 404,220 parameters: is the loss below 1 at the end?
# choices: yes | no
# answer: "yes" if loss.item() < 1 else "no"
# slip: "no" -> There is nothing to understand in random numbers, but 404,220 parameters can learn 2,560 of them by heart.
# because: The network has far more parameters than there are numbers to fit, and learns the noise by heart.
