"""Cells of notebooks that await outside of functions: Jupyter runs them within its event loop. In a script each such
statement becomes a coroutine that a loop of the script's runs to its end."""

from __future__ import annotations

import ast

from engine.script.reading.indented import indented
from engine.script.reading.walk import children, walk

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LOOP = "import asyncio as _asyncio\n_event_loop = _asyncio.new_event_loop()"
DRIVEN = """async def _awaited():
{named}{code}
_event_loop.run_until_complete(_awaited())"""
WITHIN = ("create_task", "ensure_future", "get_running_loop", "current_task", "all_tasks", "gather")
"""Calls that need the loop to be running."""


def driven(code: str) -> str | None:
    """A cell's code with what awaits outside of functions, or needs a running loop, given to `_event_loop`; None where
    it has nothing of the kind, or is not Python."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    lines = code.encode().split(b"\n")
    changed = False
    for each in reversed(tree.body):
        if not _waits(each) or each.end_lineno is None:
            continue
        first, last = each.lineno - 1, each.end_lineno - 1
        before, after = lines[first][: each.col_offset], lines[last][each.end_col_offset :]
        taken = [*lines[first : last + 1]]
        taken[-1] = taken[-1][: each.end_col_offset]
        taken[0] = taken[0][each.col_offset :]
        text = b"\n".join(taken).decode()
        if isinstance(each, ast.AnnAssign) and each.value is not None:  # a global name cannot be annotated
            text = f"{ast.unparse(each.target)} = {ast.unparse(each.value)}"
        named = "".join(f"    global {name}\n" for name in sorted(_bound(each)))
        made = DRIVEN.format(named=named, code=indented(text, ast.parse(text))).encode().split(b"\n")
        made[-1] += after  # a comment, or `; b`
        if before.strip():  # `a; await b`
            made.insert(0, before.rstrip(b" ;"))
        lines[first : last + 1] = made
        changed = True
    return b"\n".join(lines).decode() if changed else None


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement binds; those of functions in it, which are their own, do no harm."""
    found: set[str] = set()
    for node in walk(statement):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.FunctionDef(name=str(name)) | ast.AsyncFunctionDef(name=str(name)) | ast.ClassDef(name=str(name)):
                found.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found.add(name)
            case ast.MatchMapping(rest=str(name)):
                found.add(name)
            case ast.alias():
                found.add(node.asname or node.name.partition(".")[0])
            case _:
                pass
    return found - {"*"}


def _waits(statement: ast.stmt) -> bool:
    """Whether a statement awaits, or needs a running loop, outside of functions."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Await, ast.AsyncFor, ast.AsyncWith)):
            return True
        if isinstance(node, ast.comprehension) and node.is_async:
            return True
        if isinstance(node, ast.Call):
            function = node.func
            if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
                name = function.attr if function.value.id == "asyncio" else ""
            else:
                name = getattr(function, "id", "")
            if name in WITHIN:
                return True
        if isinstance(node, (*FUNCTIONS, ast.Lambda)):
            waiting.extend(node.decorator_list if isinstance(node, FUNCTIONS) else ())
        else:
            waiting.extend(children(node))
    return False
