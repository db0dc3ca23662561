"""Which file each layer is in, and how PyTorch names it."""

from __future__ import annotations

from types import FunctionType
from typing import Any

FILES = {
    "activation": (
        "CELU ELU GELU GLU SELU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid LogSoftmax Mish "
        "PReLU ReLU ReLU6 RReLU Sigmoid SiLU Softmax Softmax2d Softmin Softplus Softshrink Softsign Tanh "
        "Tanhshrink Threshold"
    ),
    "adaptive": "AdaptiveLogSoftmaxWithLoss",
    "batchnorm": "BatchNorm1d BatchNorm2d BatchNorm3d InstanceNorm1d InstanceNorm2d InstanceNorm3d SyncBatchNorm",
    "container": "ModuleDict ModuleList ParameterDict ParameterList Sequential",
    "conv": "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d",
    "distance": "CosineSimilarity PairwiseDistance",
    "dropout": "AlphaDropout Dropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout",
    "lazy": (
        "LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d LazyConv1d LazyConv2d LazyConv3d LazyConvTranspose1d "
        "LazyConvTranspose2d LazyConvTranspose3d LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d "
        "LazyLinear UninitializedParameter"
    ),
    "linear": "Bilinear Identity Linear",
    "loss": (
        "BCELoss BCEWithLogitsLoss CosineEmbeddingLoss CrossEntropyLoss CTCLoss GaussianNLLLoss HingeEmbeddingLoss "
        "HuberLoss KLDivLoss L1Loss LinearCrossEntropyLoss MarginRankingLoss MSELoss MultiLabelMarginLoss "
        "MultiLabelSoftMarginLoss MultiMarginLoss NLLLoss PoissonNLLLoss SmoothL1Loss SoftMarginLoss "
        "TripletMarginLoss TripletMarginWithDistanceLoss"
    ),
    "module": "Module",
    "normalization": "GroupNorm LayerNorm LocalResponseNorm RMSNorm",
    "padding": (
        "CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d "
        "ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d "
        "ZeroPad3d"
    ),
    "parallel": "DataParallel",
    "pooling": (
        "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d "
        "AdaptiveMaxPool3d AvgPool1d AvgPool2d AvgPool3d FractionalMaxPool2d FractionalMaxPool3d LPPool1d LPPool2d "
        "LPPool3d MaxPool1d MaxPool2d MaxPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d"
    ),
    "rnn": "GRU LSTM RNN GRUCell LSTMCell RNNBase RNNCell RNNCellBase",
    "shaping": (
        "ChannelShuffle Flatten Fold PixelShuffle PixelUnshuffle Unflatten Unfold Upsample UpsamplingBilinear2d "
        "UpsamplingNearest2d"
    ),
    "sparse": "Embedding EmbeddingBag",
    "transformer": (
        "MultiheadAttention Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder "
        "TransformerEncoderLayer"
    ),
}
"""The files of this folder and their layers, which are read when somebody first asks for one of them."""

_BASES = "Module _NormBase _BatchNorm _ConvNd _DropoutNd _Loss _WeightedLoss"
_NAMED = frozenset(" ".join((*FILES.values(), _BASES)).split())

_ELSEWHERE = {  # classes that PyTorch keeps in a module of another name than ours
    "InstanceNorm1d": "instancenorm",
    "InstanceNorm2d": "instancenorm",
    "InstanceNorm3d": "instancenorm",
    "MultiheadAttention": "activation",
    "DataParallel": "parallel.data_parallel",
    "Flatten": "flatten",
    "Unflatten": "flatten",
    "Fold": "fold",
    "Unfold": "fold",
    "PixelShuffle": "pixelshuffle",
    "PixelUnshuffle": "pixelshuffle",
    "ChannelShuffle": "channelshuffle",
    "Upsample": "upsampling",
    "UpsamplingNearest2d": "upsampling",
    "UpsamplingBilinear2d": "upsampling",
}

# Whose constructor PyTorch's messages name, where the engine's classes inherit one from elsewhere.
_OWN_CONSTRUCTORS = (
    "AvgPool3d CELU CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d Conv1d Conv2d"
    " Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d Hardsigmoid Hardswish LogSoftmax MaxUnpool1d MaxUnpool2d"
    " MaxUnpool3d Mish ReLU ReflectionPad1d ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d"
    " ReplicationPad3d SELU SiLU Softmin Softshrink ZeroPad1d ZeroPad2d ZeroPad3d"
)
_CONSTRUCTORS = {
    **{name: name for name in _OWN_CONSTRUCTORS.split()},
    **dict.fromkeys(("BatchNorm1d", "BatchNorm2d", "BatchNorm3d"), "_BatchNorm"),
    **dict.fromkeys(("RNN", "LSTM", "GRU"), "RNNBase"),
}


def name_layer(kind: type) -> None:
    """Give a class of this folder the module that it has in PyTorch, which `type(layer)` prints, and the name that
    messages about the arguments of its constructor have."""
    name = kind.__name__
    if name in _NAMED:
        plain = getattr(kind, "becomes", kind)  # what a lazy module becomes
        kind.__module__ = f"torch.nn.modules.{_ELSEWHERE.get(name, plain.__module__.rpartition('.')[2])}"
    if name in _CONSTRUCTORS:
        _name_constructor(kind, _CONSTRUCTORS[name])


def _name_constructor(kind: Any, called: str) -> None:
    """Give `kind` a constructor of its own, as it is, that Python's messages call `called.__init__()`."""
    constructor: Any = kind.__init__
    own = FunctionType(
        constructor.__code__,
        constructor.__globals__,
        "__init__",
        constructor.__defaults__,
        constructor.__closure__,
    )
    own.__kwdefaults__, own.__annotations__ = constructor.__kwdefaults__, constructor.__annotations__
    own.__qualname__, own.__doc__ = f"{called}.__init__", constructor.__doc__
    kind.__init__ = own
