# %% [markdown]
# # A line through five points
# nn.Linear learns slope and intercept with mean squared error. Momentum is the optimizer's memory: look at
# momentum_buffer, which zero_grad leaves alone.
# topics: loop
# level: beginner
# minutes: 8

# %% Data
import torch
from torch import nn

torch.manual_seed(0)

x = torch.tensor([[-2.0], [-1.0], [0.0], [1.0], [2.0]])
y = 3 * x + 1

# %% Model and optimizer
model = nn.Linear(1, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)

# %% Training loop
for epoch in range(100):
    optimizer.zero_grad()
    prediction = model(x)
    loss = criterion(prediction, y)
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        print(f"epoch {epoch}: slope {model.weight.item():.4f}, intercept {model.bias.item():.4f}")

# %% Result
print(f"learned: y = {model.weight.item():.2f} x + {model.bias.item():.2f}")

# %% [markdown]
# ## A batch of five
# Press **zero_grad** and **forward**. nn.Linear computes x @ weight.T + bias for all five points at once, and MSELoss
# takes the mean of five squared errors.
#
# do: zero_grad, forward
# look: prediction, loss
# predict: What is the shape of `prediction`?
# choices: (5, 1) | (1, 5) | (5,)
# answer: tuple(prediction.shape)
# slip: (1, 5) -> Points are rows here: x has the shape (5, 1), too.
# slip: (5,) -> nn.Linear keeps a dimension for its outputs, also when there is only one.
# because: One row for each point, one column for each output.

# %% [markdown]
# ## The gradient of the bias
# Press **backward**. The bias takes part in all five predictions, so five contributions are added up in its gradient.
#
# do: backward
# look: model.bias, formula
# predict: Which one is it: the sum of the five 2 · (prediction − y), or their mean?
# choices: the sum | the mean
# answer: "the mean" if abs(model.bias.grad.item() - (2 * (prediction - y)).mean().item()) < 1e-4 else "the sum"
# slip: "the sum" -> Five contributions are added up, but MSELoss has divided each of them by 5.
# because: The mean over the five points comes from MSELoss; each error enters with the factor 2 of its square.

# %% [markdown]
# ## A memory
# Press **step**, then **zero_grad**. The first velocity is the first gradient.
#
# do: step, zero_grad
# look: optimizer, model.bias
# predict: `model.bias.grad` is None now. Is the momentum_buffer of the bias 0?
# choices: yes | no
# answer: "yes" if optimizer.state[model.bias]["momentum_buffer"].abs().item() == 0 else "no"
# slip: "yes" -> zero_grad() clears gradients. The buffer belongs to the optimizer.
# because: zero_grad() does not touch the optimizer's state.

# %% [markdown]
# ## Overshooting
# Under **More…** run 6 iterations (the first ends the one that has begun), and look at the parameters.
#
# do: run 6
# look: model.weight, loss
# predict: The target slope is 3. Where is `model.weight` now?
# choices: below 3 | above 3
# answer: "above 3" if model.weight.item() > 3 else "below 3"
# slip: "below 3" -> Without momentum it would be: each step would go a fifth of the way that is left.
# because: The velocity carries the weight past the minimum, and back: the printed slopes swing around 3.

# %% [markdown]
# ## The line
# Under **More…** run **to the end**.
#
# do: finish
# look: output
# predict: Which slope has the model learned? (y = 3x + 1)
# answer: model.weight.item()
# tolerance: 0.05
# slip: 1 -> That is the intercept.
# because: The data lie on a line, so the loss can go to 0.
