"""What a loop's replay must know of the program around it, gathered once: a script may have thousands of loops."""

from __future__ import annotations

import ast
from collections import Counter

from engine.replay.pure import bound_in, functions_that_compute
from engine.script.reading.walk import walk

ON_PARAMETERS = {"clip_grad_norm_", "clip_grad_value_", "requires_grad_", "xavier_uniform_", "kaiming_uniform_"}


class Whole:
    """A program. `own` are the names that it binds itself, `top` the statements of its top level (by id); `changes`:
    tensors may be changed in place."""

    def __init__(self, tree: ast.Module) -> None:
        nodes = walk(tree)
        names = [node for node in nodes if isinstance(node, ast.Name)]
        self.own = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
        self.own |= {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        self.own |= {n.attr for n in nodes if isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load)}
        self.top = {id(statement) for statement in tree.body}
        self.changes = any(map(_changes, nodes))
        self._functions = functions_that_compute(tree)
        self._reached: dict[str, frozenset[str]] = {}
        self._read = _read(names)
        augmented = (bound_in(node.target) for node in nodes if isinstance(node, ast.AugAssign))
        self._augmented = frozenset[str]().union(*augmented)

    def read_outside(self, inside: list[ast.AST]) -> frozenset[str]:
        """The names that anything but the nodes `inside` reads."""
        there = _read([node for node in inside if isinstance(node, ast.Name)])
        only_there = {name for name, times in there.items() if self._read[name] == times}
        return self._augmented.union(self._read.keys() - only_there)

    def reached(self, name: str) -> frozenset[str] | None:
        """The variables that a function reads which only computes, itself or through another one; None for what is no
        such function."""
        if name not in self._functions:
            return None
        if name not in self._reached:
            free, pending = set[str](), [name]
            while pending:
                more = self._functions[pending.pop()] - free
                free |= more
                pending += [each for each in more if each in self._functions]
            self._reached[name] = frozenset(free)
        return self._reached[name]


def _read(names: list[ast.Name]) -> Counter[str]:
    """How often each name is read."""
    return Counter(node.id for node in names if isinstance(node.ctx, (ast.Load, ast.Del)))


def _changes(part: ast.AST) -> bool:
    """Whether something may be changed in place: `h.add_(1)`, `h[0] = 1`."""
    if isinstance(part, ast.Attribute):
        return part.attr.endswith("_") and not part.attr.endswith("__") and part.attr not in ON_PARAMETERS
    return isinstance(part, ast.Subscript) and not isinstance(part.ctx, ast.Load)
