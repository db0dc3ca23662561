"""Gradients of bfloat16 for which PyTorch makes several operations: each of them rounds."""

from __future__ import annotations

from typing import Any

from engine.autograd.graph import Node
from engine.brief import DTYPE, computing, narrow, wide

IN_ROUNDS = frozenset(
    f"{name}Backward0"
    for name in [
        "Acos",
        "Acosh",
        "Addcdiv",
        "Addcmul",
        "Asin",
        "Asinh",
        "Atan",
        "Atan2",
        "Atanh",
        "Cos",
        "Cosh",
        "Cumprod",
        "Div",
        "Erf",
        "Erfc",
        "Erfinv",
        "Exp2",
        "Expm1",
        "Hypot",
        "Lerp",
        "Lgamma",
        "LinalgCross",
        "LinalgVectorNorm",
        "Log10",
        "Log1P",
        "Log2",
        "Logaddexp",
        "Logaddexp2",
        "Logsumexp",
        "Norm",
        "Pow",
        "Prod",
        "Reciprocal",
        "Remainder",
        "Fmod",
        "Rsqrt",
        "Sin",
        "Sinc",
        "Sinh",
        "Sqrt",
        "Std",
        "StdMean",
        "Tan",
        "Var",
        "VarMean",
        "Xlogy",
        "SpecialXlog1Py",
        "SpecialEntr",
        "SpecialNdtr",
        "Logit",
    ]
) | {
    "PowBackward1",
    "PowBackward2",
    "XlogyBackward1",
    "XlogyBackward2",
    "ProdBackward1",
    "LerpBackward1",
    "NormBackward1",
}


def run_in_rounds(node: Node, g: Any) -> Any:
    """What `node` gives for a gradient (float32, of rounded numbers), each step of its formula rounded."""
    if node.dtype is not DTYPE:
        return node.backward(g, *map(wide, node.unpack()))
    try:
        with computing():
            made = node.backward(narrow(g), *map(narrow, node.unpack()))
    except (TypeError, KeyError, ValueError, AttributeError):  # a formula that looks into its arrays
        return node.backward(g, *map(wide, node.unpack()))
    return tuple(map(wide, made)) if made.__class__ is tuple else wide(made)
