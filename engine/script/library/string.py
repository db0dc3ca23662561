# type: ignore
"""string: what is not in surface/outside.py."""

import re

_PLACES = re.compile(r"\$(?:(\$)|([_a-z][_a-z0-9]*)|\{([_a-z][_a-z0-9]*)\}|())", re.IGNORECASE)


class Template:
    """Text with $names and ${names}."""

    def __init__(self, template):
        self.template = template

    def _filled(self, known, given, strict):
        values = dict(known)
        values.update(given)

        def value(match):
            name = match.group(2) or match.group(3)
            if match.group(1):
                return "$"
            if name is None and strict:
                line = self.template[: match.start()].count("\n") + 1
                column = match.start() - self.template.rfind("\n", 0, match.start())
                raise ValueError(f"Invalid placeholder in string: line {line}, col {column}")
            if name is None or (name not in values and not strict):
                return match.group()
            return str(values[name])

        return _PLACES.sub(value, self.template)

    def substitute(self, mapping=(), /, **given):
        return self._filled(mapping, given, True)

    def safe_substitute(self, mapping=(), /, **given):
        return self._filled(mapping, given, False)


def capwords(s, sep=None):
    return (sep or " ").join([word.capitalize() for word in s.split(sep)])


class Formatter:
    """What str.format() does, in parts that a class over this one may change."""

    def format(self, format_string, /, *args, **kwargs):
        return self.vformat(format_string, args, kwargs)

    def vformat(self, format_string, args, kwargs):
        return self._formatted(format_string, args, kwargs, 2, 0)[0]

    def _formatted(self, text, args, kwargs, depth, auto):
        if depth < 0:
            raise ValueError("Max string recursion exceeded")
        parts = []
        for literal, name, spec, conversion in self.parse(text):
            parts.append(literal)
            if name is None:
                continue
            if name == "" or name[0] in ".[":
                if auto is False:
                    raise ValueError("cannot switch from manual field specification to automatic field numbering")
                name, auto = f"{auto}{name}", auto + 1
            elif name[0].isdigit():
                if auto:
                    raise ValueError("cannot switch from manual field specification to automatic field numbering")
                auto = False
            value, _ = self.get_field(name, args, kwargs)
            spec, auto = self._formatted(spec, args, kwargs, depth - 1, auto)
            parts.append(self.format_field(self.convert_field(value, conversion), spec))
        return "".join(parts), auto

    def parse(self, format_string):
        return _parse(format_string)

    def get_field(self, field_name, args, kwargs):
        first = re.match(r"[^.\[]*", field_name).group()
        value = self.get_value(int(first) if first.isdigit() else first, args, kwargs)
        for name, key in re.findall(r"\.([^.\[]+)|\[([^\]]+)\]", field_name[len(first) :]):
            if name:
                value = getattr(value, name)
            else:
                value = value[int(key) if key.isdigit() else key]
        return value, first

    def get_value(self, key, args, kwargs):
        return args[key] if isinstance(key, int) else kwargs[key]

    def check_unused_args(self, used_args, args, kwargs):
        return None

    def format_field(self, value, format_spec):
        return format(value, format_spec)

    def convert_field(self, value, conversion):
        if conversion is None:
            return value
        if conversion not in ("r", "s", "a"):
            raise ValueError(f"Unknown conversion specifier {conversion}")
        return {"r": repr, "s": str, "a": ascii}[conversion](value)


def _parse(text):
    """(text, field, format, conversion) of each part of a format, with its braces in pairs."""
    found, literal, i = [], "", 0
    while i < len(text):
        if text[i] in "{}" and text[i : i + 2] == text[i] * 2:
            literal, i = literal + text[i], i + 2
        elif text[i] == "}":
            raise ValueError("Single '}' encountered in format string")
        elif text[i] == "{":
            depth, end = 1, i + 1
            while end < len(text) and depth:
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
            if depth:
                raise ValueError("expected '}' before end of string")
            field, _, spec = text[i + 1 : end - 1].partition(":")
            name, mark, conversion = field.partition("!")
            found.append((literal, name, spec, conversion if mark else None))
            literal, i = "", end
        else:
            literal, i = literal + text[i], i + 1
    return [*found, (literal, None, None, None)] if literal else found
