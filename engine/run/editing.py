"""Changes to a script's text that are found in its syntax tree and leave everything else byte for byte as it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator


class Edited:
    """A text with its tree, and the changes collected so far. Raises SyntaxError when the text is no program."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.mark = "\ufeff" if source.startswith("\ufeff") else ""
        self.text = source.removeprefix("\ufeff")
        self.tree = ast.parse(self.text)
        self._starts = [0]
        for line in self.text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._changes: list[tuple[int, int, str]] = []
        self.blocks: dict[int, list[ast.stmt]] = {}  # id() of a statement -> the block that it stands in
        self.parents: dict[int, ast.AST] = {}
        for node in ast.walk(self.tree):
            for child in ast.iter_child_nodes(node):
                self.parents[id(child)] = node
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if isinstance(block, list):
                    for statement in block:
                        self.blocks[id(statement)] = block

    # -- places --------------------------------------------------------------------------------------------------

    def _offset(self, line: int, column: int) -> int:
        """`column` counts bytes of UTF-8, as the tree does."""
        start = self._starts[line - 1]
        text = self.text[start : self._starts[line] if line < len(self._starts) else len(self.text)]
        return start + len(text.encode()[:column].decode(errors="ignore"))

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Where the text of a node begins and ends."""
        line, column = int(getattr(node, "lineno", 1)), int(getattr(node, "col_offset", 0))
        end_line, end_column = getattr(node, "end_lineno", line), getattr(node, "end_col_offset", column)
        return self._offset(line, column), self._offset(int(end_line), int(end_column))

    def of(self, node: ast.AST) -> str:
        """The text of a node."""
        start, end = self.span(node)
        return self.text[start:end]

    def statements(self) -> Iterator[ast.stmt]:
        """All statements in the order of the text."""
        found = [node for node in ast.walk(self.tree) if isinstance(node, ast.stmt)]
        yield from sorted(found, key=lambda node: (node.lineno, node.col_offset))

    def statement_of(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that holds a node."""
        here: ast.AST = node
        while not isinstance(here, ast.stmt):
            here = self.parents[id(here)]
        return here

    def loops(self, node: ast.AST) -> list[ast.AST]:
        """The loops around a node in its own function, innermost first."""
        found: list[ast.AST] = []
        below, here = node, self.parents.get(id(node))
        while here is not None and not isinstance(here, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            if isinstance(here, (ast.For, ast.While)) and not any(below is part for part in here.orelse):
                found.append(here)
            below, here = here, self.parents.get(id(here))
        return found

    def function(self, node: ast.AST) -> ast.AST | None:
        """The function that a node stands in."""
        here = self.parents.get(id(node))
        while here is not None and not isinstance(here, (ast.FunctionDef, ast.Lambda)):
            here = self.parents.get(id(here))
        return here

    def calls(self, *names: str) -> list[ast.Call]:
        """The calls of functions or methods of these names, in the order of the text."""
        found = [n for n in ast.walk(self.tree) if isinstance(n, ast.Call) and called(n) in names]
        return sorted(found, key=lambda node: (node.lineno, node.col_offset))

    # -- changes -------------------------------------------------------------------------------------------------

    def replace(self, node: ast.AST, text: str) -> None:
        self._changes.append((*self.span(node), text))

    def before(self, statement: ast.stmt, *lines: str) -> None:
        """Put statements before another one, with its indentation."""
        start, _ = self.span(statement)
        indent = self._indent(start)
        if indent is None:
            self._changes.append((start, start, "; ".join(lines) + "; "))
        else:
            ending = self._ending()
            self._changes.append((start, start, "".join(f"{line}{ending}{indent}" for line in lines)))

    def after(self, statement: ast.stmt, *lines: str) -> None:
        """Put statements behind another one, with its indentation."""
        start, end = self.span(statement)
        indent = self._indent(start)
        rest = self.text[end : self._line_end(end)]
        if indent is None or rest.strip().startswith(";"):
            self._changes.append((end, end, "".join(f"; {line}" for line in lines)))
        else:
            place = self._line_end(end)
            ending = self._ending()
            self._changes.append((place, place, "".join(f"{ending}{indent}{line}" for line in lines)))

    def remove(self, statement: ast.stmt) -> None:
        """Take a statement out; `pass` where its block would be empty."""
        start, end = self.span(statement)
        if len(self.blocks.get(id(statement), [])) == 1:
            self._changes.append((start, end, "pass"))
            return
        line_end = self._line_end(end)
        rest = self.text[end:line_end].strip()
        if self._indent(start) is not None and (not rest or rest.startswith("#")):
            start = self.text.rfind("\n", 0, start) + 1
            self._changes.append((start, min(self._next_line(end), len(self.text)), ""))
        elif rest.startswith(";"):
            after = self.text.index(";", end) + 1
            while after < line_end and self.text[after] == " ":
                after += 1
            self._changes.append((start, after, ""))
        else:
            before = self.text.rfind(";", 0, start)
            self._changes.append((before, end, ""))

    def _indent(self, offset: int) -> str | None:
        """What stands before a statement on its line, when that is nothing but blanks."""
        before = self.text[self.text.rfind("\n", 0, offset) + 1 : offset]
        return before if not before.strip() else None

    def _line_end(self, offset: int) -> int:
        end = self.text.find("\n", offset)
        end = len(self.text) if end < 0 else end
        return end - 1 if end > offset and self.text[end - 1] == "\r" else end

    def _next_line(self, offset: int) -> int:
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end + 1

    def _ending(self) -> str:
        end = self.text.find("\n")
        return "\r\n" if end > 0 and self.text[end - 1] == "\r" else "\n"

    def result(self) -> str:
        """The text with all changes made."""
        text = self.text
        order = sorted(enumerate(self._changes), key=lambda each: (each[1][0], each[1][1], each[0]), reverse=True)
        for _, (start, end, new) in order:
            text = text[:start] + new + text[end:]
        return self.mark + text


def called(call: ast.Call) -> str:
    """The name of the function or method that a call calls."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def owner(call: ast.Call) -> ast.expr | None:
    """What a method is called on."""
    return call.func.value if isinstance(call.func, ast.Attribute) else None


OPTIMIZERS = (
    "SGD",
    "Adam",
    "AdamW",
    "RMSprop",
    "Adagrad",
    "Adadelta",
    "Adamax",
    "NAdam",
    "RAdam",
    "ASGD",
    "Rprop",
    "LBFGS",
)


def optimizers(edited: Edited) -> list[tuple[str, ast.Call]]:
    """(variable, constructor) of each optimizer that the script makes, as far as the text tells."""
    found = []
    for call in edited.calls(*OPTIMIZERS):
        parent = edited.parents.get(id(call))
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
            found.append((edited.of(parent.targets[0]), call))
        elif isinstance(parent, ast.Tuple) and isinstance(outer := edited.parents.get(id(parent)), ast.Assign):
            target = outer.targets[0]  # a, b = SGD(...), Adam(...)
            if isinstance(target, ast.Tuple) and len(target.elts) == len(parent.elts):
                found.append((edited.of(target.elts[parent.elts.index(call)]), call))
    return found
