"""Where each kind of node keeps what PyTorch's node of that name has saved.

`PLACES` names the values in the order in which PyTorch saves them, and says where each is: a digit for a value of
`Node.saved` ("n" where PyTorch makes a tensor of a number, "t" where it saves the transposed one), "out" for the
output, ".name" for an attribute of the node, "#name" for the number of elements of a shape.
"""

from __future__ import annotations

_OF_SELF = """Log Log2 Log10 Log1P Sin Cos Abs Erf Sinh Cosh Asin Acos Atan Silu Mish Hardswish Hardsigmoid Lgamma
Digamma Sinc Gelu Elu LeakyRelu Softplus NanToNum"""
_OF_RESULT = "Exp Expm1 Sqrt Rsqrt Tan Tanh Sigmoid Relu Reciprocal Softmax LogSoftmax"
_OF_SIZES = """View ReshapeAlias UnsafeView Squeeze Expand Repeat Trace Select Slice"""
_OF_TWO = """Maximum Minimum Atan2 Logaddexp Xlogy"""
_OF_INDEX = "IndexSelect Scatter ScatterAdd IndexCopy IndexFill Put"
_OF_INDICES = "Max Min Sort Topk Kthvalue Mode Cummax Cummin Embedding MaxUnpool2D MaxUnpool3D"
_LOSSES = "MseLoss SmoothL1Loss HuberLoss BinaryCrossEntropy"

PLACES: dict[str, dict[str, str]] = {
    name: dict(part.partition("=")[::2] for part in places.split())
    for name, places in {
        **{f"{name}Backward0": "self=0" for name in _OF_SELF.split()},
        **{f"{name}Backward0": "result=out" for name in _OF_RESULT.split()},
        **{f"{name}Backward0": "self_sym_sizes=.source" for name in _OF_SIZES.split()},
        **{f"{name}Backward0": "other=1 self=0" for name in _OF_TWO.split()},
        **{f"{name}Backward0": "self=0 target=1" for name in _LOSSES.split()},
        **{f"{name}Backward0": "index=0" for name in _OF_INDEX.split()},
        **{f"{name}Backward0": "indices=0" for name in _OF_INDICES.split()},
        **{f"{name}Backward1": "indices=0" for name in ("Median", "Nanmedian")},
        "ScatterBackward1": "index=0",
        "GatherBackward0": "index=0 self=1",
        "TakeBackward0": "index=0 self=1",
        "MaskedSelectBackward0": "mask=0 self=1",
        "MaskedScatterBackward0": "mask=0",
        "MulBackward0": "other=1n self=0n",
        "DivBackward0": "other=1n self=0n",
        "PowBackward0": "exponent=1 self=0",
        "PowBackward1": "exponent=1 self=0 result=out",
        "PowBackward2": "exponent=1 self=0 result=out",
        "SumBackward0": "self_sym_sizes=.source",
        "SumBackward1": "dim=.dims keepdim=.keepdim self_sym_sizes=.source",
        "MeanBackward0": "self_sym_numel=#source self_sym_sizes=.source",
        "MeanBackward1": "dim=.dims keepdim=.keepdim self_sym_numel=#source self_sym_sizes=.source",
        "ProdBackward0": "self=0 result=out",
        "MaxBackward1": "self=0 result=out",
        "MinBackward1": "self=0 result=out",
        "AmaxBackward0": "dim=.dims keepdim=.keepdim self=0 result=out",
        "AminBackward0": "dim=.dims keepdim=.keepdim self=0 result=out",
        "VarBackward0": "self=0",
        "StdBackward0": "self=0 result=out",
        "LinalgVectorNormBackward0": "self=0 result=out",
        "NormBackward1": "self=0 result=out",
        "DistBackward0": "other=1 p=2 self=0 result=out",
        "LogsumexpBackward0": "dim=.dims keepdim=.keepdim self=0 result=out",
        "CumsumBackward0": "dim=.dim",
        "CumprodBackward0": "dim=1 self=0 result=out",
        "MmBackward0": "mat2=1 self=0",
        "LinearMmBackward0": "mat2=1t self=0",
        "MvBackward0": "self=0 vec=1",
        "DotBackward0": "self=0 tensor=1",
        "BmmBackward0": "mat2=1 self=0",
        "AddmmBackward0": "mat1=0 mat2=1t",
        "BaddbmmBackward0": "alpha=3 batch1=0 batch2=1 beta=2",
        "AddmvBackward0": "alpha=3 beta=2 mat=0 vec=1",
        "WhereBackward0": "condition=0",
        "MaskedFillBackward0": "mask=0",
        "ClampBackward1": "max=.high min=.low self=0",
        "HardtanhBackward0": "max_val=.high min_val=.low self=0",
        "BinaryCrossEntropyWithLogitsBackward0": "self=0 target=1",
        "ConvolutionBackward0": "input=0 weight=1",
        "NativeBatchNormBackward0": "input=0 weight=1",
        "NativeLayerNormBackward0": "input=0 weight=1",
        "NativeGroupNormBackward0": "input=0 weight=1",
        "MaxPool2DWithIndicesBackward0": "self=0 result1=1",
        "AvgPool2DBackward0": "self=0",
        "NllLossBackward0": "self=0 target=1",
        "AddcmulBackward0": "tensor1=0 tensor2=1 value=2",
        "AddcdivBackward0": "tensor1=0 tensor2=1 value=2",
        "PermuteBackward0": "dims=.dims",
        "CatBackward0": "dim=.dim",
        "StackBackward0": "dim=.dim",
        "CdistBackward0": "x1=0 x2=1 result=out",
        "HypotBackward0": "other=1 self=0 result=out",
        "GluBackward0": "self=0",
        "LerpBackward0": "weight=0",
    }.items()
}
SHOWN = frozenset(name for places in PLACES.values() for name in places)
"""All names that some node has."""
