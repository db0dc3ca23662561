"""Mends for parameters that the forward does not use: what was computed of them is used, they take the place of a
sibling that is used twice, or the optimizer lets go of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from engine.run.editing import Edited, called, optimizers, owner
from engine.tracing.moments import Finding


def unused(edited: Edited, finding: Finding, attempt: int) -> str | None:
    """The changes one after the other, the attempt's."""
    changes = [*_of_result(edited, finding), *_of_siblings(edited, finding), *_of_optimizer(edited, finding)]
    if attempt >= len(changes):
        return None
    nodes, text, label = changes[attempt]
    for node in nodes:
        edited.replace(node, text)
    return label


Change = tuple[list[ast.AST], str, str]
"""What is replaced, by what, and what that is called."""


def _of_result(edited: Edited, finding: Finding) -> Iterator[Change]:
    """`h = f(x); return g(x)`: g of h."""
    for statement in edited.statements():
        if not isinstance(statement, ast.Assign) or statement.lineno != finding.cause:
            continue
        target = statement.targets[0]
        if not isinstance(target, ast.Name):
            continue
        given = {part.id for call in _calls(statement.value) for part in call.args if isinstance(part, ast.Name)}
        block = edited.blocks[id(statement)]
        later = [part for each in block[block.index(statement) + 1 :] for part in ast.walk(each)]
        read = [part for part in later if isinstance(part, ast.Name) and part.id in given]
        reads: list[ast.AST] = [part for part in read if isinstance(part.ctx, ast.Load)]
        if reads and len(reads) == len(read):
            yield reads, target.id, f"{target.id} in place of {edited.of(reads[0])} (line {_line(reads[0])})"


def _of_siblings(edited: Edited, finding: Finding) -> Iterator[Change]:
    """`self.q(x), self.q(x)` where self.k is not used: self.k the second time."""
    own = _own(finding)
    made = _made(edited)
    if own is None or own not in made:
        return
    siblings = {name for name, maker in made.items() if maker == made[own] and name != own}
    simple = [s for s in edited.statements() if not hasattr(s, "body") or isinstance(s, (ast.For, ast.Lambda))]
    for statement in simple:
        head = [statement.iter, statement.target] if isinstance(statement, ast.For) else [statement]
        parts = [part for each in head for part in ast.walk(each)]
        for name in siblings:
            uses = sorted((part for part in parts if _means(part, name)), key=edited.span)
            if len(uses) > 1:
                text = edited.of(uses[-1])
                other = own.join(text.rsplit(name, 1))
                yield [uses[-1]], other, f"{other} in place of the second {text} (line {_line(uses[-1])})"


def _of_optimizer(edited: Edited, finding: Finding) -> Iterator[Change]:
    """The optimizer without them: it shows that they did nothing."""
    for name, call in optimizers(edited)[:1]:
        given = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "params"), None)
        label = f"{name} without {', '.join(finding.names)}"
        if isinstance(given, ast.List):
            kept = [edited.of(each) for each in given.elts if not _is_of(edited.of(each), finding)]
            if kept and len(kept) < len(given.elts):
                yield [given], f"[{', '.join(kept)}]", label
        elif isinstance(given, ast.BinOp) and isinstance(given.op, ast.Add):
            for dropped, kept_side in ((given.right, given.left), (given.left, given.right)):
                if _is_of(edited.of(dropped), finding):
                    yield [given], edited.of(kept_side), label
        elif isinstance(given, ast.Call) and called(given) == "parameters" and (on := owner(given)) is not None:
            last = f".{edited.of(on)}".rpartition(".")[2]
            rest = [n.partition(f".{last}.")[2] for n in (f".{name}" for name in finding.names)]
            if all(rest):
                names = ", ".join(f'"{each}"' for each in rest)
                kept_of = f"[p for n, p in {edited.of(on)}.named_parameters() if n not in ({names},)]"
                yield [given], kept_of, label


def _is_of(text: str, finding: Finding) -> bool:
    """Whether an entry of what an optimizer is given is only the parameters that are not used."""
    found = re.fullmatch(r"\*?(?:list\()?([\w.\[\]]+?)(?:\.parameters\(\))?\)?", text)
    return found is not None and all(name == found[1] or name.startswith(f"{found[1]}.") for name in finding.names)


def _own(finding: Finding) -> str | None:
    """ "k" of "model.0.k.weight", "w2" of "w2"."""
    for name in finding.names:
        parts = [part for part in name.split(".") if part.isidentifier()]
        if parts:
            return parts[-2] if len(parts) > 1 else parts[-1]
    return None


def _made(edited: Edited) -> dict[str, str]:
    """What attributes, variables and entries of dicts were made by: `self.q = nn.Linear(...)`: "q" by "Linear"."""
    made: dict[str, str] = {}
    for node in ast.walk(edited.tree):
        if isinstance(node, ast.Assign):
            pairs: list[tuple[ast.expr, ast.expr]] = []
            for target in node.targets:
                both = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
                pairs += zip(target.elts, node.value.elts, strict=False) if both else [(target, node.value)]  # type: ignore[attr-defined]
            for target, value in pairs:
                name = getattr(target, "attr", getattr(target, "id", None))
                if isinstance(name, str) and isinstance(value, ast.Call):
                    made[name] = called(value)
        elif isinstance(node, ast.Dict):
            for key, entry in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str) and isinstance(entry, ast.Call):
                    made[key.value] = called(entry)
    return made


def _means(part: ast.AST, name: str) -> bool:
    if isinstance(part, (ast.Attribute, ast.Name)) and not isinstance(part.ctx, ast.Load):
        return False
    return name in (getattr(part, "attr", None), getattr(part, "id", None)) or (
        isinstance(part, ast.Constant) and part.value == name
    )


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    return (part for part in ast.walk(node) if isinstance(part, ast.Call))


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 0))
