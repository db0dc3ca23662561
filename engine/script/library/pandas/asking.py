# type: ignore
"""pandas.asking: the conditions of DataFrame.query()."""

import re

_TOKEN = re.compile(
    r"\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?)|('[^']*'|\"[^\"]*\")|(`[^`]*`|[A-Za-z_]\w*)|(<=|>=|==|!=|\*\*|[-+*/%<>()&|~,\[\]]))"
)
_TESTS = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


class Condition:
    """One condition, read from left to right: or, and, not, comparisons, sums, products."""

    def __init__(self, table, text):
        self._table, self._tokens, place = table, [], 0
        text = text.strip()
        while place < len(text):
            found = _TOKEN.match(text, place)
            if found is None:
                raise ValueError(
                    f"query() reads names, numbers, texts, comparisons, and, or, not here: {text[place:]!r}"
                )
            self._tokens.append(found.group(0).strip())
            place = found.end()

    def mask(self):
        found = self._either()
        if self._tokens:
            raise SyntaxError(f"invalid syntax: {self._tokens[0]!r}")
        return found

    def _next(self, *wanted):
        """The next token, taken, if it is one of these."""
        return self._tokens.pop(0) if self._tokens and self._tokens[0] in wanted else None

    def _either(self):
        found = self._both()
        while self._next("or", "|"):
            found = found | self._both()
        return found

    def _both(self):
        found = self._denied()
        while self._next("and", "&"):
            found = found & self._denied()
        return found

    def _denied(self):
        return ~self._denied() if self._next("not", "~") else self._compared()

    def _compared(self):
        left, found = self._sum(), None
        while self._tokens and (self._tokens[0] in _TESTS or self._tokens[0] in ("in", "not")):
            word = self._tokens.pop(0)
            if word == "not":
                self._next("in")
            right = self._sum()
            if word in ("in", "not"):
                test = left.isin(right) if word == "in" else ~left.isin(right)
            else:
                test = _TESTS[word](left, right)
            found = test if found is None else found & test
            left = right
        return left if found is None else found

    def _sum(self):
        found = self._product()
        while word := self._next("+", "-"):
            other = self._product()
            found = found + other if word == "+" else found - other
        return found

    def _product(self):
        found = self._one()
        while word := self._next("*", "/", "%"):
            other = self._one()
            found = found * other if word == "*" else found / other if word == "/" else found % other
        return found

    def _one(self):
        if not self._tokens:
            raise SyntaxError("invalid syntax: the condition breaks off")
        word = self._tokens.pop(0)
        if word == "-":
            return -self._one()
        if word == "(":
            found = self._either()
            self._next(")")
            return found
        if word == "[":
            found = [self._one()]
            while self._next(","):
                found.append(self._one())
            self._next("]")
            return found
        if word[0] in "'\"":
            return word[1:-1]
        if word[0].isdigit():
            return float(word) if "." in word or "e" in word.lower() else int(word)
        if word in ("True", "False"):
            return word == "True"
        name = word.strip("`")
        if name == "index":
            return self._table[self._table.columns[0]]._like(list(self._table.index))
        if name not in self._table:
            raise NameError(f"name '{name}' is not defined")
        return self._table[name]
