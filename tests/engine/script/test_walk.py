"""All the nodes of a tree, and those below one, as the module ast gives them."""

from __future__ import annotations

import ast
import inspect

import pytest

from engine import tensor
from engine.script.compiling import statements
from engine.script.reading.walk import children, walk

SOURCES = {
    "the engine's": inspect.getsource(tensor),
    "the interpreter's": inspect.getsource(statements),
    "all kinds": """
async def f(a, /, b: int = 1, *c, d=2, **e) -> None:
    async with a as (b, [c]): yield await d
match x:
    case {"k": [1, *rest], **more} if rest: pass
    case Point(x=0) | None: pass
try: raise E from e
except (A, B) as error: del a[1:2, ::3], b.c
else: x: dict[str, int] = {**y, 1: 2}
finally: print(f"{a!r:>{width}} {b}", *c, **d)
lambda x, *y: (yield) if not x else [i async for i in z if i for j in i]
(n := 1) < 2 <= 3; x @= {*a}; global g; assert a, b
""",
    "nothing": "",
}


@pytest.mark.parametrize("name", SOURCES)
def test_every_node_comes_in_the_order_of_the_module_ast(name):
    tree = ast.parse(SOURCES[name])
    assert [*map(id, walk(tree))] == [*map(id, ast.walk(tree))]
    for node in ast.walk(tree):
        assert [*map(id, children(node))] == [*map(id, ast.iter_child_nodes(node))]


def test_a_node_without_some_of_its_fields_is_walked_too():
    made = ast.Call(func=ast.Name(id="f"), args=[ast.Constant(1)])
    assert [*map(id, walk(made))] == [*map(id, ast.walk(made))]
