"""W1: 2000-200-20, batch 128, MSE (sum), Adam."""

import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(128, 2000), torch.randn(128, 20)
model = nn.Sequential(nn.Linear(2000, 200), nn.ReLU(), nn.Linear(200, 20))
criterion = nn.MSELoss(reduction="sum")
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

for _ in range(300):
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
print(loss.item())
