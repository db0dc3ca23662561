"""W2: y = w*x + b, squared error, SGD."""

import torch

w = torch.tensor(1.0, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
x, y = torch.tensor(2.0), torch.tensor(5.0)
optimizer = torch.optim.SGD([w, b], lr=1e-3)

for _ in range(5000):
    optimizer.zero_grad()
    loss = (w * x + b - y) ** 2
    loss.backward()
    optimizer.step()
print(loss.item())
