"""The probe that foretells the graph: the script runs once in a scratch session up to the end of its first forward.

Nothing of it is kept but the shape of the graph. Whatever goes wrong in it means only that there are no ghosts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine import observe
from engine.errors import StopRun
from engine.run.aside import aside
from engine.run.session import Session
from engine.run.stepping import Halt, Stepper
from engine.run.world import World
from engine.tracing.moments import Graph

if TYPE_CHECKING:
    from engine.script.limits import Limits
    from engine.script.reading.source import Script

MOST_STATEMENTS = 2000
MOST_SECONDS = 2.0
PART = 0.25
"""Of the time budget of a command."""


@aside()
def foretell(script: Script, seed: int, limits: Limits) -> Graph:
    """The graph after the first forward with its values left out; empty when it cannot be told."""
    forwards = [phase for phase in script.phases if phase.do == "forward"]
    if script.loop is None or not forwards:
        return Graph()
    session = Session(script, replace(limits, time=min(PART * limits.time, MOST_SECONDS)))

    def check() -> None:
        if session.last > MOST_STATEMENTS:
            raise Halt(True)

    stepper = Stepper(session, check)

    def has_output() -> bool:
        session.complete()
        return _has_output(session, script.root)

    try:
        with World(seed).entered(session.warned), observe.watching(None):
            session.interpreter.renew_time()
            stepper.to_loop()
            if session.position is not None and not session.at_header(session.position):
                return Graph()  # something failed on the way
            for phase in forwards:
                if session.position is None or has_output():
                    break
                stepper.press(phase)
    except (Halt, StopRun):
        return Graph()
    return _without_values(session.shelf.last.graph) if has_output() else Graph()


def _has_output(session: Session, root: str | None) -> bool:
    if not len(session.shelf) or session.shelf.last.error is not None:
        return False
    return any(node.kind == "output" and (root is None or node.name == root) for node in session.shelf.last.graph.nodes)


def _without_values(graph: Graph) -> Graph:
    nodes = tuple(
        replace(node, state="ghost", value=None, grad=None, passing=None, contributions=()) for node in graph.nodes
    )
    return Graph(nodes, tuple(replace(edge, gradient=None) for edge in graph.edges))
