"""torch.special: most of it is torch's own functions under the names of statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.ops import activation, bessel, guard, pointwise, reduce, special, specials, twoargs

_SAME = (
    (specials, "entr erfcx i0 i0e i1 i1e log_ndtr ndtr ndtri xlog1py zeta"),
    (bessel, "bessel_j0 bessel_j1 bessel_y0 bessel_y1"),
    (special, "digamma erfc erfinv logit polygamma sinc"),
    (pointwise, "exp2 expm1 log1p round"),
    (activation, "erf softmax log_softmax"),
    (reduce, "logsumexp"),
    (twoargs, "xlogy"),
)
for _file, _names in _SAME:
    for _name in _names.split():
        globals()[_name] = guard.function("special_" + _name, getattr(_file, _name))

_OTHER_NAMES: dict[str, Any] = {
    "expit": pointwise.sigmoid,
    "gammaln": special.lgamma,
    "psi": special.digamma,
    "gammainc": specials.igamma,
    "gammaincc": specials.igammac,
    "multigammaln": specials.mvlgamma,
}
for _name, _operation in _OTHER_NAMES.items():
    globals()[_name] = guard.function("special_" + _name, _operation)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        raise AttributeError(f"module 'torch.special' has no attribute '{name}'")
