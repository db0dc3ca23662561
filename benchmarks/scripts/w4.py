"""W4: a chain of 1,000 element-wise operations on 10 elements, forward and backward."""

import torch

leaf = torch.linspace(-1, 1, 10, requires_grad=True)
a = torch.linspace(0.9, 1.1, 10)
b = torch.linspace(-0.1, 0.1, 10)

for _ in range(100):
    leaf.grad = None
    x = leaf
    for _ in range(333):
        x = torch.tanh(x * a + b)
    x.sum().backward()
print(leaf.grad.sum().item())
