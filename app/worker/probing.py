"""Questions about what is not in a run's moments: what its findings cost, why a number is there, what a nudge would do.
Answered in the worker, on copies: nothing of the run changes. Answers are the engine's records as MessagePack."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from app import wire
from app.drawing.worked import worked_entry
from engine.run import Run, ShouldStop
from engine.run.boundary import boundary
from engine.run.diagnose import Diagnosed, diagnose
from engine.run.probes import nudge, surface
from engine.script.limits import Limits
from engine.tracing.why import why


def answer(run: Run, request: wire.Probe, limits: Limits, should_stop: ShouldStop) -> bytes:
    """Raises KeyError for what there is not, IndexError and ValueError for what does not fit."""
    given: dict[str, Any] = msgspec.json.decode(request.given)
    index = None if given.get("index") is None else tuple(given["index"])
    asked: dict[wire.Probing, Callable[[], Any]] = {
        "findings": lambda: _findings(run, given, limits, should_stop),
        "why": lambda: why(
            run, request.moment, given["name"], given["field"], index, given["most"], partial(worked_entry, trace=True)
        ),
        "nudge": lambda: nudge(run, request.moment, given["name"], index, given["delta"]),
        "boundary": lambda: boundary(run, request.moment),
        "surface": lambda: surface(run, request.moment),
        "losses": lambda: _losses(run),
    }
    return msgspec.msgpack.encode(asked[request.what]())


def _findings(run: Run, given: dict[str, Any], limits: Limits, should_stop: ShouldStop) -> Diagnosed:
    """The findings of the run as it is; what they cost from a look at its script."""
    found = run.moment(run.last).findings
    if not found or not given["costs"]:
        return Diagnosed.plain(found, run.moment(run.last))
    return diagnose(run.source, seed=run.seed, limits=limits, findings=found, should_stop=should_stop)


def _losses(run: Run) -> list[tuple[str, list[tuple[int, int, float]]]]:
    """Each name on which backward is called, with (moment, iteration, value) of its losses."""
    series = run.series()
    names = [name for kind, name in series.curves if kind == "loss"]
    return [
        (
            name,
            [(r.moment, r.iteration or 0, r.values["loss", name]) for r in series.rows if ("loss", name) in r.values],
        )
        for name in names
    ]


def diagnosis(request: wire.Diagnose, limits: Limits, should_stop: ShouldStop) -> bytes:
    """A look at a script of which there is no run. Raises SourceError."""
    found = diagnose(
        request.source,
        seed=request.seed,
        limits=limits,
        iterations=request.iterations,
        costs=request.costs,
        should_stop=should_stop,
    )
    return msgspec.msgpack.encode(found)
