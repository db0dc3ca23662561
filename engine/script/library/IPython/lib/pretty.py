# type: ignore
"""IPython.lib.pretty: values as a notebook shows them. What does not fit into a line is broken at its outermost
container; a value of several lines stands below its first character."""

from collections import Counter, OrderedDict, defaultdict, deque
from inspect import isbuiltin, isfunction, signature

from _named import in_notebook

MOST = 1000
"""So many items of a container are shown."""
EMPTY = {set: "set()", frozenset: "frozenset()"}
ENDS = {
    tuple: ("(", ")"),
    list: ("[", "]"),
    dict: ("{", "}"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
}


class _Group:
    """What is broken together. `waiting`: how many of its gaps are not written yet."""

    def __init__(self, depth):
        self.depth, self.waiting, self.broken = depth, 0, False


class _Printer:
    """Text and gaps as they come. While a line has room they are held back; a gap becomes a line's end when its group
    is broken, which happens to the outermost group with a gap in a line that grows too long."""

    def __init__(self, width):
        self.width, self.written, self.column, self.indent = width, [], 0, 0
        self.held, self.held_width = [], 0
        root = _Group(0)
        self.stack, self.levels, self.inside = [root], [[root]], set()

    def text(self, text):
        if not self.held:
            self.written.append(text)
            self.column += len(text)
            return
        self.held.append((text, None, 0))
        self.held_width += len(text)
        self._fit()

    def gap(self):
        group = self.stack[-1]
        if group.broken:
            self._line()
            return
        self.held.append((" ", group, self.indent))
        self.held_width += 1
        group.waiting += 1
        self._fit()

    def end_of_line(self):
        """A line of a text ends here, whatever there is room for."""
        group = self._outermost()
        if group is not None:
            self._break(group)
        self._line()

    def opened(self, step, text=""):
        if text:
            self.text(text)
        group = _Group(self.stack[-1].depth + 1)
        self.stack.append(group)
        while group.depth >= len(self.levels):
            self.levels.append([])
        self.levels[group.depth].append(group)
        self.indent += step

    def closed(self, step, text=""):
        self.indent -= step
        group = self.stack.pop()
        if not group.waiting:
            self._forget(group)
        if text:
            self.text(text)

    def _forget(self, group):
        level = self.levels[group.depth]
        for i in range(len(level)):
            if level[i] is group:
                del level[i]
                return

    def _fit(self):
        while self.column + self.held_width > self.width:
            group = self._outermost()
            if group is None:
                return
            self._break(group)

    def _outermost(self):
        """The outermost group that has gaps to break; groups outside of it that have none yet are broken too. (The
        place that IPython takes out of its list is counted from the other end than the one it looks from.)"""
        for level in self.levels:
            for i in range(len(level)):
                group = level[-1 - i]
                if group.waiting:
                    del level[i]
                    group.broken = True
                    return group
            for group in level:
                group.broken = True
            level.clear()
        return None

    def _break(self, group):
        done = 0
        while group.waiting:
            self._write(self.held[done])
            done += 1
        while done < len(self.held) and self.held[done][1] is None:
            self._write(self.held[done])
            done += 1
        self.held = self.held[done:]
        self.held_width = sum(len(each[0]) for each in self.held)

    def _write(self, part):
        text, group, indent = part
        if group is not None:
            group.waiting -= 1
            if group.broken:
                self.written.append("\n" + " " * indent)
                self.column = indent
                return
            if not group.waiting:
                self._forget(group)
        self.written.append(text)
        self.column += len(text)

    def _line(self):
        for part in self.held:
            self._write(part)
        self.held, self.held_width = [], 0
        self.written.append("\n" + " " * self.indent)
        self.column = self.indent

    def value(self, value):
        kind = type(value)
        if kind.__name__ == "dict" and kind not in ENDS and isinstance(value, dict):
            value, kind = dict(value), dict  # what a module holds, which stands for the module
        known = kind in ENDS or kind in CALLS
        if known and id(value) in self.inside:
            self.text(f"{kind.__name__}(...)" if kind in CALLS else "...".join(ENDS[kind]))
            return
        self.opened(0)
        self.inside.add(id(value))
        if kind in EMPTY and not value:
            self.text(EMPTY[kind])
        elif kind in ENDS:
            self.container(value, *ENDS[kind])
        elif kind in CALLS:
            self.call(kind.__name__, *CALLS[kind](value))
        else:
            self.lines(value, kind)
        self.inside.discard(id(value))
        self.closed(0)

    def container(self, value, begin, end):
        self.opened(len(begin), begin)
        for i, each in enumerate(_ordered(value)):
            if i:
                self.text(",")
                self.gap()
            if i == MOST:
                self.text("...")
                break
            self.value(each)
            if type(value) is dict:
                self.text(": ")
                self.value(value[each])
        if type(value) is tuple and len(value) == 1:
            self.text(",")
        self.closed(len(begin), end)

    def call(self, name, *args):
        """`args`: values, and pairs of a name and a value."""
        self.opened(0)
        self.opened(len(name) + 1, name + "(")
        for i, each in enumerate(args):
            if i:
                self.text(",")
                self.gap()
            if type(each) is tuple:
                self.text(each[0] + "=")
                self.opened(len(each[0]) + 1)
                self.value(each[1])
                self.closed(len(each[0]) + 1)
            else:
                self.value(each)
        self.closed(len(name) + 1, ")")
        self.closed(0)

    def lines(self, value, kind):
        text = _function(value) if isfunction(value) else in_notebook(value) or repr(value)
        if (kind is type or isbuiltin(value)) and text.startswith("<class '"):  # map is ours
            text = text[8:-2]
        elif text.startswith("<") and text.count(" object at 0x") == 1 and "\n" not in text:
            before, after = text.split(" object at 0x")
            text = (
                text if "<" in before[1:] else f"{before} at 0x{after}"
            )  # one that names another says it as that does
        self.opened(0)
        for i, line in enumerate(text.splitlines()):
            if i:
                self.end_of_line()
            self.text(line)
        self.closed(0)


CALLS = {
    OrderedDict: lambda value: [list(value.items())] if value else [],
    defaultdict: lambda value: [value.default_factory, dict(value)],
    Counter: lambda value: [dict(value.most_common())] if value else [],
    deque: lambda value: [list(value)] + ([("maxlen", value.maxlen)] if value.maxlen is not None else []),
}


def _function(value):
    """A function of the script's, by what it takes."""
    home = value.__module__
    try:
        taken = str(signature(value))
    except (TypeError, ValueError):
        taken = ""
    return f"<function {home + '.' if home and home != 'builtins' else ''}{value.__qualname__}{taken}>"


def _ordered(value):
    if type(value) not in (set, frozenset) or len(value) >= MOST:
        return value
    try:
        return sorted(value)
    except Exception:
        return value


def pretty(obj, verbose=False, max_width=79, newline="\n", max_seq_length=MOST):
    """The text that a notebook shows for `obj`."""
    printer = _Printer(max_width)
    printer.value(obj)
    for part in printer.held:
        printer._write(part)
    return "".join(printer.written)


def pprint(obj, verbose=False, max_width=79, newline="\n", max_seq_length=MOST):
    print(pretty(obj, verbose, max_width))
