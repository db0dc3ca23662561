"""How a failure is told: what it means here, what to change, and the ways on that a person can choose."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.script.check import MISSING_BUILTINS
from engine.script.reading.notebook import lost_with
from engine.tracing.advice import advise
from engine.tracing.culprits import culprit
from engine.tracing.moments import Explanation, Failure, Moment, Offer
from engine.tracing.spent import Spent, freeing, tell

if TYPE_CHECKING:
    from engine.tracing.explain import Facts

LONGEST = 3_000
"""Characters of a message that are read for what it means: a script's own may have millions, which patterns would go
through again and again."""


def explain_failure(moment: Moment, failure: Failure, facts: Facts) -> tuple[Explanation, str]:
    """(explanation, suggestion) of a moment that failed. A line that stands in the way can be passed over."""
    if len(failure.message) > LONGEST:
        failure = replace(failure, message=failure.message[:LONGEST])
    explanation, suggestion = _explained(moment, failure, facts)
    if explanation.culprit is None and (found := culprit(moment, failure, facts)) is not None:
        explanation = replace(explanation, text=_with(explanation.text, found.text), culprit=found.moment)
        suggestion = _with(suggestion, found.text) if suggestion else f"{found.text}."
    in_the_way = moment.do is None and not moment.free and moment.line is not None and moment.line == moment.next_line
    if in_the_way and not explanation.offers:
        offers = (Offer(f"pass over line {moment.line}", ({"do": "skip"},)),)
        explanation = replace(explanation, offers=offers)
    return explanation, suggestion


def _with(text: str, culprit: str) -> str:
    """The culprit in the last sentence: a failure is told in two of them."""
    if text.endswith("?"):
        return f"{text} {culprit}."
    return f"{text.removesuffix('.')}; {culprit}."


def _explained(moment: Moment, failure: Failure, facts: Facts) -> tuple[Explanation, str]:
    lead = {"zero_grad": "zero_grad()", "forward": "forward", "backward": "backward()", "step": "step()", None: ""}[
        moment.do
    ]
    who = lead or (f"Line {moment.line}" if moment.line is not None else "The statement")
    if not lead and moment.line is not None and not moment.line <= failure.line <= (moment.end_line or moment.line):
        who = f"Line {failure.line}, called from line {moment.line},"
    message = failure.message
    script = facts.script
    has_forward = script is not None and any(phase.do == "forward" for phase in script.phases)
    if failure.limit is not None:
        text = f"{who} was stopped: {_ended(message)}"
        return Explanation(text, lead), "Use fewer or smaller steps, or raise the limit."
    unbound = r"(?:name|cannot access (?:local|free) variable) '(\w+)' (?:is not defined|where it is not)"
    if failure.type in ("NameError", "UnboundLocalError") and (name := re.match(unbound, message)):
        return _no_name(moment, who, lead, name[1], facts, has_forward)
    if message.startswith("Trying to backward through the graph a second time"):
        return _freed(moment, who, lead, facts, has_forward)
    if "modified by an inplace operation" in message and facts.spent is not None:
        return _of_spent(facts.spent, moment, who, lead, facts)
    if "modified by an inplace operation" in message:
        again = "Press forward" if has_forward else "Compute it"
        suggestion = f"{again} again, so that backward() sees the values as they are now."
        offers = (_forward_again("forward again"),) if has_forward else ()
        return Explanation(
            f"{who} failed: a tensor that this graph saved has been changed in place since. {suggestion}",
            lead,
            offers,
        ), suggestion
    suggestion = advise(moment, failure)
    text = f"{who} failed: {failure.type}: {_first_sentence(message)}"
    return Explanation(_ended(text) + (f" {suggestion}" if suggestion else ""), lead), suggestion


def _no_name(
    moment: Moment, who: str, lead: str, name: str, facts: Facts, has_forward: bool
) -> tuple[Explanation, str]:
    script = facts.script
    made_by = None
    for phase in script.phases if script is not None else ():
        if phase.do == "forward" and any(name in _stored(statement) for statement in phase.statements):
            made_by = phase
            break
    if made_by is not None and moment.phase != made_by.id and has_forward:
        suggestion = f"There is no {name} yet: press forward."
        command = {"do": "forward"} if made_by.id == "forward" else {"do": "forward", "phase": made_by.id}
        return Explanation(
            f"{who} failed. There is no {name} yet: press forward first, it computes {name}.",
            lead,
            (Offer("forward", (command,)),),
        ), suggestion
    usual = f"Nothing is called {name} yet: run the line that makes it first, or look for a slip in the name."
    if script is not None and (cell := lost_with(script.lines, name)):
        who_made = f"{cell[0].upper()}{cell[1:]} of the notebook"
        usual = f"{who_made} makes {name}, and was left out: mend it, its lines are comments."
    suggestion = MISSING_BUILTINS.get(name, usual)
    return Explanation(
        f"{who} failed: {_ended(moment.error.message if moment.error else '')} {suggestion}", lead
    ), suggestion


def _freed(moment: Moment, who: str, lead: str, facts: Facts, has_forward: bool) -> tuple[Explanation, str]:
    if facts.spent is not None and facts.spent.used is not None:
        return _of_spent(facts.spent, moment, who, lead, facts)
    at = facts.last_backward if facts.spent is None else facts.spent.since.number
    when = f"the backward() of moment {at}" if at is not None else "an earlier backward()"
    if facts.spent is not None:
        when = freeing(facts.spent.since, facts)
    again = "Press forward" if has_forward else "Compute it"
    suggestion = f"{again} again to record a new graph, or call backward(retain_graph=True) the first time."
    offers = [_forward_again("forward again")] if has_forward else []
    statement = _retaining(moment.statement)
    if at is not None and at > 0 and statement is not None and moment.do == "backward":
        offers.append(
            Offer("use retain_graph", ({"do": "statement", "statement": statement, "at": at - 1}, {"do": "backward"}))
        )
    return Explanation(
        f"{who} failed: {when} freed this graph's saved tensors, so there is nothing left to go back"
        f" through. {suggestion}",
        lead,
        tuple(offers),
        at,
    ), suggestion


def _of_spent(spent: Spent, moment: Moment, who: str, lead: str, facts: Facts) -> tuple[Explanation, str]:
    part, suggestion, offers = tell(spent, moment, facts)
    return Explanation(f"{who} failed: {part}. {suggestion}", lead, offers, spent.since.number), suggestion


def _forward_again(label: str) -> Offer:
    return Offer(label, ({"do": "forward"}, {"do": "backward"}))


def _retaining(statement: str) -> str | None:
    """The statement with retain_graph=True in its backward call."""
    try:
        tree = ast.parse(statement.strip())
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    for part in ast.walk(tree):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "backward":
            part.keywords = [k for k in part.keywords if k.arg != "retain_graph"]
            part.keywords.append(ast.keyword("retain_graph", ast.Constant(True)))
            return ast.unparse(tree)
    return None


def _stored(statement: ast.stmt) -> set[str]:
    return {part.id for part in ast.walk(statement) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


def _first_sentence(message: str) -> str:
    """The whole message is in Failure."""
    first = re.split(r"(?<=[.!?]) ", message.strip().split("\n")[0])[0]
    return first if len(first) <= 200 else first[:199] + "…"


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else text + "."
