# %% [markdown]
# # Gradients add up
# One weight, one number to hit. See what zero_grad, forward, backward and step each do, and what happens to `w.grad`
# when one of them is left out.
#
# level: beginner
# minutes: 5

# %%
import torch

w = torch.tensor(1.5, requires_grad=True)
x, target = torch.tensor(2.0), torch.tensor(5.0)
opt = torch.optim.SGD([w], lr=0.05)

for i in range(20):
    opt.zero_grad()
    loss = (w * x - target) ** 2
    loss.backward()
    opt.step()
    print(f"{i + 1}: w = {w.item():.4f}")
