"""Leaves that are no longer those the optimizer or the loop means, and graphs that are cut before the loss."""

from __future__ import annotations

from collections.abc import Iterator

from engine.autograd import grad_mode
from engine.tracing.diagnosis.cuts import cut_before, cut_before_backward
from engine.tracing.diagnosis.reading import CUTTING_METHODS
from engine.tracing.diagnosis.scene import Scene, key_of
from engine.tracing.moments import Finding
from engine.tracing.wording import listed

NO_GRAPH = "element 0 of tensors does not require grad and does not have a grad_fn"
NO_TENSOR = "'float' object has no attribute 'backward'"
IN_PLACE = "a leaf Variable that requires grad is being used in an in-place operation"


class RecreatedLeaf:
    """`w = w - lr * w.grad` makes a new tensor: the name `w` no longer means the leaf that gets gradients. Said when
    the loop goes on with it; a `requires_grad_()` in the meantime would have made a leaf of it again."""

    def __init__(self) -> None:
        self._pending: dict[str, Finding] = {}

    def look(self, scene: Scene) -> Iterator[Finding]:
        moment = scene.moment
        if self._pending and (moment.error is not None or scene.accumulated or moment.do in ("forward", "backward")):
            for name, finding in self._pending.items():
                state = scene.tensors.get(name)
                if state is not None and not (state.grad_fn is None and state.requires_grad):
                    yield finding
                    break
            self._pending.clear()
        if moment.error is not None:
            return
        for name, old in scene.before.items():
            state = scene.tensors.get(name)
            if (
                old.requires_grad
                and old.grad_fn is None
                and old.grad is not None
                and state is not None
                and (state.grad_fn is not None or not state.requires_grad)
                and (line := scene.text.rebinds(name, moment.line)) is not None
            ):
                what = (
                    f"it is the result of a {state.grad_fn}, no leaf, so backward() gives it no .grad"
                    if state.grad_fn is not None
                    else "it does not require grad, so backward() passes it by"
                )
                self._pending[name] = scene.finding(
                    "recreated-leaf",
                    f"`{scene.text.text_at(line)}` made a new tensor: {name} is not the leaf any more that"
                    f" had the gradient; {what}.",
                    names=(name,),
                    cause=line,
                )


class InPlaceOnLeaf:
    """`w -= lr * w.grad` outside of torch.no_grad()."""

    def look(self, scene: Scene) -> Iterator[Finding]:
        error = scene.moment.error
        if error is None or not error.message.startswith(IN_PLACE):
            return
        name = scene.text.text_at(error.line).split("-=")[0].split("+=")[0].strip()
        names = (name,) if name in scene.tensors else ()
        yield scene.finding(
            "update-outside-no-grad",
            f"{name if names else 'A leaf'} was changed in place while operations are recorded: PyTorch refuses that."
            " An update belongs into `with torch.no_grad():`.",
            names=names,
            cause=error.line,
        )


class Detached:
    """backward() finds no graph under the loss, or only the loss itself."""

    def look(self, scene: Scene) -> Iterator[Finding]:
        moment = scene.moment
        root = scene.root() or "loss"
        if moment.error is not None:
            failing = scene.text.text_at(moment.error.line)
            if "grad(" in failing and ".backward" not in failing:
                return  # autograd.grad() of something else than the loss
            if moment.error.message.startswith(NO_GRAPH):
                yield self._no_graph(scene, root)
            elif moment.error.message == NO_TENSOR:
                place = cut_before_backward(scene.text)
                where = f" Line {place.line} made one of it: `{scene.text.text_at(place.line)}`." if place else ""
                yield scene.finding(
                    "detached-graph",
                    f"{root} is a Python number, no tensor: there is no graph that backward() could go through.{where}",
                    names=(root,),
                    cause=place.line if place is not None else None,
                )
            return
        if len(scene.accumulated) == 1 and key_of(scene.accumulated[0]) == root and not scene.flowed:
            covered = scene.text.under_no_grad({root})
            if covered is not None:
                yield scene.finding(
                    "no-grad-in-training",
                    f"backward() reached nothing but {root} itself: it was computed while gradients were switched off"
                    f" (line {covered}), and made a leaf. None of the parameters got a gradient.",
                    names=(root,),
                    cause=covered,
                )
                return
            place = cut_before(scene.text, root)
            whole = scene.text.of_whole_numbers() if place is None else None
            if whole is not None:
                yield scene.finding(
                    "detached-graph",
                    f"backward() reached nothing but {root} itself: line {whole} makes whole numbers or comparisons of"
                    f" what the network says (`{scene.text.text_at(whole)}`), which have no gradient, so none of the"
                    " parameters got one.",
                    names=(root,),
                    cause=whole,
                )
                return
            where = f" (line {place.line}: `{scene.text.text_at(place.line)}`)" if place is not None else ""
            yield scene.finding(
                "detached-graph",
                f"backward() reached nothing but {root} itself: {root} was made anew from its value{where}, so the"
                " way to the parameters is cut and none of them got a gradient.",
                names=(root,),
                cause=place.line if place is not None else None,
            )

    def _no_graph(self, scene: Scene, root: str) -> Finding:
        trainable = [name for name, _ in scene.trainable()]
        covered = scene.text.under_no_grad()
        if not grad_mode.enabled or covered is not None:
            return scene.finding(
                "no-grad-in-training",
                f"{root} has no graph: it was computed while gradients were switched off"
                + (f" (line {covered})." if covered is not None else "."),
                names=(root,),
                cause=covered,
            )
        if not trainable:
            return scene.finding(
                "nothing-requires-grad",
                f"{root} has no graph: no tensor of the script has requires_grad=True, so there is nothing to compute"
                " gradients for.",
                names=(root,),
            )
        place = cut_before(scene.text, root, CUTTING_METHODS)
        behind = scene.text.behind_the_roots()
        covered = scene.text.under_no_grad(behind) if place is None and behind else None
        place = place or cut_before_backward(scene.text)
        if covered is not None:
            return scene.finding(
                "no-grad-in-training",
                f"{root} has no graph: what it is computed of was computed while gradients were switched off"
                f" (line {covered}).",
                names=(root,),
                cause=covered,
            )
        where = f" Line {place.line} cuts it: `{scene.text.text_at(place.line)}`." if place is not None else ""
        return scene.finding(
            "detached-graph",
            f"{root} has no graph, so backward() cannot reach {listed(trainable)}.{where}",
            names=(root,),
            cause=place.line if place is not None else None,
        )
