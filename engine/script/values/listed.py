"""dir(): the names of a value. What it lists can be read: scripts that look through all of them find no closed one."""

from __future__ import annotations

from enum import EnumType
from typing import Any

from engine.nn.module import Module
from engine.script.classes.standing import meant
from engine.script.surface import EXTENDED, RULES, ScriptModule, names
from engine.script.values import attributes

PACKAGE = names("__builtins__ __cached__ __doc__ __file__ __loader__ __name__ __package__ __path__ __spec__")
MORE = {
    "torch.optim": names("__all__ _adafactor _functional _muon _stateless swap_in_optimizer_params_and_state"),
    "torch.distributions": names("""
__all__ CatTransform ContinuousBernoulli CorrCholeskyTransform CumulativeDistributionTransform ExponentialFamily
FisherSnedecor GeneralizedPareto IndependentTransform LKJCholesky LogisticNormal LowRankMultivariateNormal
LowerCholeskyTransform PositiveDefiniteTransform ReshapeTransform SoftmaxTransform StackTransform StickBreakingTransform
VonMises Wishart biject_to constraint_registry identity_transform transform_to
"""),
    "torch.nn": names("""
Container CrossMapLRN2d LinearCrossEntropyOptions NLLLoss2d UninitializedBuffer _reduction factory_kwargs grad intrinsic
qat quantizable quantized
"""),
}
"""What dir() lists of the packages that courses look through, beside what is here."""
LESS = {
    "torch.distributions": names("""
LocScale OfProbabilities continuous discrete gammas logsigmoid made math noise seldom softplus tensors torch
""")
}
"""What our own parts of them have beside."""


def names_of(value: Any) -> list[str]:
    """What dir(value) lists, in order: the value's own names, those of its classes, and the dunder names that they
    have. Nothing of the script is called for it."""
    if type(value) is ScriptModule:
        found = set(value.listed())
        more = MORE.get(value._name)
        return sorted(found if more is None else (found | more | PACKAGE) - LESS.get(value._name, set()))
    value = meant(value)
    kind = value if isinstance(value, type) else type(value)
    found = _of_class(kind)
    if kind is not value:
        found |= _of_instance(value)
    elif type(kind) is EnumType:
        found |= set(kind.__members__)
    return sorted(found | {name for name in dir(kind) if attributes.is_dunder(name) and _is_read(value, name)})


def _of_class(kind: type) -> set[str]:
    found: set[str] = set()
    hidden = "_" if type(kind) is EnumType else "__"
    for each in kind.__mro__:
        if attributes.is_script_class(each):
            found |= {name for name in vars(each) if not name.startswith(hidden)}
        for rule in (RULES.get(each), RULES.get(EXTENDED.get(each, each))):
            if rule is not None:
                found |= rule.names | set(rule.wrapped) | set(rule.static)
    return {name for name in found if not attributes.is_dunder(name)}


def _of_instance(value: Any) -> set[str]:
    rule = attributes.rule_of(type(value))
    found: set[str] = set()
    if rule is not None and rule.open and hasattr(value, "__dict__"):
        found |= {name for name in vars(value) if name not in rule.hidden and not attributes.is_dunder(name)}
    if isinstance(value, Module):
        for kind in ("_parameters", "_buffers", "_modules"):
            found |= {name for name in vars(value).get(kind, ()) if not name[:1].isdigit()}
    return found


def _is_read(value: Any, name: str) -> bool:
    try:
        attributes.get(value, name)
    except AttributeError:
        return False
    return True
