"""Code moved to the right, into a block."""

from __future__ import annotations

import ast

from engine.script.reading.walk import walk


def indented(code: str, tree: ast.Module) -> str:
    """`code`, whose syntax tree is `tree`, four places to the right. Lines within texts stay as they are."""
    inside: set[int] = set()
    for node in walk(tree):
        if isinstance(node, (ast.Constant, ast.JoinedStr)):
            inside.update(range(node.lineno + 1, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(code.split("\n"), 1)
    return "\n".join(f"    {line}" if line and number not in inside else line for number, line in lines)
