# %% [markdown]
# # A tiny GAN with two optimizers
# Generator and discriminator, one number in and one number out. Whose loss fills whose gradients, what detach() keeps out,
# and why each optimizer clears its own.
# topics: optimizers, networks
# level: advanced
# minutes: 12

# %%
import torch
from torch import nn

torch.manual_seed(3)
generator = nn.Linear(1, 1)
discriminator = nn.Linear(1, 1)
criterion = nn.BCEWithLogitsLoss()
opt_d = torch.optim.SGD(discriminator.parameters(), lr=0.1)
opt_g = torch.optim.SGD(generator.parameters(), lr=0.1)
ones, zeros = torch.ones(8, 1), torch.zeros(8, 1)

# %% Training loop
for i in range(50):
    real = 4 + 0.5 * torch.randn(8, 1)
    noise = torch.randn(8, 1)

    opt_d.zero_grad()
    fake = generator(noise)
    loss_d = criterion(discriminator(real), ones) + criterion(discriminator(fake.detach()), zeros)
    loss_d.backward()
    opt_d.step()

    opt_g.zero_grad()
    loss_g = criterion(discriminator(fake), ones)
    loss_g.backward()
    opt_g.step()
    if i % 10 == 9:
        print(f"{i + 1}: loss_d {loss_d.item():.4f}, loss_g {loss_g.item():.4f}, mean of fakes {fake.mean().item():.3f}")

# %% [markdown]
# ## The discriminator's turn
# Go on to the first **backward**. The fakes were detached: the generator is out of this graph.
#
# do: zero_grad, forward, backward
# look: generator.weight, discriminator.weight
# predict: What is `generator.weight.grad`?
# choices: None | a tensor
# answer: "None" if generator.weight.grad is None else "a tensor"
# slip: "a tensor" -> The fakes were detached: for this loss they are plain numbers.
# because: detach() keeps the discriminator's loss out of the generator, and saves the way back through it.

# %% [markdown]
# ## The generator's turn
# Press on until the second **backward** is done. Its loss goes through the discriminator to reach the generator.
#
# do: step, zero_grad zero_grad-2, forward forward-2, backward backward-2
# look: generator.weight, discriminator.weight
# predict: Whose `.grad` did this backward add to?
# choices: the generator's | the discriminator's | both
# answer: "both" if generator.weight.grad is not None and discriminator.weight.grad.abs().sum() > 0 else "the generator's"
# slip: "the generator's" -> It is the one that is wanted. But whose weights lie on the way?
# slip: "the discriminator's" -> This time fake is not detached: the gradient goes on to the generator.
# because: The way to the generator leads through the discriminator, and its parameters are leaves on that way. Their gradient is not wanted here.

# %% [markdown]
# ## Why opt_d clears first
# Press the second **step**: it moves the generator only. What the generator's loss left in the discriminator's
# `.grad` is still there.
#
# do: step step-2
# look: discriminator.weight
# predict: Which call will remove it before the discriminator's next backward?
# choices: opt_d.zero_grad() | opt_g.zero_grad() | opt_g.step()
# answer: "opt_d.zero_grad()" if all(p is not discriminator.weight for g in opt_g.param_groups for p in g["params"]) else "opt_g.zero_grad()"
# slip: "opt_g.zero_grad()" -> opt_g holds the generator's parameters only.
# slip: "opt_g.step()" -> step() reads `.grad` and clears nothing.
# because: Each optimizer clears what it holds. Without opt_d.zero_grad() the next step of the discriminator would also go the way that helps the generator.
