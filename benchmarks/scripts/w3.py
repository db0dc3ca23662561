"""W3: 2-16-16-1, batch 100, MSE, SGD with momentum."""

import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(100, 2), torch.randn(100, 1)
model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-2, momentum=0.9)

for _ in range(2000):
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
print(loss.item())
