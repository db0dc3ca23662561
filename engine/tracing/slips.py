"""What to change after the errors that are Python's own: calls that do not fit, texts in place of numbers."""

from __future__ import annotations

import re

_RULES = tuple(
    (re.compile(pattern), advice)
    for pattern, advice in (
        (
            r"(\w+)\(\) missing 1 required positional arguments: \"dim\"",
            "Say along which dimension: {0}(dim=-1) goes along the last one, which mostly holds the classes.",
        ),
        (
            r"missing \d+ required positional arguments?: '?\"?self\b",
            "It was called on the class: make an object of it first, with parentheses.",
        ),
        (
            r"missing \d+ required (?:positional|keyword-only) arguments?: (['\"][\w'\", ]+(?: and '\w+')?)",
            "The call gives nothing for {0}.",
        ),
        (
            r"(\w+)(?:\.__init__)?\(\) got an unexpected keyword argument '(\w+)'",
            "{0} has no {1}: look for a slip in the name, or for another one that has it.",
        ),
        (
            r"takes .*?\d+(?: positional)? arguments? but \d+ (?:was|were) given",
            "Count the arguments; a method's first, self, counts too.",
        ),
        (
            r"takes exactly one argument \(\d+ given\)",
            "It takes one: put several into a tuple, or call it once for each.",
        ),
        (r"^(?:list|tuple) index out of range", "Indices go from 0 to one less than len(...)."),
        (r"^pop from empty list", "It is empty by now: ask `if items:` before."),
        (
            r"can only concatenate str \(|must be str, not",
            'A text is joined to texts alone: write an f-string, f"{{...}}", or make the text a number, int(...).',
        ),
        (
            r"^'.+' not supported between instances of '(\w+)' and '(\w+)'",
            "A {0} and a {1} cannot be compared; a number in quotes is a text (str).",
        ),
        (r"^invalid literal for int\(\)|^could not convert string to float", "That text is no number."),
        (
            r"^(?:integer |float )?division (?:or modulo )?by zero|^float modulo",
            "The divisor is 0 here: what was it to count?",
        ),
        (
            r"^object of type '(\w+)' has no len\(\)",
            "Its length is asked for, and a {0} has none: a Dataset needs a __len__.",
        ),
        (
            r"^EOF when reading a line",
            "Nobody can be asked while a script runs here: write the answer in place of input().",
        ),
    )
)


def advice_on_python(message: str) -> str:
    """One sentence for an error of Python's own; empty where nothing better than the message is known."""
    for pattern, advice in _RULES:
        if (found := pattern.search(message)) is not None:
            return advice.format(*found.groups())
    return ""
