"""W5: 784-512-256-10, batch 64, cross entropy, AdamW."""

import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(64, 784), torch.randint(0, 10, (64,))
model = nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 10))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

for _ in range(300):
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
print(loss.item())
