# type: ignore
"""Documents read line by line: blocks are told by indentation."""

import re

from yaml._errors import ComposerError, ConstructorError, ParserError, ScannerError
from yaml._flow import Flow
from yaml._scalars import resolved


def documents(text):
    """The values of a stream, one for each document."""
    parts, current, begun = [], [], False
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip("\r")
        if line.startswith("%") and not current:
            continue
        if line == "..." or line == "---" or line.startswith("--- "):
            if begun or any(_content(each) for _, each in current):
                parts.append(current)
            current, begun = [], line != "..."
            if line.startswith("--- "):
                current.append((number, " " * 4 + line[4:]))
            continue
        current.append((number, line))
    if begun or any(_content(each) for _, each in current):
        parts.append(current)
    return [_Reader(part).document() for part in parts]


def _content(line):
    line = line.strip()
    return bool(line) and not line.startswith("#")


def _without_comment(text):
    """A plain text up to its comment."""
    if text.startswith("#"):
        return ""
    at = re.search(r"[ \t]#", text)
    return (text[: at.start()] if at else text).rstrip()


def _key_end(text):
    """Where the colon after a key stands, None where `text` begins with no key."""
    if text[:1] in ("'", '"'):
        quote, at = text[0], 1
        while at < len(text):
            if text[at] == "\\" and quote == '"':
                at += 1
            elif text[at] == quote:
                if quote == "'" and text[at + 1 : at + 2] == "'":
                    at += 1
                else:
                    break
            at += 1
        rest = text[at + 1 :].lstrip()
        if not rest.startswith(":") or rest[1:2] not in ("", " ", "\t"):
            return None
        return text.index(":", at + 1)
    if text[:1] in ("[", "{", "#", "|", ">", "@", "`", "%"):
        return None
    found = re.search(r":(?=[ \t]|$)", text)
    comment = re.search(r"(^|[ \t])#", text)
    if not found or (comment and comment.start() < found.start()):
        return None
    return found.start()


class _Reader:
    def __init__(self, lines):
        self.numbers = [number for number, _ in lines]
        self.lines = [line for _, line in lines]
        self.row, self.anchors = 0, {}

    def document(self):
        found = self.block(0)
        if self.next() is not None:
            raise ParserError("expected <document start>, but found another value", self.at())
        return found

    def at(self):
        return self.numbers[min(self.row, len(self.numbers) - 1)]

    def next(self):
        """The indentation of the next line that says something, None at the end."""
        while self.row < len(self.lines):
            line = self.lines[self.row]
            if _content(line):
                indent = len(line) - len(line.lstrip(" "))
                if line[indent] == "\t":
                    raise ScannerError("found character '\\t' that cannot start any token", self.at())
                return indent
            self.row += 1
        return None

    def block(self, least):
        """The value that begins in the next line, if that is indented so far."""
        indent = self.next()
        if indent is None or indent < least:
            return None
        text = self.lines[self.row][indent:]
        if text == "-" or text.startswith("- "):
            return self.sequence(indent)
        marked = re.match(r"([&!][^\s,\[\]{}]*)[ \t]+", text)
        if _key_end(text[marked.end() :] if marked else text) is not None and not (marked and _key_end(text) is None):
            return self.mapping(indent)
        return self.inline(indent, least - 1)

    def sequence(self, indent):
        found = []
        while self.next() == indent:
            line = self.lines[self.row]
            if not (line[indent:] == "-" or line[indent:].startswith("- ")):
                break
            rest = line[indent + 1 :]
            if _content(rest):
                self.lines[self.row] = " " * (indent + 1) + rest
            else:
                self.row += 1
            found.append(self.block(indent + 1))
        self.ended(indent)
        return found

    def ended(self, indent):
        following = self.next()
        if following is not None and following > indent:
            raise ParserError("expected <block end>, but found another value", self.at())

    def mapping(self, indent):
        found, merged = {}, {}
        while self.next() == indent:
            text = self.lines[self.row][indent:]
            if text == "-" or text.startswith("- "):
                raise ParserError("expected <block end>, but found '-'", self.at())
            end = _key_end(text)
            if end is None:
                raise ScannerError("could not find expected ':'", self.at())
            key = self.key(text[:end].strip())
            rest = text[end + 1 :]
            value = self.value(rest, indent, indent + end + 1)
            if key == "<<":
                for each in value if isinstance(value, list) else [value]:
                    if not isinstance(each, dict):
                        raise ConstructorError("expected a mapping for merging", self.at())
                    merged = {**each, **merged}
            else:
                found[key] = value
        self.ended(indent)
        return {**merged, **found}

    def key(self, text):
        if text[:1] in ("'", '"'):
            return Flow(self, text, self.at()).quoted()
        if text.startswith("*"):
            return self.alias(text[1:])
        if text.startswith("? "):
            raise NotImplementedError("yaml reads no keys that begin with ? here")
        return resolved(text)

    def value(self, rest, indent, column):
        """What follows a key."""
        if _content(rest):
            self.lines[self.row] = " " * column + rest
            return self.inline(column + len(rest) - len(rest.lstrip()), indent)
        self.row += 1
        return self.below(indent)

    def below(self, indent):
        following = self.next()
        if following is not None and following == indent:
            text = self.lines[self.row][indent:]
            return self.sequence(indent) if text == "-" or text.startswith("- ") else None
        return self.block(indent + 1)

    def inline(self, column, indent):
        """A value that begins at `column` of this line and belongs to a block indented by `indent`."""
        text = self.lines[self.row][column:]
        first = text[0]
        if first in "|>" and re.match(r"[|>][-+0-9]*\s*(#.*)?$", text):
            return self.literal(text, indent)
        if first in "&!":
            name = re.match(r"[&!][^\s,\[\]{}]*", text).group()
            rest = text[len(name) :]
            if _content(rest):
                column += len(name) + len(rest) - len(rest.lstrip())
                value = self.inline(column, indent)
            else:
                self.row += 1
                value = self.below(max(indent, 0))
            if first == "&":
                self.anchors[name[1:]] = value
                return value
            return self.tagged(name, value)
        if first == "*":
            name = _without_comment(text)
            self.row += 1
            return self.alias(name[1:])
        if first in "[{'\"":
            flow = Flow(self, "\n".join([text, *self.lines[self.row + 1 :]]), self.at())
            value = flow.value()
            used = flow.text[: flow.place].count("\n")
            rest = flow.text[flow.place :].partition("\n")[0]
            self.row += used + 1
            if _content(rest) and not rest.lstrip().startswith("#"):
                raise ParserError("expected <block end>, but found another value", self.at())
            return value
        if first in "@`%":
            raise ScannerError(f"found character {first!r} that cannot start any token", self.at())
        return self.plain(text, indent)

    def plain(self, text, indent):
        said = _without_comment(text)
        parts, commented = [said], said != text.rstrip()
        if _key_end(said) is not None:
            raise ScannerError("mapping values are not allowed here", self.at())
        self.row += 1
        gap = 0
        while self.row < len(self.lines) and not commented:
            line = self.lines[self.row]
            if not line.strip():
                gap += 1
                self.row += 1
                continue
            inner = len(line) - len(line.lstrip(" "))
            if inner <= indent or not _content(line):
                break
            more = _without_comment(line.strip())
            if _key_end(more) is not None:
                raise ScannerError("mapping values are not allowed here", self.at())
            parts += ["\n" * gap or " ", more]
            commented, gap = more != line.strip(), 0
            self.row += 1
        if len(parts) == 1:
            return resolved(said)
        return "".join(parts)

    def literal(self, text, indent):
        """A block of text: | keeps its lines, > joins them."""
        head = text.split()[0]
        self.row += 1
        given = [sign for sign in head[1:] if sign.isdigit()]
        inner = max(indent, 0) + int(given[0]) if given else None
        lines = []
        while self.row < len(self.lines):
            line = self.lines[self.row]
            if line.strip():
                own = len(line) - len(line.lstrip(" "))
                inner = own if inner is None else inner
                if own < inner or own <= indent:
                    break
                lines.append(line[inner:])
            else:
                lines.append(line[inner or 0 :])
            self.row += 1
        kept = len(lines)
        while kept and not lines[kept - 1].strip():
            kept -= 1
        last = "\n" * (len(lines) - kept)
        body = "\n".join(lines[:kept]) if head[0] == "|" else _folded(lines[:kept])
        if "-" in head or not kept:
            return body + (last if "+" in head else "")
        return body + "\n" + (last if "+" in head else "")

    def alias(self, name):
        if name not in self.anchors:
            raise ComposerError(f"found undefined alias {name!r}", self.at())
        return self.anchors[name]

    def tagged(self, tag, value):
        if tag in ("!!str", "!"):
            return value if isinstance(value, str) else str(value)
        kinds = {"!!int": int, "!!float": float, "!!bool": bool, "!!seq": list, "!!map": dict, "!!python/tuple": tuple}
        if tag in kinds:
            return kinds[tag](value)
        if tag == "!!null":
            return None
        raise ConstructorError(f"could not determine a constructor for the tag {tag!r}", self.at())


def _folded(lines):
    """Lines joined by spaces; empty lines are line ends, and so are those around lines that are further in."""
    text, broken = "", True
    for i, line in enumerate(lines):
        if not line.strip():
            text += "\n"
            continue
        further = line[:1] in (" ", "\t")
        if i and lines[i - 1].strip():
            text += "\n" if further or lines[i - 1][:1] in (" ", "\t") else " "
        elif i and (further or broken):
            text += "\n"
        broken = further
        text += line
    return text
