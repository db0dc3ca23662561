# type: ignore
"""einops.parsed: the two sides of a pattern, read."""

DOTS = "…"


class EinopsError(RuntimeError):
    """What is wrong with a pattern, or with a tensor under it."""


class Number:
    """An axis that is written as its length."""

    def __init__(self, text):
        self.value = int(text)
        if self.value < 1:
            raise EinopsError(f"Anonymous axis should have positive length, not {self.value}")

    def __repr__(self):
        return f"{self.value}-axis"


class Side:
    """One side of a pattern: `axes` has a list of names for each axis of the tensor, DOTS for the ellipsis."""

    def __init__(self, text, underscore=False, twice=False):
        self.axes, self.names, self.dots, self.dots_inside, self.numbers = [], [], False, False, False
        self._underscore, self._twice = underscore, twice
        if "." in text:
            if "..." not in text:
                raise EinopsError("Expression may contain dots only inside ellipsis (...)")
            if text.count("...") != 1 or text.count(".") != 3:
                raise EinopsError(
                    "Expression may contain dots only inside ellipsis (...); only one ellipsis for tensor "
                )
            text = text.replace("...", DOTS)
            self.dots = True
        group, word = None, ""
        for sign in text + " ":
            if sign in "() ":
                if word:
                    self._add(word, group)
                word = ""
                if sign == "(":
                    if group is not None:
                        raise EinopsError("Axis composition is one-level (brackets inside brackets not allowed)")
                    group = []
                elif sign == ")":
                    if group is None:
                        raise EinopsError("Brackets are not balanced")
                    self.axes.append(group)
                    group = None
            elif sign.isalnum() or sign in ("_", DOTS):
                word += sign
            else:
                raise EinopsError(f"Unknown character '{sign}'")
        if group is not None:
            raise EinopsError(f'Imbalanced parentheses in expression: "{text}"')

    def _add(self, word, group):
        if word in self.names and not (self._twice and word != DOTS):
            raise EinopsError(f'Indexing expression contains duplicate dimension "{word}"')
        if word == DOTS:
            self.names.append(DOTS)
            self.dots_inside = group is not None
            (self.axes if group is None else group).append(DOTS)
            return
        if word.isdecimal():
            if int(word) == 1:
                if group is None:
                    self.axes.append([])
                return
            axis = Number(word)
            self.numbers = True
        else:
            check_name(word, self._underscore)
            axis = word
        if axis not in self.names:
            self.names.append(axis)
        if group is None:
            self.axes.append([axis])
        else:
            group.append(axis)

    def flat(self):
        """The names in their order, DOTS among them."""
        return [each for axis in self.axes for each in ([axis] if axis == DOTS else axis)]


def wrong_name(word, underscore=False):
    """What is wrong with the name of an axis; nothing where it is right."""
    if not word.isidentifier():
        return "not a valid python identifier"
    if (word[0] == "_" or word[-1] == "_") and not (word == "_" and underscore):
        return "axis name should should not start or end with underscore"
    return ""


def check_name(word, underscore=False):
    wrong = wrong_name(word, underscore)
    if wrong:
        raise EinopsError(f"Invalid axis identifier: {word}\n{wrong}")


def named(names):
    """Names as a set of them is printed."""
    return f"{{{', '.join([repr(each) for each in names])}}}"
