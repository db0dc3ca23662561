# type: ignore
"""torch.ao.quantization: quantize_dynamic() of nn.Linear."""

import copy
import warnings

import torch
from torch import nn
from torch.ao.nn.quantized.dynamic import Linear

DEPRECATED = """torch.ao.quantization is deprecated and will be removed in 2.10. 
For migrations of users: 
1. Eager mode quantization (torch.ao.quantization.quantize, torch.ao.quantization.quantize_dynamic), please migrate to \
use torchao eager mode quantize_ API instead 
2. FX graph mode quantization (torch.ao.quantization.quantize_fx.prepare_fx,torch.ao.quantization.quantize_fx.\
convert_fx, please migrate to use torchao pt2e quantization API instead (prepare_pt2e, convert_pt2e) 
3. pt2e quantization has been migrated to torchao (https://github.com/pytorch/ao/tree/main/torchao/quantization/pt2e) 
see https://github.com/pytorch/ao/issues/2259 for more details"""  # noqa: W291


class QConfig:
    """How something is quantized: here its name alone."""


default_dynamic_qconfig = QConfig()


def quantize_dynamic(model, qconfig_spec=None, dtype=torch.qint8, mapping=None, inplace=False):
    """The model in eval mode, with such layers in the place of its nn.Linear (of those that qconfig_spec has the names
    or types of). Raises NotImplementedError where others are asked for: recurrent layers, or float16."""
    warnings.warn(DEPRECATED, DeprecationWarning, stacklevel=2)
    if dtype is not torch.qint8:
        if dtype in (torch.float16, torch.quint8):
            raise NotImplementedError(f"quantize_dynamic(dtype={dtype}) does not exist here: torch.qint8 does")
        if qconfig_spec is None:
            raise ValueError(
                f"Don't know how to quantize with default settings for {dtype}. Provide full qconfig please"
            )
        raise RuntimeError("Unknown dtype specified for quantize_dynamic: ", str(dtype))
    rows = (nn.LSTM, nn.GRU, nn.LSTMCell, nn.RNNCell, nn.GRUCell)
    asked = {nn.Linear, *rows} if qconfig_spec is None else set(qconfig_spec)
    if not inplace:
        model = copy.deepcopy(model)
    model.eval()
    _replace(model, asked, rows, "" in asked, "")
    return model


def _replace(module, asked, rows, whole, prefix):
    for name, child in list(module.named_children()):
        place = f"{prefix}{name}"
        wanted = whole or place in asked or type(child) in asked
        if wanted and type(child) in rows:
            kind = type(child).__name__
            raise NotImplementedError(f"quantize_dynamic() of nn.{kind} does not exist here: of nn.Linear it does")
        if wanted and type(child) is nn.Linear:
            setattr(module, name, Linear(child))
        else:
            _replace(child, asked, rows, wanted, place + ".")
