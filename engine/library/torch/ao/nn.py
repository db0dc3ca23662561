# type: ignore
"""torch.ao.nn: of what it holds there is `quantized`."""
