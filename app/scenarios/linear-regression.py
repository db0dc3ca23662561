# %% [markdown]
# # A line through five points
# nn.Linear learns slope and intercept with mean squared error. Momentum is the optimizer's memory: look at
# momentum_buffer, which zero_grad leaves alone.
#
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
