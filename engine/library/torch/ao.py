# type: ignore
"""torch.ao: of what it holds there is `quantization`."""
