"""Local derivatives of operations that work on each entry by itself, as a person writes them.

@x is the operand, @y the result: names in the formula, numbers in the line where it is worked out. Each entry is
(in symbols, with numbers); where both are written alike, once. Nothing is differentiated here.
"""

from __future__ import annotations

from collections.abc import Callable

_INSIDE = r"[@x \text{ within the bounds}]"

POINTWISE: dict[str, str | tuple[str, str]] = {
    "abs": r"\operatorname{sign}(@x)",
    "neg": "(-1)",
    "positive": "1",
    "clone": "1",
    "exp": (r"e^{@x}", "@y"),
    "exp2": (r"2^{@x} \ln 2", r"@y \cdot \ln 2"),
    "expm1": (r"e^{@x}", r"(@y + 1)"),
    "log": r"\frac{1}{@x}",
    "log2": r"\frac{1}{@x \ln 2}",
    "log10": r"\frac{1}{@x \ln 10}",
    "log1p": r"\frac{1}{1 + @x}",
    "sqrt": (r"\frac{1}{2\sqrt{@x}}", r"\frac{1}{2 \cdot @y}"),
    "rsqrt": (r"\frac{-1}{2 @x \sqrt{@x}}", r"\frac{-@y}{2 \cdot @x}"),
    "reciprocal": r"\frac{-1}{@x^2}",
    "sin": r"\cos(@x)",
    "cos": r"(-\sin(@x))",
    "tan": (r"(1 + \tan^2 @x)", "(1 + @y^2)"),
    "asin": r"\frac{1}{\sqrt{1 - @x^2}}",
    "acos": r"\frac{-1}{\sqrt{1 - @x^2}}",
    "atan": r"\frac{1}{1 + @x^2}",
    "sinh": r"\cosh(@x)",
    "cosh": r"\sinh(@x)",
    "tanh": (r"(1 - \tanh^2 @x)", "(1 - @y^2)"),
    "asinh": r"\frac{1}{\sqrt{@x^2 + 1}}",
    "acosh": r"\frac{1}{\sqrt{@x^2 - 1}}",
    "atanh": r"\frac{1}{1 - @x^2}",
    "sigmoid": (r"\sigma(@x) (1 - \sigma(@x))", r"@y \cdot (1 - @y)"),
    "logsigmoid": r"(1 - \sigma(@x))",
    "softplus": r"\sigma(@x)",
    "silu": r"\sigma(@x) (1 + @x (1 - \sigma(@x)))",
    "gelu": r"(\Phi(@x) + @x \, \varphi(@x))",
    "mish": r"\operatorname{mish}'(@x)",
    "relu": r"[@x > 0]",
    "threshold": r"[@x > \text{threshold}]",
    "leaky_relu": r"([@x > 0] + a \, [@x \le 0])",
    "rrelu": r"([@x > 0] + a \, [@x \le 0])",
    "elu": r"([@x > 0] + a \, e^{@x} [@x \le 0])",
    "celu": r"([@x > 0] + e^{@x / a} [@x \le 0])",
    "selu": r"s \, ([@x > 0] + a \, e^{@x} [@x \le 0])",
    "hardtanh": _INSIDE,
    "clamp": _INSIDE,
    "relu6": r"[0 < @x < 6]",
    "hardsigmoid": r"\tfrac{1}{6} [-3 < @x < 3]",
    "hardswish": r"(\tfrac{2 \cdot @x + 3}{6} \text{ between } {-3} \text{ and } 3)",
    "hardshrink": r"[|@x| > \lambda]",
    "softshrink": r"[|@x| > \lambda]",
    "softsign": r"\frac{1}{(1 + |@x|)^2}",
    "tanhshrink": r"\tanh^2 @x",
    "erf": r"\tfrac{2}{\sqrt{\pi}} e^{-@x^2}",
    "erfc": r"\tfrac{-2}{\sqrt{\pi}} e^{-@x^2}",
    "erfinv": r"\tfrac{\sqrt{\pi}}{2} e^{@y^2}",
    "lgamma": r"\psi(@x)",
    "digamma": r"\psi'(@x)",
    "logit": r"\frac{1}{@x (1 - @x)}",
    "sinc": r"\operatorname{sinc}'(@x)",
    "i0": r"I_1(@x)",
    "polygamma": r"\psi^{(k + 1)}(@x)",
    "special_entr": r"(-1 - \ln @x)",
    "special_ndtr": r"\varphi(@x)",
    "special_log_ndtr": (r"\frac{\varphi(@x)}{\Phi(@x)}", r"\frac{\varphi(@x)}{\Phi(@x)}"),
    "special_ndtri": r"\frac{1}{\varphi(@y)}",
    "special_erfcx": r"(2 \cdot @x \cdot @y - \tfrac{2}{\sqrt{\pi}})",
    "special_i0e": r"(\operatorname{i1e}(@x) - \operatorname{sign}(@x) \cdot @y)",
    "special_i1": r"(I_0(@x) - @y / @x)",
    "special_i1e": r"(\operatorname{i0e}(@x) - @y \cdot (\operatorname{sign}(@x) + 1 / @x))",
    "clamp_min": _INSIDE,
    "clamp_max": _INSIDE,
    **dict.fromkeys(("zero", "uniform", "normal", "bernoulli", "exponential", "geometric", "lognormal", "random"), "0"),
    "floor_divide": "0",
    "deg2rad": r"\tfrac{\pi}{180}",
    "rad2deg": r"\tfrac{180}{\pi}",
    "frac": "1",
    "nan_to_num": r"[@x \text{ finite}]",
    "floor": "0",
    "ceil": "0",
    "round": "0",
    "trunc": "0",
    "sign": "0",
    "sgn": "0",
}


def pointwise(operation: str, x: str, y: str = "") -> str:
    """The local derivative in symbols. Raises KeyError for other operations."""
    rule = POINTWISE[operation]
    return _filled(rule if isinstance(rule, str) else rule[0], x, y)


def pointwise_worked(operation: str, x: str, y: str) -> str:
    """The same with numbers. Raises KeyError."""
    if operation in WORKED:
        return WORKED[operation](x)
    rule = POINTWISE[operation]
    return _filled(rule if isinstance(rule, str) else rule[1], _wrapped(x), _wrapped(y))


def _step(x: str) -> str:
    return "0" if x.startswith("-") or x.strip("0.") == "" else "1"


WORKED: dict[str, Callable[[str], str]] = {"relu": _step, "threshold": _step}


def _filled(rule: str, x: str, y: str) -> str:
    return rule.replace("@x", x).replace("@y", y)


def _wrapped(number: str) -> str:
    return f"({number})" if number.startswith("-") else number
