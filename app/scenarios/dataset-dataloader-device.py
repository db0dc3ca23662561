# %% [markdown]
# # The standard loop: Dataset, DataLoader, device
# The loop that most tutorials end with: a Dataset, shuffled batches, a device, train and evaluation. The four phases are in
# it all the same.
# topics: loop, networks
# level: intermediate
# minutes: 10

# %% Data
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Squares(Dataset):
    def __init__(self, n):
        self.x = torch.linspace(-1, 1, n).unsqueeze(1)
        self.y = self.x ** 2

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index], self.y[index]


# %% Model
torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(Squares(32), batch_size=8, shuffle=True)
model = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1)).to(device)
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)

# %% Training loop
for epoch in range(20):
    model.train()
    total = 0.0
    for inputs, targets in loader:
        inputs, targets = inputs.to(device), targets.to(device)
        optimizer.zero_grad()
        outputs = model(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(inputs)
    if epoch % 5 == 4:
        print(f"epoch {epoch + 1}: loss {total / 32:.5f}")

# %% Evaluation
model.eval()
with torch.no_grad():
    print(f"f(0.5) = {model(torch.tensor([[0.5]])).item():.2f}")

# %% [markdown]
# ## Batches
# Press **zero_grad**: the lines before it fetch the first batch.
#
# do: zero_grad
# look: variables
# predict: How many iterations has one epoch?
# answer: len(loader)
# tolerance: 0
# slip: 32 -> The loader yields batches of 8.
# slip: 8 -> That is the size of a batch.
# because: 32 examples in batches of 8. shuffle=True draws a new order for each epoch; the same seed gives the same orders.

# %% [markdown]
# ## The device
# There is no GPU here, and the script says so itself.
#
# look: variables
# predict: What is `device.type`?
# choices: cpu | cuda
# answer: device.type
# slip: "cuda" -> Only where torch.cuda.is_available(). There is none here.
# because: torch.cuda.is_available() is False. Moving a tensor to where it is gives the tensor itself: no copy.

# %% [markdown]
# ## One batch
# Press **forward**, **backward**, **step**.
#
# do: forward, backward, step
# look: model.0.weight, loss
# predict: How many steps does Adam count for each parameter now?
# answer: int(optimizer.state[model[0].weight]["step"].item())
# tolerance: 0
# slip: 4 -> That will be so at the end of the epoch.
# slip: 0 -> step() has been called once.
# because: One step for each batch, not for each epoch.

# %% [markdown]
# ## item()
# `total += loss.item()` takes the number out of the graph. Under **More…** run 4 iterations, to the end of the epoch.
#
# do: run 4
# look: variables
# predict: Had one written `total += loss`, what would total be?
# choices: a number | a tensor with a graph
# answer: "a tensor with a graph" if (0.0 + criterion(model(inputs), targets)).grad_fn is not None else "a number"
# slip: "a number" -> loss is a tensor: a number plus a tensor is a tensor that remembers the sum.
# because: It would hold the graphs of all batches alive, and memory would grow with each of them.
