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
