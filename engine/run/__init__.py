"""A run: a script, the commands given to it so far, and the trace that they make.

This is the top of the engine. It knows nothing of processes, stores or the web; given the same source, seed and
commands it makes the same moments, anywhere.

    commands.py    what can be asked
    run.py         Run: commands -> moments; replay, forks, digest
    stepping.py    what a press means: the program counter
    conditions.py  breakpoints that stop where an expression is true
    session.py     one execution: interpreter + recorder -> moments
    foretell.py    the probe that draws the graph to come
    aside.py       what else executes a script, and lets it go
    shelf.py       moments within a budget of memory
    transcript.py  the program executed so far, as source
    world.py       the engine's process-wide state, one per run
"""

from engine.run.commands import Command, Outcome, Progress, RunState, ShouldStop
from engine.run.conditions import Breakpoint
from engine.run.run import Run

__all__ = ["Breakpoint", "Command", "Outcome", "Progress", "Run", "RunState", "ShouldStop"]
