"""What goes wrong in a script and what it costs, why a number is there, what would be: nothing of a run is changed.

The answers are the engine's own records: plain frozen dataclasses of numbers and texts. Who may look may ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from app import errors, wire
from app.runs.core import Core
from engine.run.boundary import Boundary
from engine.run.diagnose import ITERATIONS, Diagnosed
from engine.run.probes import DELTA, Nudge, Surface
from engine.run.variants import Variant, variants
from engine.tracing.why import MOST, Field, Why

MOST_ITERATIONS = 200


class Probing(Core):
    async def diagnose(
        self,
        *,
        source: str | None = None,
        scenario: str | None = None,
        seed: int | None = None,
        iterations: int = ITERATIONS,
        costs: bool = True,
    ) -> Diagnosed:
        """Execute the first iterations of a script and say what goes wrong in it, what would mend it, and what both
        come to, side by side. Takes about two seconds at most; no run is made. Raises BadSource, TooLarge, NotFound."""
        source = self.scenario(scenario).source if scenario is not None else source
        if source is None:
            raise errors.BadCommand("a diagnosis needs a `source` or a `scenario`")
        if not 1 <= iterations <= MOST_ITERATIONS:
            raise errors.BadCommand(f"iterations has to be from 1 to {MOST_ITERATIONS}, not {iterations}")
        self._measure(source)
        return msgspec.msgpack.decode(await self.execution.diagnose(source, seed, iterations, costs), type=Diagnosed)

    async def findings(self, run_id: str, costs: bool = True) -> Diagnosed:
        """The findings of a run up to its last moment, with what they cost."""
        kept = (await self._settled(run_id)).kept
        last = (await self.execution.facts(kept)).last
        return msgspec.msgpack.decode(await self._probe(run_id, "findings", last, costs=costs), type=Diagnosed)

    async def why(
        self,
        run_id: str,
        moment: int,
        name: str,
        field: Field = "value",
        index: Sequence[int] | None = None,
        most: int = MOST,
    ) -> Why:
        """The chain of links that leads back from an entry of a tensor's value or `.grad` (without an `index` the one
        of largest magnitude). Raises NotFound (moment, tensor), BadCommand (an index that does not fit)."""
        body = await self._probe(run_id, "why", moment, name=name, field=field, index=_listed(index), most=most)
        return msgspec.msgpack.decode(body, type=Why)

    async def nudge(
        self, run_id: str, moment: int, name: str, index: Sequence[int] | None = None, delta: float = DELTA
    ) -> Nudge:
        """What a small change of one weight does to the loss, beside what `.grad` foretold. Raises NotFound (moment,
        leaf), BadCommand (an index or delta that does not fit)."""
        body = await self._probe(run_id, "nudge", moment, name=name, index=_listed(index), delta=delta)
        return msgspec.msgpack.decode(body, type=Nudge)

    async def boundary(self, run_id: str, moment: int) -> Boundary:
        """The decision boundary of a classifier of two inputs, or the reason why there is none."""
        return msgspec.msgpack.decode(await self._probe(run_id, "boundary", moment), type=Boundary)

    async def surface(self, run_id: str, moment: int) -> Surface:
        """The loss surface of two parameters with their path, or the reason why there is none."""
        return msgspec.msgpack.decode(await self._probe(run_id, "surface", moment), type=Surface)

    async def losses(self, run_id: str) -> list[tuple[str, list[tuple[int, int, float]]]]:
        """Every name on which the script calls backward, with (moment, iteration, value) of its losses. `moment` is
        where the pass through the loop began."""
        body = await self._probe(run_id, "losses", 0)
        return msgspec.msgpack.decode(body, type=list[tuple[str, list[tuple[int, int, float]]]])

    async def variants(self, run_id: str) -> tuple[Variant, ...]:
        """Scripts to compare this run's with: without zero_grad, with another learning rate, another optimizer."""
        return variants((await self._find(run_id))[0].source)

    async def _probe(self, run_id: str, what: wire.Probing, moment: int, **given: Any) -> bytes:
        kept = (await self._settled(run_id)).kept
        return await self.execution.probe(kept, what, moment, msgspec.json.encode(given))


def _listed(index: Sequence[int] | None) -> list[int] | None:
    return None if index is None else list(index)
