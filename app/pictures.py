"""The graph of a moment as a file: SVG (drawn by app/drawing) and Graphviz DOT."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from engine.run import Run
from engine.tracing.moments import Graph, GraphNode

DrawPage = Callable[[Run, int, "int | None", str], Any]


def import_page() -> DrawPage | None:
    """app.drawing.page.draw_page, or None on a server without pages. Called before a worker limits its files."""
    try:
        module = importlib.import_module("app.drawing.page")
    except ImportError:
        return None
    draw: DrawPage = module.draw_page
    return draw


def svg(run: Run, number: int, dark: bool = False) -> str:
    """The picture of moment `number`, as a document of its own."""
    from app.drawing.svg import draw_svg

    return draw_svg(run, number, dark)


def series(run: Run) -> dict[str, Any]:
    """The rows of the charts: losses, gradient norms, learning rates."""
    from app.drawing.chart import chart_data

    return chart_data(run.series())


def dot(graph: Graph) -> str:
    """The graph in Graphviz's language: leaves are boxes, operations ellipses, outputs double ellipses."""
    lines = ["digraph run {", "  rankdir=LR;", '  node [fontname="sans-serif"];']
    shapes = {"leaf": "box", "op": "ellipse", "output": "doubleoctagon"}
    for node in graph.nodes:
        style = ", style=dashed" if node.state == "ghost" else ""
        lines.append(f"  {_quoted(node.id)} [label={_quoted(_label(node))}, shape={shapes[node.kind]}{style}];")
    lines += [f"  {_quoted(edge.source)} -> {_quoted(edge.target)};" for edge in graph.edges]
    return "\n".join([*lines, "}", ""])


def _label(node: GraphNode) -> str:
    words = [node.name or node.operation, node.grad_fn or "", "x".join(map(str, node.shape)), node.dtype]
    if node.value is not None and node.value.size == 1:
        words.append(f"{node.value.item():g}")
    return "\n".join(word for word in words if word)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
