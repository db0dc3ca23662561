"""torch.autograd: the graph, the backward walk, grad modes and user-written functions."""
