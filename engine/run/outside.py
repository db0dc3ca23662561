"""A method, written as a function that stands outside of its class."""

from __future__ import annotations

import ast
import re


class _Outside(ast.NodeTransformer):
    """What a method says of its class, said where the class is not around it: super(), __class__, private names."""

    def __init__(self, owner: str, first: str) -> None:
        self.owner, self.first = owner, first

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
            node.args = [ast.Name(self.owner, ast.Load()), ast.Name(self.first, ast.Load())]
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.owner, node.ctx) if node.id == "__class__" else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if re.match("__.*(?<!__)$", node.attr):
            node.attr = f"_{self.owner.lstrip('_')}{node.attr}"
        return node


def outside_of(owner: ast.ClassDef, text: str) -> str:
    """The function `text`, written for the body of the class `owner`, as one that stands outside of it."""
    tree = ast.parse(text)
    made = tree.body[0]
    assert isinstance(made, ast.FunctionDef)
    before = ast.unparse(tree)
    first = (made.args.posonlyargs + made.args.args)[:1]
    after = ast.unparse(_Outside(owner.name, first[0].arg if first else "").visit(tree))
    return text if after == before else after
