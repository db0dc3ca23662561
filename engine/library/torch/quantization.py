# type: ignore
"""torch.quantization: the older name of torch.ao.quantization."""

from torch.ao.quantization import default_dynamic_qconfig, quantize_dynamic
