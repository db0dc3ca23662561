# type: ignore
"""Texts of YAML read, for yaml.py: line by line where blocks are told by indentation, sign by sign inside of brackets."""

import datetime
import re


class YAMLError(Exception):
    pass


class MarkedYAMLError(YAMLError):
    def __init__(self, problem, line=None):
        self.problem, self.problem_mark = problem, line
        super().__init__(problem if line is None else f'{problem}\n  in "<unicode string>", line {line}')


class ScannerError(MarkedYAMLError):
    pass


class ParserError(MarkedYAMLError):
    pass


class ComposerError(MarkedYAMLError):
    pass


class ConstructorError(MarkedYAMLError):
    pass


_TRUE, _FALSE, _NULL = [
    {form for word in words.split() for form in (word, word.capitalize(), word.upper())}
    for words in ("yes true on", "no false off", "null")
]
_INT = re.compile(r"[-+]?(0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]*|[1-9][0-9_]*(:[0-5]?[0-9])*)")
_FLOAT = re.compile(
    r"[-+]?([0-9][0-9_]*\.[0-9_]*([eE][-+][0-9]+)?|\.[0-9][0-9_]*([eE][-+][0-9]+)?|[0-9][0-9_]*(:[0-5]?[0-9])+\.[0-9_]*)"
)
_SPECIAL = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_TIME = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d*))?")
_ESCAPES = dict(zip('0abtnvfre"\\/ N_', '\0\a\b\t\n\v\f\r\x1b"\\/ \x85\xa0'))


def resolved(text):
    """The value of a plain scalar."""
    if text in ("", "~") or text in _NULL:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if text[0] not in "-+.0123456789":
        return text
    if _INT.fullmatch(text):
        return _whole(text.replace("_", ""))
    if _FLOAT.fullmatch(text):
        sign, digits = (-1 if text[0] == "-" else 1), text.lstrip("+-").replace("_", "")
        found = 0.0
        for part in digits.split(":"):
            found = found * 60 + float(part)
        return sign * found
    if _SPECIAL.fullmatch(text):
        return float(text.replace(".", ""))
    date = _DATE.fullmatch(text)
    if date:
        return datetime.date(*[int(part) for part in date.groups()])
    time = _TIME.fullmatch(text)
    if time:
        *parts, fraction = time.groups()
        return datetime.datetime(*[int(part) for part in parts], int(((fraction or "") + "000000")[:6]))
    return text


def _whole(text):
    sign, digits = (-1 if text[0] == "-" else 1), text.lstrip("+-")
    if digits.startswith(("0b", "0x")):
        return sign * int(digits, 0)
    if ":" in digits:
        found = 0
        for part in digits.split(":"):
            found = found * 60 + int(part)
        return sign * found
    return sign * int(digits, 8 if digits[0] == "0" and digits != "0" else 10)


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
            return _Flow(self, text, self.at()).quoted()
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
            flow = _Flow(self, "\n".join([text, *self.lines[self.row + 1 :]]), self.at())
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


class _Flow:
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
