"""All the nodes of a syntax tree, and those right below one."""

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


def children(node: ast.AST) -> list[ast.AST]:
    """What `ast.iter_child_nodes` gives."""
    found: list[ast.AST] = []
    own = node.__dict__
    for name in node._fields:
        value = own.get(name)
        if value.__class__ is list:
            found += [each for each in value if isinstance(each, _AST)]
        elif isinstance(value, _AST):
            found.append(value)
    return found
