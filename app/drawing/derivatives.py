"""How the chain rule is written for each operation: LaTeX for a card, with symbols and with numbers.

Nothing is differentiated here: the results come from the trace. This is only how a person would write it down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.drawing import numbers
from app.drawing.pointwise import POINTWISE, pointwise, pointwise_worked
from app.drawing.whole import whole

Array = np.ndarray[Any, Any]
Place = tuple[int, ...]


@dataclass(frozen=True)
class Operand:
    """One operand: its name in LaTeX, its value if the trace has it, its shape (None: a plain number)."""

    name: str
    value: Array | None = None
    shape: tuple[int, ...] | None = None

    @classmethod
    def of_text(cls, text: str) -> Operand:
        """A number written in the script, or the name of something that is no tensor of the graph."""
        try:
            value = np.asarray(float(text))
        except ValueError:
            return cls(math_name(text) if text else r"\square")
        return cls(literal(numbers.short(value.item()).removesuffix(".0")), value)

    @property
    def number(self) -> str | None:
        """The value in LaTeX, when it is one number."""
        return math_number(self.value) if self.value is not None and self.value.size == 1 else None


@dataclass(frozen=True)
class Rule:
    """`symbols` and `worked`: the local derivative (worked is "" without single numbers). `product`: the whole
    contribution for matrices, with G the gradient passing; `note` what has to be said with it."""

    symbols: str
    worked: str = ""
    product: str = ""
    note: str = ""


AVERAGED = "n: how many entries are averaged; 1 when they are summed"


def forward(operation: str, operands: list[Operand], *, with_numbers: bool = False) -> str:
    """The operation as a person writes it."""
    names = [(one.number or one.name) if with_numbers else one.name for one in operands]
    name = operation.rstrip("_")
    infix = {"add": "+", "sub": "-", "mul": r"\times", "mm": "", "matmul": "", "bmm": "", "mv": "", "dot": r"\cdot"}
    if name in infix and len(names) == 2:
        return f"{names[0]} {infix[name]} {names[1]}"
    if name == "div" and len(names) == 2:
        return rf"\frac{{{names[0]}}}{{{names[1]}}}"
    if name == "pow" and len(names) == 2:
        return rf"{{{_wrap(names[0])}}}^{{{operands[1].name}}}"
    if name == "addmm" and len(names) == 3:
        return rf"{names[1]} \, {names[2]} + {names[0]}"
    if name == "linear" and len(names) >= 2:
        bias = f" + {names[0]}" if len(names) == 3 else ""
        return rf"{names[-2]} \, {{{names[-1]}}}^{{\top}}{bias}"
    if name == "t" and names:
        return rf"{{{names[0]}}}^{{\top}}"
    if name == "neg" and names:
        return f"-{_wrap(names[0])}"
    return rf"{text(name.replace('_', ' '))}({', '.join(names)})"


def local(operation: str, slot: int, operands: list[Operand], output: Operand) -> Rule:
    """The derivative of the operation's output with respect to operand `slot`; in general terms where there is no
    rule of its own."""
    name = operation.rstrip("_")
    own = operands[slot] if slot < len(operands) else Operand(r"\square")
    jacobian = rf"\frac{{\partial\, {text(name.replace('_', ' '))}}}{{\partial {own.name}}}"
    general = rf"\left( {jacobian} \right)^{{\top}} G"
    rule = _own_rule(name, slot, own, operands, output)
    if rule is None:
        return Rule(jacobian, "", general)
    rule = rule if rule.product or not own.shape else replace(rule, product=general)
    return replace(rule, note=AVERAGED) if r"}{n}" in rule.product else rule


def _own_rule(name: str, slot: int, own: Operand, operands: list[Operand], output: Operand) -> Rule | None:
    other = operands[1 - slot] if len(operands) == 2 and slot < 2 else Operand(r"\square")
    if name in _PAIRS and len(operands) == 2:
        return _PAIRS[name](slot, own, other)
    if name in _MATRICES:
        return _MATRICES[name](slot, operands)
    if name == "mean":
        averaged = int(np.prod(own.shape or ())) // max(1, int(np.prod(output.shape or ())))
        share = rf"\tfrac{{1}}{{{averaged}}}"
        return Rule(share, share, rf"{share} \, G \text{{ for every entry}}" if own.shape else "")
    if name == "sum" and not own.shape:
        return Rule("1", "1")
    if name in POINTWISE and slot == 0 and all(one.shape is None for one in operands[1:]):
        symbols = pointwise(name, own.name, output.name)
        worked = pointwise_worked(name, own.number, output.number) if own.number and output.number else ""
        return Rule(symbols, worked, rf"G \odot {symbols}" if own.shape else "")
    sent = whole(name, slot, own.name, output.name, [one.name for one in operands])
    return (
        Rule(rf"\frac{{\partial\, {text(name.replace('_', ' '))}}}{{\partial {own.name}}}", "", sent) if sent else None
    )


def entry(operation: str, slot: int, operands: list[Operand], output: Operand, upstream: Array, place: Place) -> str:
    """One entry of what is sent to operand `slot` in LaTeX with numbers, where each entry stands for itself; "" for
    other operations and shapes."""
    name = operation.rstrip("_")
    own = operands[slot].value if slot < len(operands) else None
    if name not in POINTWISE or slot or own is None or own.shape != upstream.shape or output.value is None:
        return ""
    if own.size < 2 or any(one.shape is not None for one in operands[1:]):
        return ""
    x, y = (literal(numbers.short(array[place])) for array in (own, output.value))
    return rf"{_wrap(literal(numbers.short(upstream[place])))} \times {pointwise_worked(name, x, y)}"


# ---------------------------------------------------------------------- two operands


def _add(slot: int, own: Operand, other: Operand) -> Rule:
    return Rule("1", "1", _summed("G", own, other))


def _sub(slot: int, own: Operand, other: Operand) -> Rule:
    return Rule("1", "1", _summed("G", own, other)) if slot == 0 else Rule("(-1)", "(-1)", _summed("-G", own, other))


def _mul(slot: int, own: Operand, other: Operand) -> Rule:
    return Rule(other.name, _wrap(other.number or ""), _summed(rf"G \odot {other.name}", own, other))


def _div(slot: int, own: Operand, other: Operand) -> Rule:
    if slot == 0:
        worked = rf"\frac{{1}}{{{other.number}}}" if other.number else ""
        return Rule(rf"\frac{{1}}{{{other.name}}}", worked, rf"G / {other.name}")
    worked = rf"\frac{{-{_wrap(other.number)}}}{{{_wrap(own.number)}^2}}" if own.number and other.number else ""
    return Rule(rf"\frac{{-{other.name}}}{{{own.name}^2}}", worked, rf"-G \odot {other.name} / {own.name}^2")


def _pow(slot: int, own: Operand, other: Operand) -> Rule:
    if slot == 1:
        return Rule(rf"{{{other.name}}}^{{{own.name}}} \ln {other.name}")
    if other.value is None or other.value.size != 1:
        return Rule(rf"{other.name} \cdot {own.name}^{{{other.name} - 1}}")
    power = float(other.value.reshape(-1)[0])
    base = own.name
    rest = "" if power == 2 else "^{" + numbers.short(power - 1).removesuffix(".0").replace(numbers.MINUS, "-") + "}"
    times = literal(numbers.short(power).removesuffix(".0"))
    symbols = rf"{times} \cdot {_wrap(base)}{rest}"
    worked = rf"{times} \cdot {_wrap(own.number)}{rest}" if own.number else ""
    return Rule(symbols, f"({worked})" if worked else "", rf"G \odot {symbols}")


def _mm(slot: int, own: Operand, other: Operand) -> Rule:
    if slot == 0:
        return Rule(other.name, _wrap(other.number or ""), rf"G \, {{{other.name}}}^{{\top}}")
    return Rule(other.name, _wrap(other.number or ""), rf"{{{other.name}}}^{{\top}} G")


def _summed(product: str, own: Operand, other: Operand) -> str:
    """A broadcast operand gets the sum over what was broadcast."""
    if own.shape is None or other.shape is None or len(own.shape) >= len(other.shape):
        return product
    return rf"\sum {product}"


_PAIRS = {"add": _add, "sub": _sub, "mul": _mul, "div": _div, "pow": _pow, "mm": _mm, "matmul": _mm}


# ---------------------------------------------------------------------- matrices and losses


def _addmm(slot: int, operands: list[Operand]) -> Rule:
    names = [one.name for one in operands]
    if slot == 0 or len(names) < 3:
        return Rule("1", "", r"\sum_{\text{rows}} G")
    if slot == 1:
        return Rule(names[2], "", rf"G \, {{({names[2]})}}^{{\top}}")
    return Rule(names[1], "", rf"{{{names[1]}}}^{{\top}} G")


def _linear(slot: int, operands: list[Operand]) -> Rule:
    """Operands are (bias, input, weight), or (input, weight): the input times the weight's transpose, plus the bias."""
    if len(operands) == 3 and slot == 0:
        return Rule("1", "", r"\sum_{\text{rows}} G")
    given, weight = operands[-2:] if len(operands) >= 2 else (Operand("x"), Operand("W"))
    if slot == len(operands) - 2:
        return Rule(weight.name, "", rf"G \, {weight.name}")
    return Rule(given.name, "", rf"G^{{\top}} {given.name}")


def _mse(slot: int, operands: list[Operand]) -> Rule:
    if len(operands) < 2:
        return Rule("2 (y - t) / n")
    difference = f"{operands[0].name} - {operands[1].name}"
    sign = "" if slot == 0 else "-"
    return Rule(rf"{sign}\tfrac{{2}}{{n}} ({difference})", "", rf"{sign}G \cdot \tfrac{{2}}{{n}} ({difference})")


def _bce_logits(slot: int, operands: list[Operand]) -> Rule:
    if len(operands) < 2 or slot:
        return Rule(r"\tfrac{1}{n}(\sigma(z) - t)")
    return Rule(
        rf"\tfrac{{1}}{{n}} (\sigma({operands[0].name}) - {operands[1].name})",
        "",
        rf"G \cdot \tfrac{{1}}{{n}} (\sigma({operands[0].name}) - {operands[1].name})",
    )


_MATRICES = {
    "addmm": _addmm,
    "linear": _linear,
    "mse_loss": _mse,
    "binary_cross_entropy_with_logits": _bce_logits,
}


# ---------------------------------------------------------------------- LaTeX


def text(words: str) -> str:
    r"""Words as \text{...}: what a script calls things, with nothing in it that LaTeX or HTML would read."""
    special = {
        "\\": " ",
        "{": "(",
        "}": ")",
        "$": " ",
        "&": "+",
        "^": " ",
        "~": " ",
        "<": "‹",
        ">": "›",
    }
    return r"\text{" + "".join(special.get(letter, letter) for letter in words) + "}"


def math_name(name: str) -> str:
    """One letter is a variable in italics; longer names stand upright, as in the script."""
    return name if len(name) == 1 and name.isalpha() else text(name)


def math_number(array: Array | None) -> str:
    """The only number of an array."""
    return literal(numbers.short(array.reshape(-1)[0])) if array is not None and array.size == 1 else r"\square"


def literal(number: str) -> str:
    """A formatted number in LaTeX ("−8.0" -> "-8.0", "inf" -> infinity, "1.5e-5" -> a power of ten)."""
    plain = number.replace(numbers.MINUS, "-")
    if plain.lstrip("-") == "inf":
        return plain.replace("inf", r"\infty")
    if plain == "nan":
        return text("nan")
    if "e" in plain:
        mantissa, exponent = plain.split("e")
        return rf"{mantissa} \cdot 10^{{{int(exponent)}}}"
    return plain


def _wrap(latex: str | None) -> str:
    """Brackets around a negative number."""
    if not latex:
        return ""
    return f"({latex})" if latex.startswith("-") else latex
