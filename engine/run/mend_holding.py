"""Mends for optimizers that hold other parameters than those that are used. Each answers with its label, or None."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from engine.run.editing import Edited, called, optimizers, owner
from engine.run.mend_loops import at_line, block_of, calls_in, last_part, torch_of
from engine.tracing.moments import Finding


def stale_optimizer(edited: Edited, finding: Finding, attempt: int) -> str | None:
    """The optimizer made (again) behind the last assignment of what it is to hold."""
    own = last_part(finding)
    made = next(((name, call) for name, call in optimizers(edited) if name.rpartition(".")[2] == own), None)
    if attempt or made is None or not finding.names:
        return None
    name, constructor = made[0], edited.statement_of(made[1])
    if finding.cause is None:
        return _of_another(edited, finding, name, made[1])
    replaced = at_line([s for s in edited.statements() if isinstance(s, ast.Assign)], finding.cause)
    if replaced is None:
        return None
    text = edited.of(constructor)
    if edited.function(constructor) is not None and edited.function(replaced) is None:
        return _held_instead(edited, finding, made[1], replaced)
    while isinstance(loop := edited.parents.get(id(replaced)), ast.For) and not _trains(loop):
        replaced = loop  # over the layers that get new parameters
    between = [s for s in edited.statements() if constructor.lineno < s.lineno < replaced.lineno]
    used = any(isinstance(part, ast.Name) and part.id == name for s in between for part in ast.walk(s))
    if block_of(edited, constructor) is block_of(edited, replaced) and not used:
        edited.remove(constructor)
    edited.after(replaced, text)
    return f"{name} made after line {replaced.lineno}, from the parameters that are used"


def _held_instead(edited: Edited, finding: Finding, constructor: ast.Call, replaced: ast.stmt) -> str | None:
    """`trainer.model = Net()`, where the trainer made its optimizer itself: the optimizer gets the new parameters."""
    base, _, _ = finding.names[0].rpartition(".")
    given = edited.of(constructor.args[0]) if constructor.args else ""
    if not base or not given.startswith("self."):
        return None
    line = f'{finding.names[0]}.param_groups[0]["params"] = list({base}.{given.removeprefix("self.")})'
    edited.after(replaced, line)
    return f"{finding.names[0]} given the new parameters after line {replaced.lineno}"


def _trains(loop: ast.AST) -> bool:
    return any(called(call) in ("backward", "step", "zero_grad") for call in calls_in(loop))


def _of_another(edited: Edited, finding: Finding, name: str, constructor: ast.Call) -> str | None:
    """`SGD(Net().parameters())`: those of a network that nothing keeps."""
    given = constructor.args[0] if constructor.args else None
    if not (isinstance(given, ast.Call) and called(given) == "parameters" and isinstance(owner(given), ast.Call)):
        return None
    top = finding.names[1].split(".")[0]
    edited.replace(given, f"{top}.parameters()")
    return f"{name} made of {top}.parameters()"


def parameter_not_in_optimizer(edited: Edited, finding: Finding, attempt: int) -> str | None:
    made = optimizers(edited)
    if attempt > 1 or not made or (attempt and not finding.names):
        return None
    if attempt:
        return _rest_as_group(edited, finding)
    if not finding.names:
        return _module_list(edited)
    if (registered := _as_parameter(edited, finding)) is not None:
        return registered
    call = made[0][1]
    given = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "params"), None)
    if given is None:
        return None
    text = edited.of(given)
    if all(name.isidentifier() for name in finding.names):
        more = ", ".join(finding.names)
        if isinstance(given, ast.List) and given.elts and isinstance(given.elts[0], ast.Dict):
            groups = ", ".join(edited.of(each) for each in given.elts)
            edited.replace(given, f'[{groups}, {{"params": [{more}]}}]')
        elif isinstance(given, (ast.List, ast.Tuple)):
            edited.replace(given, f"[{', '.join(edited.of(each) for each in given.elts)}, {more}]")
        else:
            edited.replace(given, f"[*{text}, {more}]")
        return f"{made[0][0]} holds {more} too"
    tops = _inside(edited, finding, made[0]) or list(
        dict.fromkeys(name.split(".")[0].split("[")[0] for name in finding.names)
    )
    if isinstance(given, ast.Call) and called(given) == "parameters" and text.split(".")[0] in tops:
        edited.replace(given, f"{tops[0]}.parameters()" if len(tops) == 1 else _all(tops))
    elif isinstance(given, ast.Call) and called(given) == "parameters":
        edited.replace(given, f"[*{text}, {_all(tops)[1:]}")
    elif isinstance(given, ast.List) and given.elts and not isinstance(given.elts[0], ast.Dict):
        edited.replace(given, f"[{', '.join(edited.of(each) for each in given.elts)}, {_all(tops)[1:]}")
    elif isinstance(given, ast.List) and given.elts:
        groups = ", ".join(edited.of(each) for each in given.elts)
        edited.replace(given, f'[{groups}, {{"params": {_all(tops)}}}]')
    elif (whole := _filtered(given)) is not None and whole.rpartition(".")[0].split(".")[0] in tops[:1]:
        edited.replace(given, f"{whole}()")
    elif isinstance(given, ast.BinOp):
        edited.replace(given, " + ".join([text, *(f"list({top}.parameters())" for top in tops)]))
    else:
        return None
    return f"{made[0][0]} holds the parameters of {', '.join(tops)} too"


def _inside(edited: Edited, finding: Finding, made: tuple[str, ast.Call]) -> list[str]:
    """What the class that makes its optimizer itself calls the modules: "self.model" for "trainer.model.fc.weight"."""
    parts = [name.split(".") for name in finding.names]
    own = edited.function(made[1])
    if not made[0].startswith("self.") or own is None or any(len(each) < 3 for each in parts):
        return []
    given = {edited.of(s.targets[0]) for s in ast.walk(own) if isinstance(s, ast.Assign)}
    found = list(dict.fromkeys(f"self.{each[1]}" for each in parts))
    return found if set(found) <= given else []


def _rest_as_group(edited: Edited, finding: Finding) -> str | None:
    """Parameters that none of the groups holds, as a group of their own."""
    tops = list(dict.fromkeys(name.split(".")[0] for name in finding.names))
    for name, call in optimizers(edited):
        given = call.args[0] if call.args else None
        if isinstance(given, ast.List) and given.elts and all(isinstance(each, ast.Dict) for each in given.elts):
            held = [
                edited.of(value)
                for group in given.elts
                if isinstance(group, ast.Dict)
                for key, value in zip(group.keys, group.values, strict=True)
                if isinstance(key, ast.Constant) and key.value == "params"
            ]
            known = ", ".join(f"*{each}" for each in held)
            rest = f"[p for p in {tops[0]}.parameters() if all(p is not q for q in [{known}])]"
            groups = ", ".join(edited.of(each) for each in given.elts)
            edited.replace(given, f'[{groups}, {{"params": {rest}}}]')
            return f"{name} holds the rest of {tops[0]}'s parameters too"
    return None


def _filtered(given: ast.expr) -> str | None:
    """`net.parameters` where an optimizer is given some of them: `filter(f, net.parameters())`, `[p for p in ...]`."""
    source: ast.expr | None = None
    if isinstance(given, ast.Call) and called(given) == "filter" and len(given.args) == 2:
        source = given.args[1]
    elif isinstance(given, (ast.ListComp, ast.GeneratorExp)):
        source = given.generators[0].iter
    if isinstance(source, ast.Call) and called(source) in ("parameters", "named_parameters"):
        return ast.unparse(source.func).replace("named_parameters", "parameters")
    return None


def _as_parameter(edited: Edited, finding: Finding) -> str | None:
    """`self.pos = torch.zeros(5, requires_grad=True)` as an nn.Parameter, which parameters() sees."""
    own = {name.rpartition(".")[2] for name in finding.names}
    found = [
        s
        for s in edited.statements()
        if isinstance(s, ast.Assign)
        and isinstance(target := s.targets[0], ast.Attribute)
        and target.attr in own
        and "requires_grad" in edited.of(s.value)
        and "Parameter(" not in edited.of(s.value)
    ]
    for s in found:
        edited.replace(s.value, f"{torch_of(edited)}.nn.Parameter({edited.of(s.value)})")
    return f"{edited.of(found[0].targets[0])} as an nn.Parameter" if found else None


def _module_list(edited: Edited) -> str | None:
    """`self.layers = [nn.Linear(...), ...]` as an nn.ModuleList, a dict of modules as an nn.ModuleDict."""
    for statement in edited.statements():
        if (
            isinstance(statement, ast.Assign)
            and isinstance(statement.targets[0], ast.Attribute)
            and isinstance(statement.value, (ast.List, ast.ListComp, ast.Dict, ast.DictComp))
        ):
            calls = [owner(c) for c in calls_in(statement.value) if called(c)[:1].isupper()]
            if calls:
                prefix = edited.of(calls[0]) if calls[0] is not None else "torch.nn"
                kind = "ModuleList" if isinstance(statement.value, (ast.List, ast.ListComp)) else "ModuleDict"
                edited.replace(statement.value, f"{prefix}.{kind}({edited.of(statement.value)})")
                return f"{edited.of(statement.targets[0])} as an nn.{kind}"
    return None


def _all(tops: Sequence[str]) -> str:
    return "[" + ", ".join(f"*{top}.parameters()" for top in tops) + "]"
