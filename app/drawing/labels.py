"""The words on the boxes: what an operation is called in a picture that has little room."""

from __future__ import annotations

from engine.tracing.moments import GraphNode

LONGEST = 15
SUPERSCRIPTS = str.maketrans("0123456789-.", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻·")
INFIX = {"add": "+", "sub": "−", "mul": "*", "div": "/", "mm": "@", "matmul": "@", "bmm": "@", "dot": "@", "mv": "@"}
SHAPE_ONLY = frozenset(
    {
        "t",
        "transpose",
        "view",
        "reshape",
        "expand",
        "unsqueeze",
        "squeeze",
        "permute",
        "clone",
        "to_copy",
        "alias",
        "_unsafe_view",
        "unsafe_view",
    }
)
"""Operations that only look at the same numbers in another shape: drawn as a small pill."""
SHORT = {
    "t": "ᵀ",
    "addmm": "linear",
    "linear": "linear",
    "mse_loss": "mse",
    "log_softmax": "log softmax",
    "nll_loss": "nll",
    "binary_cross_entropy_with_logits": "bce logits",
    "neg": "−( )",
    "exp": "exp",
    "sum": "Σ sum",
    "mean": "mean",
    "threshold": "relu",
    "cross_entropy_loss": "cross entropy",
}
WIDTHS = dict.fromkeys("ijl.,:;·'|!", 3.4) | dict.fromkeys('frt ()[]-"/', 4.4) | dict.fromkeys("mwMW", 10.2)
"""Of letters that are narrower or wider than most, in pixels."""
LEAST_OF_A_NAME = 3
"""Letters by which two names are told apart."""
NARROW = 8
"""Letters that a line of a name has room for in the table of parameters."""


def is_small(node: GraphNode) -> bool:
    """Whether the operation gets a pill instead of a chip."""
    return node.kind != "leaf" and not node.role and node.operation.strip("_") in SHAPE_ONLY


def label(node: GraphNode) -> str:
    """ "w * x", "+ b", "loss = ( )²", "relu": with the name of the variable in front when there is one."""
    if node.kind == "leaf" or node.role:
        return node.name or "tensor"
    text = _expression(node)
    return f"{node.name} = {text}" if node.name else text


def _expression(node: GraphNode) -> str:
    operation = node.operation.rstrip("_")
    operands = [_operand(text) for text in node.operands]
    if operation == "mul" and node.calls and node.calls[-1].type.startswith("Dropout"):
        return "dropout"
    if operation in INFIX and len(operands) == 2:
        left, right = operands
        sign = INFIX[operation]
        if not left and not right:
            return f"( ) {sign} ( )"
        return f"{left} {sign} {right}" if left and right else f"{sign} {right}" if right else f"{left} {sign} ( )"
    if operation == "pow" and operands:
        base = operands[0] or "( )"
        power = operands[1] if len(operands) > 1 else ""
        simple = bool(power) and all(c in "0123456789-." for c in power)
        return f"{base}{_number(power).translate(SUPERSCRIPTS)}" if simple else f"{base} ** {power or '( )'}"
    if operation == "rsub" and len(operands) == 2:
        return f"{operands[1] or '( )'} − {operands[0] or '( )'}"
    return SHORT.get(operation, operation.replace("_", " ").strip() or "operation")


def _operand(text: str) -> str:
    return _number(text) if text and text[0] in "-0123456789." else text


def _number(text: str) -> str:
    """2.0 -> 2: a whole number needs no decimals on a label."""
    return text.removesuffix(".0")


def title(node: GraphNode, longest: int) -> str:
    """The label in the room there is: whole, else the variable's name alone (the last parts of a dotted one)."""
    text = label(node)
    if len(text) <= longest:
        return text
    if node.name:
        return tail(node.name, longest)
    if node.operation.rstrip("_") in INFIX:  # rather without its spaces than without its sign
        text = text.replace(" ", "")
    return cut(text, longest)


def tail(name: str, longest: int) -> str:
    """A long dotted name without its first letters: `…layers.0.weight` still says which parameter it is. Where that
    would leave the last part alone, with the beginning of the one before it: `discri….weight`."""
    if len(name) <= longest:
        return name
    end = name[-(longest - 1) :]
    whole_parts = end if name[-longest] == "." else end.partition(".")[2]
    before, dot, last = name.rpartition(".")
    room = longest - len(last) - 2
    if dot and whole_parts == last and not last.isdigit() and room >= LEAST_OF_A_NAME:
        return f"{before.rpartition('.')[2][:room]}….{last}"
    return "…" + (whole_parts if len(whole_parts) >= 3 else end)


def two_lines(name: str) -> tuple[str, str]:
    """A parameter's name for a narrow column: the module with its dot ("": the name is short), and the rest, which may
    be broken once more."""
    if len(name) <= NARROW:
        return "", name
    holder, bracket, place = name.partition("[")
    if bracket and "." not in name:
        return tail(holder, NARROW), bracket + place
    module, dot, own = name.rpartition(".")
    return (tail(module, NARROW) if "." in module else module) + dot, tail(own, 2 * NARROW)


def width(text: str) -> float:
    """About how many pixels a text has in the quiet words of a box (11 pixels high)."""
    return sum(WIDTHS.get(letter, 7.8 if letter.isupper() else 6.7) for letter in text)


def cut_to(text: str, room: float) -> str:
    """Shortened in the middle to that many pixels."""
    longest = len(text)
    while longest > 3 and width(cut(text, longest)) > room:
        longest -= 1
    return cut(text, longest)


def cut(text: str, longest: int = LONGEST) -> str:
    """Shortened in the middle."""
    if len(text) <= longest:
        return text
    tail = (longest - 1) // 2
    return text[: longest - 1 - tail] + "…" + text[-tail:]
