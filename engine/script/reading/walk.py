"""All the nodes of a syntax tree."""

from __future__ import annotations

import ast

_AST = ast.AST


def walk(tree: ast.AST) -> list[ast.AST]:
    """What `ast.walk` gives, in its order, in less than half of the time: a program is looked through some fifty times
    before it begins."""
    found = [tree]
    add = found.append
    for node in found:  # which grows meanwhile
        own = node.__dict__
        for name in node._fields:
            value = own.get(name)
            if value.__class__ is list:
                for each in value:
                    if isinstance(each, _AST):
                        add(each)
            elif isinstance(value, _AST):
                add(value)
    return found
