# type: ignore
"""torch.ao.nn.quantized: of what it holds there is `dynamic`."""
