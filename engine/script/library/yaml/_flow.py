# type: ignore
"""Brackets, braces and quotes, which are read sign by sign."""

import re

from yaml._errors import ParserError, ScannerError
from yaml._scalars import resolved

_ESCAPES = dict(zip('0abtnvfre"\\/ N_', '\0\a\b\t\n\v\f\r\x1b"\\/ \x85\xa0'))


class Flow:
    """Brackets, braces and quotes, over several lines."""

    def __init__(self, reader, text, line):
        self.reader, self.text, self.line, self.place = reader, text, line, 0

    def fail(self, problem, kind=ParserError):
        raise kind(problem, self.line + self.text[: self.place].count("\n"))

    def space(self):
        while self.place < len(self.text):
            sign = self.text[self.place]
            if sign == "#" and (not self.place or self.text[self.place - 1] in " \t\n"):
                end = self.text.find("\n", self.place)
                self.place = len(self.text) if end < 0 else end
            elif sign in " \t\n":
                self.place += 1
            else:
                return

    def sign(self):
        self.space()
        if self.place >= len(self.text):
            self.fail("expected ',' or a closing bracket, but got '<stream end>'")
        return self.text[self.place]

    def value(self):
        first = self.sign()
        if first == "[":
            return self.sequence()
        if first == "{":
            return self.mapping()
        if first in "'\"":
            return self.quoted()
        if first in "&*!":
            found = re.compile(r"[^\s,\[\]{}]*").match(self.text, self.place).group()
            self.place += len(found)
            if first == "*":
                return self.reader.alias(found[1:])
            value = self.value()
            if first == "!":
                return self.reader.tagged(found, value)
            self.reader.anchors[found[1:]] = value
            return value
        return resolved(self.plain())

    def plain(self):
        begin = self.place
        while self.place < len(self.text):
            sign, after = self.text[self.place], self.text[self.place + 1 : self.place + 2]
            if sign in ",[]{}" or (sign == ":" and after in ("", " ", "\t", "\n", ",", "[", "]", "{", "}")):
                break
            if sign == "#" and self.place > begin and self.text[self.place - 1] in " \t\n":
                break
            self.place += 1
        return " ".join(self.text[begin : self.place].split())

    def sequence(self):
        self.place += 1
        found = []
        while self.sign() != "]":
            value = self.value()
            if self.sign() == ":":
                self.place += 1
                value = {value: None if self.sign() in ",]" else self.value()}
            found.append(value)
            self.comma("]")
        self.place += 1
        return found

    def comma(self, closing):
        sign = self.sign()
        if sign == ",":
            self.place += 1
        elif sign != closing:
            self.fail(f"expected ',' or '{closing}', but got {sign!r}")

    def mapping(self):
        self.place += 1
        found = {}
        while self.sign() != "}":
            key, value = self.value(), None
            if self.sign() == ":":
                self.place += 1
                value = None if self.sign() in ",}" else self.value()
            found[key] = value
            self.comma("}")
        self.place += 1
        return found

    def quoted(self):
        quote = self.text[self.place]
        self.place += 1
        out = []
        while True:
            if self.place >= len(self.text):
                self.fail("found unexpected end of stream", ScannerError)
            sign = self.text[self.place]
            self.place += 1
            if sign == quote:
                if quote == "'" and self.text[self.place : self.place + 1] == "'":
                    out.append("'")
                    self.place += 1
                    continue
                return "".join(out)
            if sign == "\\" and quote == '"':
                out.append(self.escaped())
            elif sign == "\n":
                while out and out[-1] in (" ", "\t"):
                    out.pop()
                rest = self.text[self.place :]
                gap = len(rest) - len(rest.lstrip(" \t\n"))
                out.append("\n" * rest[:gap].count("\n") or " ")
                self.place += gap
            else:
                out.append(sign)

    def escaped(self):
        sign = self.text[self.place : self.place + 1]
        self.place += 1
        if sign in _ESCAPES:
            return _ESCAPES[sign]
        if sign == "\n":
            rest = self.text[self.place :]
            self.place += len(rest) - len(rest.lstrip(" \t"))
            return ""
        length = {"x": 2, "u": 4, "U": 8}.get(sign)
        if length is None:
            self.fail(f"found unknown escape character {sign!r}", ScannerError)
        found = chr(int(self.text[self.place : self.place + length], 16))
        self.place += length
        return found
