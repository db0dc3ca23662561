"""Optimizers and the parameters that they hold, or do not."""

from __future__ import annotations

from collections.abc import Iterator

from engine.tensor import Tensor
from engine.tracing import events as ev
from engine.tracing.diagnosis.cuts import cut_behind
from engine.tracing.diagnosis.scene import Scene, is_parameter, key_of
from engine.tracing.diagnosis.unused import covered, cut_itself, dropped, hidden_modules
from engine.tracing.diagnosis.zeroing import held
from engine.tracing.moments import Finding
from engine.tracing.optimizers import parameters_of
from engine.tracing.wording import count, listed

STEPS = 3
"""Steps after which what has not happened counts as missing."""
UNUSED_STEPS = 5


class NotHeld:
    """Parameters that get gradients, step after step, and that no optimizer holds: `stale-optimizer` where the
    optimizer holds others instead that the script does not use any more, else `parameter-not-in-optimizer`."""

    def __init__(self) -> None:
        self._waiting: dict[str, int] = {}  # parameter -> steps during which it had a gradient and stayed
        self._moved: set[str] = set()
        self._steps = 0
        self._fresh: set[str] = set()  # parameters that got a gradient since the last step
        self._got: dict[str, int] = {}  # parameter -> the steps before its last gradient

    def look(self, scene: Scene) -> Iterator[Finding]:
        text = scene.text
        # A name that means another tensor now: what moved was the old one.
        self._moved -= {n for n, old in scene.meant.items() if n in self._moved and old != _id_of(scene, n)}
        for event in scene.accumulated:
            self._got[event.name] = self._steps
            self._fresh.add(event.name)
        if not (scene.updated or scene.skipped):
            self._moved.update(scene.by_hand)
            return
        times = steps_of(scene)
        self._steps += times
        if not scene.names.optimizers:
            return
        self._moved.update(key_of(event) for event in scene.updated)
        own = scene.held()
        parameters = {id(p) for optimizer in scene.names.optimizers.values() for p in parameters_of(optimizer)}
        modules = any(is_parameter(p) for o in scene.names.optimizers.values() for p in parameters_of(o))
        for name, tensor in scene.trainable():
            grad = tensor._grad
            eligible = (
                id(tensor) not in parameters
                and id(tensor) not in own
                and (is_parameter(tensor) == modules or _unregistered(scene, name))
                and grad is not None
                and name not in self._moved
                and (modules or name not in text.grads)
                and not resting(scene, name)
                and not (text.takes_gradients_itself and (scene.asked(tensor) or not is_parameter(tensor)))
            )
            if not eligible or grad is None or not grad._array.any():
                self._waiting.pop(name, None)
            elif name in self._fresh:
                self._waiting[name] = self._waiting.get(name, 0) + times
        self._fresh.clear()
        yield from self._hidden(scene, set(own))
        waited = [name for name, steps in self._waiting.items() if steps >= STEPS and name in scene.names.tensors]
        if waited:
            yield self._finding(scene, waited)

    def _hidden(self, scene: Scene, held: set[int]) -> Iterator[Finding]:
        """A parameter that no name and no optimizer reaches: what a step leaves alone, and no zero_grad() clears."""
        for leaf in scene.leaves.values():
            tensor = leaf.alive
            if (
                tensor is None
                or leaf.name
                or id(tensor) in held
                or not is_parameter(tensor)
                or len(leaf.contributions) <= STEPS
                or leaf.id in self._moved
            ):
                continue
            shape = "×".join(map(str, tensor._array.shape))
            yield scene.finding(
                "parameter-not-in-optimizer",
                f"A parameter of {shape} numbers gets a gradient from every backward(), but no optimizer holds it and"
                " no zero_grad() clears it. parameters() does not see modules in a plain Python list or dict; those in"
                " an nn.ModuleList or nn.ModuleDict it does.",
                cause=hidden_modules(scene.text),
            )
            return

    def _finding(self, scene: Scene, waited: list[str]) -> Finding:
        for name, optimizer in scene.names.optimizers.items():
            strays = [p for p in parameters_of(optimizer) if is_stray(scene, name, p)]
            if strays and not any(self._lately(scene, p) for p in strays):
                grad = scene.tensors[waited[0]].grad
                line = scene.text.replaced(waited[0], name)
                were = "it was" if len(strays) == 1 else "they were"
                return scene.finding(
                    "stale-optimizer",
                    f"{name} holds {count(len(strays), 'parameter')} that nothing else in the script reaches"
                    + (f": {were} replaced (line {line}) after {name} was made." if line else ".")
                    + " backward() fills .grad of"
                    f" {listed(waited)} instead{f' ({held(grad)} now)' if grad is not None else ''}, and step() moves"
                    " none of them.",
                    names=(name, *waited),
                    cause=line,
                )
        grad = scene.tensors[waited[0]].grad
        what = f" ({held(grad)} now)" if grad is not None else ""
        verb = "gets a gradient" if len(waited) == 1 else "get gradients"
        rest = "it never moves" if len(waited) == 1 else "they never move"
        return scene.finding(
            "parameter-not-in-optimizer",
            f"{listed(waited)} {verb} from every backward(){what}, but no optimizer holds"
            f" {'it' if len(waited) == 1 else 'them'}: after {STEPS} steps {rest}.",
            names=tuple(waited),
        )

    def _lately(self, scene: Scene, parameter: Tensor) -> bool:
        """Whether a backward of the last steps has reached it."""
        return self._steps - self._got.get(scene.names.name(parameter), -STEPS) < STEPS


def resting(scene: Scene, name: str) -> bool:
    """Whether a parameter belongs to a module in eval(): a network that only lends its features."""
    parts = name.split(".")
    owners = [".".join(parts[:i]) for i in range(1, len(parts))]
    return any(owner in scene.names.modules and not scene.names.modules[owner].training for owner in owners)


def is_stray(scene: Scene, optimizer: str, parameter: Tensor) -> bool:
    """Whether the script reaches a parameter through nothing but the optimizer that holds it."""
    name = scene.names.name(parameter)
    return name.startswith(f"{optimizer}.param_groups") or "['params']" in name


def _unregistered(scene: Scene, name: str) -> bool:
    """Whether a tensor is a plain attribute that a module gives itself in __init__."""
    places = scene.text.assigned(name) if name.rpartition(".")[0] in scene.names.modules else []
    return any(getattr(place.function, "name", "") == "__init__" for place in places)


def steps_of(scene: Scene) -> int:
    """How often step() ran in a moment: more than once in a call that trains."""
    moved = [key_of(event) for event in scene.updated] + [key_of(event) for event in scene.skipped]
    return max((moved.count(key) for key in moved[:1]), default=0)


def _id_of(scene: Scene, name: str) -> int | None:
    tensor = scene.names.tensors.get(name)
    return None if tensor is None else id(tensor)


class NoGradient:
    """Parameters that an optimizer holds and skips at every step, because backward() never reaches them: some of its
    parameters while others move, or all of them though backward() has run each time."""

    def __init__(self) -> None:
        self._skipped: dict[str, int] = {}
        self._updated: dict[str, int] = {}  # by optimizer
        self._barren: dict[str, int] = {}  # by optimizer: steps after a backward that left it nothing to use
        self._reached: set[str] = set()
        self._tensors: set[int] = set()  # id() of what was reached, whatever it is called later
        self._stop: ev.GradientAccumulated | None = None  # where the last backward ended

    def look(self, scene: Scene) -> Iterator[Finding]:
        for event in scene.accumulated:
            self._reached.add(key_of(event))
            self._tensors.add(id(scene.names.tensors.get(event.name)))
            self._stop = event
        if not (scene.updated or scene.skipped):
            return
        for moved in scene.updated[:1]:
            self._updated[moved.optimizer] = self._updated.get(moved.optimizer, 0) + steps_of(scene)
        self._count(scene)
        if not scene.skipped:
            return
        own = {p.name: o.name for o in scene.moment.optimizers for p in o.parameters}
        never = [
            name
            for name, steps in self._skipped.items()
            if name not in self._reached
            and name in own
            and steps >= STEPS
            and max(self._updated.get(own[name], 0), self._barren.get(own[name], 0)) >= STEPS
        ]
        cut = [name for name in never if self._in_use(scene, name)]
        lent = [name for name in never if name not in cut and self._skipped[name] >= UNUSED_STEPS]
        unused = [n for n in never if n not in cut and self._skipped[n] >= UNUSED_STEPS and self._unread(scene, n)]
        if cut:
            yield self._cut(scene, cut)
        elif (without := self._without_graph(scene, lent)) is not None:
            yield without
        elif (covered := self._covered(scene, own)) is not None:
            yield covered
        elif unused:
            yield scene.finding(
                "parameter-without-gradient",
                f"{own[unused[0]]} holds {listed(unused)}, but the forward does not use"
                f" {'it' if len(unused) == 1 else 'them'}: after {UNUSED_STEPS} steps .grad is still None.",
                names=tuple(unused),
            )

    def _count(self, scene: Scene) -> None:
        """What was skipped, and the optimizers that had nothing to use though a backward() had run."""
        for skipped in scene.skipped:
            key = key_of(skipped)
            tensor = scene.names.tensors.get(skipped.name)
            if tensor is not None and tensor._needs and key not in self._reached and id(tensor) not in self._tensors:
                self._skipped[key] = self._skipped.get(key, 0) + 1
        moved = {event.optimizer for event in scene.updated}
        for optimizer in {event.optimizer for event in scene.skipped} - moved:
            if self._stop is not None:
                self._barren[optimizer] = self._barren.get(optimizer, 0) + steps_of(scene)
        for optimizer in moved:
            self._barren.pop(optimizer, None)

    def _covered(self, scene: Scene, own: dict[str, str]) -> Finding | None:
        """Where an optimizer has had nothing to use because the forward ran with gradients switched off."""
        stop = self._stop
        if stop is None or not stop.name or stop.name in own or max(self._barren.values(), default=0) < STEPS:
            return None
        line = scene.text.under_no_grad({stop.name})
        if line is None:
            return None
        return scene.finding(
            "no-grad-in-training",
            f"backward() ends at {stop.name}, with {held(stop.added)}: it was computed while gradients were switched"
            f" off (line {line}), and made a leaf. No parameter got a gradient, and step() moved none.",
            names=(stop.name,),
            cause=line,
        )

    def _without_graph(self, scene: Scene, lent: list[str]) -> Finding | None:
        """Parameters that the forward does use, as `w.data` or under no_grad(), so that no operation is recorded."""
        for name in lent:
            if (line := cut_itself(scene.text, name)) is not None:
                return scene.finding(
                    "detached-graph",
                    f"{name} takes part in the forward without its graph only, so backward() never reaches it: after"
                    f" {UNUSED_STEPS} steps .grad is still None. Line {line} cuts it: `{scene.text.text_at(line)}`.",
                    names=(name,),
                    cause=line,
                )
        off = {name: covered(scene.text, name) for name in lent if not resting(scene, name)}
        names = [name for name, line in off.items() if line is not None]
        if not names:
            return None
        line = off[names[0]]
        verb = "is" if len(names) == 1 else "are"
        return scene.finding(
            "no-grad-in-training",
            f"{listed(names)} {verb} held by an optimizer, and used only while gradients are switched off (line"
            f" {line}): after {UNUSED_STEPS} steps .grad is still None.",
            names=tuple(names),
            cause=line,
        )

    def _cut(self, scene: Scene, cut: list[str]) -> Finding:
        place = cut_behind(scene.text, cut)
        lost = dropped(scene.text, cut) if place is None else None
        if lost is not None:
            return scene.finding(
                "parameter-without-gradient",
                f"{listed(cut)} {'takes' if len(cut) == 1 else 'take'} part in the forward, but nothing uses the"
                f" result: line {lost[1]} puts it into {lost[0]}, which is not read, so .grad stays None.",
                names=tuple(cut),
                cause=lost[1],
            )
        where = f" Line {place.line} cuts it: {scene.text.text_at(place.line)}." if place is not None else ""
        stop = ""
        own = {p.name for optimizer in scene.moment.optimizers for p in optimizer.parameters}
        if self._barren and self._stop is not None and self._stop.name and self._stop.name not in own:
            stop = f" It ends at {self._stop.name}, which no optimizer holds, with {held(self._stop.added)}."
        cause = place.line if place is not None else None
        whole = scene.text.of_whole_numbers() if cause is None else None
        if whole is not None and stop and self._stop is not None and scene.text.assigns_at(whole, self._stop.name):
            cause, text = whole, scene.text.text_at(whole)
            where = f" Line {whole} makes whole numbers or comparisons, which have no gradient: `{text}`."
        return scene.finding(
            "detached-graph",
            f"{listed(cut)} {'takes' if len(cut) == 1 else 'take'} part in the forward, but backward() never reaches"
            f" {'it' if len(cut) == 1 else 'them'}: the way from there to the loss is cut.{where}{stop}",
            names=tuple(cut),
            cause=cause,
        )

    def _in_use(self, scene: Scene, name: str) -> bool:
        """Whether a recorded operation has used the parameter."""
        tensor = scene.names.tensors.get(name)
        leaf = scene.leaves.get(id(tensor))
        return leaf is not None and leaf.alive is tensor

    def _unread(self, scene: Scene, name: str) -> bool:
        """Whether the text never reads the module or tensor outside of the line that makes it: a proof that no later
        iteration will. What is reached by an index may be."""
        parts = name.split(".")
        text = scene.text
        targets = [t for place in text.assignments for t in getattr(place.node, "targets", ())]
        if any(getattr(target, "attr", "") == parts[-1] for target in targets):  # self.scale = nn.Parameter(...)
            return text.names.get(parts[-1], 0) <= 0
        own = parts[0] if len(parts) == 1 else parts[-2]
        if not own.isidentifier():
            return False
        inside = len(parts) > 2 and "getattr" not in text.names  # an attribute of a module, no variable of that name
        reads = (text.attributes if inside else text.names).get(own, 0)
        return reads <= 0 or (len(parts) == 1 and reads == 1)
