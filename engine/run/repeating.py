"""The commands of one run given to another script: an edited one, or a variant to compare with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.errors import CommandError
from engine.run.commands import PHASES, Command, ShouldStop
from engine.run.run import Run
from engine.script.limits import Limits


def repeat(
    source: str,
    seed: int | None,
    given: Sequence[tuple[Command, int]],
    limits: Limits | None = None,
    should_stop: ShouldStop | None = None,
) -> Run:
    """A run of `source` that has been given the same commands while they fit. A press of a phase that the script does
    not have is passed over; any other command that is refused ends it, and so does one that is cut short. Raises
    SourceError."""
    run = Run(source, seed=seed, limits=limits)
    if run.begin(should_stop).stopped:
        return run
    kinds = {phase.do for phase in run.phases}
    for command, _ in given:
        if command.do == "begin" or (command.do in PHASES and command.do not in kinds):
            continue
        try:
            # What a budget of the machine ended there may go well here.
            if run.execute(replace(command, limit=None), should_stop).stopped and command.until is None:
                break
        except CommandError:
            break
    return run
