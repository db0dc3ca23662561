# type: ignore
"""Values written as YAML, for yaml.py."""

import datetime
import re

from yaml._errors import YAMLError
from yaml._scalars import resolved


class RepresenterError(YAMLError):
    pass


_SHORT = {"\0": "0", "\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", "\x1b": "e"}


def _number(value):
    if isinstance(value, int):
        return str(value)
    if value != value:
        return ".nan"
    if value in (float("inf"), float("-inf")):
        return ".inf" if value > 0 else "-.inf"
    said = repr(value).lower()
    return said.replace("e", ".0e", 1) if "." not in said and "e" in said else said


def _plain(text, flow):
    """Whether a text may stand without quotes."""
    if not text or text != text.strip() or "\n" in text or not isinstance(resolved(text), str) or text in ("=", "<<"):
        return False
    if text[0] in "-?:" and text[1:2] in ("", " "):
        return False
    if text[0] in ",[]{}#&*!|>'\"%@`" or ": " in text or text.endswith(":") or " #" in text:
        return False
    if text.startswith(("---", "...")):
        return False
    return not (flow and re.search(r"[,?\[\]{}:]", text))


def _wrapped(text, column, indent, width, between):
    """A text broken at single spaces where a line grows too long."""
    out, line = "", ""
    for i, word in enumerate(text.split(" ")):
        gap = " " if i else ""
        before = text.split(" ")[i - 1] if i else ""
        if i and line and before and word and column + len(line) > width:
            out += line + between + " " * indent
            line, column, gap = "", indent, ""
        line += gap + word
    return out + line


def _double(text, unicode):
    out = ""
    for sign in text:
        if sign in '"\\':
            out += "\\" + sign
        elif " " <= sign <= "~" or (unicode and sign >= "\xa0"):
            out += sign
        elif sign in _SHORT:
            out += "\\" + _SHORT[sign]
        else:
            code = ord(sign)
            out += f"\\x{code:02X}" if code < 256 else f"\\u{code:04X}" if code < 65536 else f"\\U{code:08X}"
    return f'"{out}"'


class _Writer:
    def __init__(self, flow, step, width, unicode, sort, safe):
        self.safe, self.flow, self.step, self.width, self.unicode, self.sort = safe, flow, step, width, unicode, sort
        self.anchors, self.counts, self.said = {}, {}, set()

    def count(self, value):
        """Find what is held more than once."""
        if isinstance(value, (dict, list)) and value:
            self.counts[id(value)] = self.counts.get(id(value), 0) + 1
            if self.counts[id(value)] == 2:
                self.anchors[id(value)] = f"id{len(self.anchors) + 1:03d}"
            if self.counts[id(value)] == 1:
                for each in value.values() if isinstance(value, dict) else value:
                    self.count(each)

    def items(self, value):
        found = [*value.items()]
        if self.sort:
            try:
                return sorted(found)
            except TypeError:
                try:
                    return sorted(found, key=lambda item: item[0])
                except TypeError:
                    pass
        return found

    def scalar(self, value, column=0, indent=0, flow=False):
        if value is None:
            return "null"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, (int, float)):
            return _number(value)
        if isinstance(value, (datetime.date, datetime.datetime)):
            return value.isoformat(" ") if isinstance(value, datetime.datetime) else value.isoformat()
        if not isinstance(value, str):
            raise RepresenterError("cannot represent an object", value)
        foreign = any(not (" " <= sign <= "~" or sign == "\n" or (self.unicode and sign >= "\xa0")) for sign in value)
        if foreign or re.search(r" \n", value):
            return _double(value, self.unicode)
        if _plain(value, flow) and not hasattr(value, "quoted"):
            return _wrapped(value, column, indent, self.width, "\n")
        text = value.replace("'", "''")
        lines = [_wrapped(line, column + 1, indent, self.width, "\n") for line in text.split("\n")]
        body = lines[0]
        for i, line in enumerate(lines[1:], 1):  # one line end is told as two
            first = lines[i - 1] != "" or i == 1
            body += ("\n\n" if first else "\n") + (" " * indent if line else "")
            body += line
        return f"'{body}'"

    def in_flow(self, value):
        if isinstance(value, dict):
            parts = [f"{self.scalar(key, flow=True)}: {self.in_flow(each)}" for key, each in self.items(value)]
            return f"{{{', '.join(parts)}}}"
        if isinstance(value, (list, tuple)):
            return f"[{', '.join([self.in_flow(each) for each in value])}]"
        return self.scalar(value, flow=True)

    def flows(self, value):
        """Whether a container stands in brackets."""
        if not value or self.flow:
            return True
        inside = value.values() if isinstance(value, dict) else value
        return self.flow is None and not any(isinstance(each, (dict, list, tuple)) for each in inside)

    def mark(self, value):
        """The anchor of a value that stands for the first time, or what stands for it later; the tag of a tuple."""
        name = self.anchors.get(id(value))
        if isinstance(value, tuple) and not self.safe:
            return "!!python/tuple", False
        if name is None:
            return "", False
        if name in self.said:
            return f"*{name}", True
        self.said.add(name)
        return f"&{name}", False

    def lines(self, value, column):
        """The lines of a value in block style; `column` is where they begin."""
        if isinstance(value, dict) and not self.flows(value):
            found = []
            for key, each in self.items(value):
                name = self.scalar(key)
                found += self.entry(f"{name}:", each, column)
            return found
        if isinstance(value, (list, tuple)) and not self.flows(value):
            found = []
            for each in value:
                found += self.element(each, column)
            return found
        if isinstance(value, (dict, list, tuple)):
            return [self.in_flow(value)]
        return self.scalar(value, column, column).split("\n")

    def entry(self, head, value, column):
        mark, again = self.mark(value)
        if again:
            return [f"{head} {mark}"]
        head = f"{head} {mark}" if mark else head
        if isinstance(value, dict) and not self.flows(value):
            return [head, *[" " * self.step + line if line else line for line in self.lines(value, column + self.step)]]
        if isinstance(value, (list, tuple)) and not self.flows(value):
            return [head, *self.lines(value, column)]
        if isinstance(value, (dict, list, tuple)):
            return [f"{head} {self.in_flow(value)}"]
        said = self.scalar(value, column + len(head) + 1, self.step).split("\n")
        return [f"{head} {said[0]}", *said[1:]]

    def element(self, value, column):
        mark, again = self.mark(value)
        if again:
            return [f"- {mark}"]
        block = isinstance(value, (dict, list, tuple)) and not self.flows(value)
        if not block:
            held = isinstance(value, (dict, list, tuple))
            said = self.in_flow(value) if held else self.scalar(value, column + 2, self.step)
            first, *rest = (f"{mark} {said}" if mark else said).split("\n")
            return [f"- {first}", *rest]
        inner = self.lines(value, column + self.step)
        if mark:
            return [f"- {mark}", *[" " * self.step + line for line in inner]]
        dash = "-" + " " * (self.step - 1)
        return [dash + inner[0], *[" " * self.step + line if line else line for line in inner[1:]]]


def written(value, flow, step, width, unicode, sort, safe):
    """The document; a tuple is a list where only what safe_load() reads is wanted."""
    writer = _Writer(flow, step, width, unicode, sort, safe)
    writer.count(value)
    lines = writer.lines(value, 0)
    if isinstance(value, tuple) and not safe:
        lines = ["!!python/tuple", *lines] if value else ["!!python/tuple []"]
    text = "\n".join(lines) + "\n"
    plain = not isinstance(value, (dict, list, tuple)) and text[0] not in "'\""
    return text + ("...\n" if plain else "")
