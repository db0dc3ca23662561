"""Variants of a script to compare it with: without zero_grad, with another learning rate, with another optimizer. Lines
keep their numbers, so that the commands given to one can be given to the other."""

from __future__ import annotations

from dataclasses import dataclass

from engine.run.editing import Edited, called, optimizers, owner
from engine.run.mend_loops import of_kind
from engine.run.mend_values import rate_of, scale_rate


@dataclass(frozen=True, slots=True)
class Variant:
    """`id` is stable; `label` says what is different; `source` is the whole script."""

    id: str
    label: str
    source: str


SHARED = ("lr", "weight_decay", "maximize", "foreach", "params")
"""Settings that every optimizer knows."""


def variants(source: str) -> tuple[Variant, ...]:
    """Those that the text allows; none for a text that is no program."""
    found = []
    for make in (_without_zero_grad, _faster, _slower, _other_optimizer):
        try:
            edited = Edited(source)
        except (SyntaxError, ValueError):
            return ()
        made = make(edited)
        if made is not None:
            found.append(Variant(*made, edited.result()))
    return tuple(found)


def _without_zero_grad(edited: Edited) -> tuple[str, str] | None:
    clears = [s for s in of_kind(edited, "zero_grad") if edited.loops(s) or edited.function(s) is not None]
    for statement in clears:
        edited.replace(statement, "pass")
    return ("without-zero-grad", "the same without zero_grad") if clears else None


def _faster(edited: Edited) -> tuple[str, str] | None:
    return _rate(edited, "lr-times-10", 10.0)


def _slower(edited: Edited) -> tuple[str, str] | None:
    return _rate(edited, "lr-divided-by-10", 0.1)


def _rate(edited: Edited, id_: str, by: float) -> tuple[str, str] | None:
    place = rate_of(edited)
    if place is None or not isinstance(place.value, (int, float)) or place.value == 0:
        return None
    scale_rate(edited, by)
    return id_, f"learning rate {place.value * by:.6g} instead of {place.value:g}"


def _other_optimizer(edited: Edited) -> tuple[str, str] | None:
    made = [(name, call) for name, call in optimizers(edited) if called(call) != "LBFGS"]
    if not made:
        return None
    here = called(made[0][1])
    other = "Adam" if here == "SGD" else "SGD"
    for _, call in made:
        if called(call) != here:
            continue
        on = owner(call)
        prefix = f"{edited.of(on)}." if on is not None else "torch.optim."
        given = [edited.of(argument) for argument in call.args[:2]]
        given += [f"{k.arg}={edited.of(k.value)}" for k in call.keywords if k.arg in SHARED]
        ended = (call.end_lineno or call.lineno) - call.lineno
        lines = "\n" * (ended - sum(text.count("\n") for text in given))  # later lines keep their numbers
        edited.replace(call, f"{prefix}{other}({', '.join(given)}{lines})")
    return "other-optimizer", f"{other} instead of {here}"
