# type: ignore
"""torch.nn.utils.convert_parameters: the file in which PyTorch keeps these."""

from torch.nn.utils import parameters_to_vector, vector_to_parameters
