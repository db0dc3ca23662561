# type: ignore
"""pprint: values in lines of at most `width` characters, dictionaries in the order of their keys."""

from collections import OrderedDict


def _sorted(keys):
    try:
        return sorted(keys)
    except TypeError:
        return sorted(keys, key=lambda key: (str(type(key)), id(key)))


SPREAD = (dict, list, tuple, set, str, OrderedDict)


class PrettyPrinter:
    def __init__(
        self, indent=1, width=80, depth=None, stream=None, *, compact=False, sort_dicts=True, underscore_numbers=False
    ):
        self.indent, self.width, self.depth, self.compact, self.sort_dicts = indent, width, depth, compact, sort_dicts

    def pformat(self, value):
        return self._written(value, 0, 0, 1)

    def pprint(self, value):
        print(self.pformat(value))

    def _short(self, value, level):
        kind = type(value)
        if kind in (dict, list, tuple) and value and self.depth is not None and level > self.depth:
            return {dict: "{...}", list: "[...]", tuple: "(...)"}[kind]
        if kind is dict:
            keys = _sorted(value) if self.sort_dicts else list(value)
            return (
                "{" + ", ".join(f"{self._short(k, level + 1)}: {self._short(value[k], level + 1)}" for k in keys) + "}"
            )
        if kind is list:
            return "[" + ", ".join(self._short(each, level + 1) for each in value) + "]"
        if kind is tuple:
            end = ",)" if len(value) == 1 else ")"
            return "(" + ", ".join(self._short(each, level + 1) for each in value) + end
        return repr(value)

    def _written(self, value, column, after, level):
        """`value` as text that begins in `column` and is followed by `after` characters."""
        short = self._short(value, level)
        kind = type(value)
        if len(short) <= self.width - column - after or kind not in SPREAD or not value:
            return short
        if kind is OrderedDict:
            opening = f"{kind.__name__}("
            return opening + self._written(list(value.items()), column + len(opening), after + 1, level) + ")"
        if kind is str:
            return self._text(value, column, after, level)
        if self.depth is not None and level > self.depth:
            return short
        inner = column + self.indent
        gap = " " * (self.indent - 1)
        if kind is dict:
            keys = _sorted(value) if self.sort_dicts else list(value)
            parts = []
            for number, key in enumerate(keys):
                name = self._short(key, level + 1)
                end = after + 1 if number == len(keys) - 1 else 1
                parts.append(f"{name}: " + self._written(value[key], inner + len(name) + 2, end, level + 1))
            return "{" + gap + (",\n" + " " * inner).join(parts) + "}"
        items = _sorted(value) if kind is set else list(value)
        opening, closing = {list: "[]", tuple: "()", set: "{}"}[kind]
        if kind is tuple and len(items) == 1:
            closing = ",)"
        parts = []
        for number, item in enumerate(items):
            end = after + len(closing) if number == len(items) - 1 else 1
            parts.append(self._written(item, inner, end, level + 1))
        if self.compact:
            return opening + gap + self._filled(parts, inner, after + len(closing)) + closing
        return opening + gap + (",\n" + " " * inner).join(parts) + closing

    def _filled(self, parts, inner, after):
        text, used = "", inner
        for number, part in enumerate(parts):
            last = number == len(parts) - 1
            room = self.width - (after if last else 1)
            if number and used + 2 + len(part) <= room and "\n" not in part:
                text += ", " + part
                used += 2 + len(part)
            else:
                text += (",\n" + " " * inner if number else "") + part
                used = inner + len(part)
        return text

    def _text(self, value, column, after, level):
        lines = value.splitlines(True)
        if level == 1:
            column, after = column + 1, after + 1
        pieces = []
        for number, line in enumerate(lines):
            limit = self.width - column - (after if number == len(lines) - 1 else 0)
            if len(repr(line)) <= limit:
                pieces.append(repr(line))
                continue
            words, held = _words(line), ""
            for i, word in enumerate(words):
                room = self.width - column
                if i == len(words) - 1 and number == len(lines) - 1:
                    room -= after
                if len(repr(held + word)) > room:
                    if held:
                        pieces.append(repr(held))
                    held = word
                else:
                    held += word
            if held:
                pieces.append(repr(held))
        if len(pieces) == 1:
            return pieces[0]
        text = ("\n" + " " * column).join(pieces)
        return f"({text})" if level == 1 else text


def _words(line):
    """Runs of characters, each with the white space after it."""
    found, held, blank = [], "", False
    for letter in line:
        if blank and not letter.isspace():
            found.append(held)
            held, blank = "", False
        held += letter
        blank = letter.isspace()
    return [*found, held] if held else found


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False):
    printer = PrettyPrinter(indent, width, depth, compact=compact, sort_dicts=sort_dicts)
    return printer.pformat(object)


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, **_):
    print(pformat(object, indent, width, depth, compact=compact, sort_dicts=sort_dicts))


def pp(object, *args, sort_dicts=False, **kwargs):
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)
