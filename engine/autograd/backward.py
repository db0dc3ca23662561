"""The backward walk: from the roots to the leaves, each node once, in the reverse of the order of creation.

The order of creation is a topological order, so a node is reached only after everything that uses its output. What
arrives at a node from several consumers is summed first; what arrives at a leaf is summed first too and then
accumulated into `.grad` in one addition, as PyTorch does.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from sys import getrefcount
from typing import Any

import numpy as np

from engine import dtypes, observe
from engine.autograd import anomaly, grad_mode, graph
from engine.autograd.graph import BEFORE, Node, edge, record
from engine.autograd.hooks import after_node, before_node, run_hooks
from engine.autograd.plain import collect, walk_plain
from engine.autograd.rounds import IN_ROUNDS, run_in_rounds
from engine.autograd.second import run_recorded
from engine.brief import DTYPE, Brief, Lowered, added, brief, cast, wide, write
from engine.ops.either import sum_to
from engine.ops.tablerows import RowGradient, Rows, gradient
from engine.tensor import Tensor
from engine.warn import warn

_ndarray = np.ndarray
_ONES: dict[Any, Any] = {}  # by dtype
_UNITS = {np.dtype(kind): kind(1) for kind in (np.float16, np.float32, np.float64)}

latest: np.ndarray | None = None
"""The number on which backward() was called last, for those who tell it where no variable holds it (one element)."""

_CREATE_GRAPH_WARNING = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient which"
    " can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you have to"
    " use this function, make sure to reset the .grad fields of your parameters to None after use to break the cycle"
    " and avoid the leak."
)


def backward(
    tensors: Tensor | Sequence[Tensor],
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """torch.autograd.backward: accumulate the gradients of `tensors` into the leaves' `.grad` (or only into `inputs`).

    `grad_tensors` are the gradients at `tensors`, of the same shapes; None stands for 1 where a tensor is a scalar.
    Raises RuntimeError with PyTorch's messages."""
    plain = grad_tensors is None and inputs is None and not create_graph and isinstance(tensors, Tensor)
    if plain and _from_loss(tensors, retain_graph and index(retain_graph)):  # type: ignore[arg-type]
        return
    roots = (tensors,) if isinstance(tensors, Tensor) else tuple(tensors)
    grads = _as_many(grad_tensors, len(roots))
    if inputs is not None:
        inputs = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
        if not inputs:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    if retain_graph is None:
        retain_graph = create_graph
    index(retain_graph)  # True and False are numbers; what is none is refused
    starts = _starts(roots, grads, create_graph)
    if create_graph:
        warn(_CREATE_GRAPH_WARNING)
    walk(starts, retain_graph, create_graph, None if inputs is None else _targets(inputs, retain=True), True)
    global latest
    latest = roots[0]._array if len(roots) == 1 and roots[0]._array.size == 1 else None


Tensor._walk_back = staticmethod(backward)


def _from_loss(root: Tensor, retain_graph: Any) -> bool:
    """The commonest backward: of one number, through a plain graph. False, with nothing done, where it is none."""
    array = root._array
    if observe.active is not None or anomaly.enabled:
        return False
    if array.ndim or root._base is not None or root._number or array.dtype.kind != "f":
        return False
    node = root._node
    if node is None:
        return False
    if graph.unusual and collect([node])[2]:
        return False
    mode = grad_mode.enabled
    grad_mode.enabled = False
    try:
        walk_plain(node, _UNITS[array.dtype], retain_graph)
    finally:
        grad_mode.enabled = mode
    global latest
    latest = array
    return True


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]:
    """torch.autograd.grad: the gradients of `outputs` with respect to `inputs` as a tuple; no `.grad` changes."""
    roots = (outputs,) if isinstance(outputs, Tensor) else tuple(outputs)
    wanted = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    if not wanted:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    grads = _as_many(grad_outputs, len(roots))
    if is_grads_batched:
        _enough(roots, grads)
    if retain_graph is None:
        retain_graph = create_graph
    index(retain_graph)
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    if allow_unused is None:
        allow_unused = materialize_grads
    if is_grads_batched:
        settings = (create_graph, only_inputs, allow_unused, False, materialize_grads)
        return _batched(roots, wanted, grads, retain_graph, settings)
    starts = _starts(roots, grads, create_graph)
    for each in wanted:
        if not isinstance(each, Tensor):
            raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type(each).__name__}")
    targets = _targets(wanted)
    found = walk(starts, retain_graph, create_graph, targets, False)
    results: list[Tensor | None] = []
    for i, (t, target) in enumerate(zip(wanted, targets, strict=True)):
        g = found.get(target)
        if g is None:
            if not allow_unused:
                raise RuntimeError(
                    f"The differentiated Tensor at index {i} appears to not have been used in the graph. Set"
                    " allow_unused=True if this is the desired behavior."
                )
            if materialize_grads:
                g = np.zeros_like(t._array)
        results.append(g if g is None or isinstance(g, Tensor) else gradient(g))
    if observe.active is not None:
        observe.active.asked(wanted)
    return tuple(results)


def _batched(
    roots: Any, wanted: Any, grads: tuple[Any, ...], retain_graph: bool, settings: tuple[Any, ...]
) -> tuple[Tensor | None, ...]:
    """The gradients for each row of `grads`, stacked: grad() with is_grads_batched=True."""
    from engine.ops.joins import stack

    for i, (root, g) in enumerate(zip(roots, grads, strict=False)):
        if g is not None and g._array.shape[1:] != root._array.shape:
            raise RuntimeError(
                "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch"
                " dimension. The sizes of the remaining dimensions are expected to match the shape of corresponding"
                f" output, but a mismatch was detected: grad_output[{i}] has a shape of {g.shape} and output[{i}] has a"
                f" shape of {root.shape}. If you only want some tensors in `grad_output` to be considered batched,"
                " consider using vmap."
            )
    rows = max((len(g._array) for g in grads if g is not None), default=1)
    found = []
    for row in range(rows):
        given = tuple(None if g is None else g[row] for g in grads)
        found.append(grad(roots, wanted, given, retain_graph or row < rows - 1, *settings))
    return tuple(None if each[0] is None else stack(each) for each in zip(*found, strict=True))


def _as_many(grads: Any, count: int) -> tuple[Any, ...]:
    """The gradients given, None for each of `count` roots where none are."""
    if grads is None:
        return (None,) * count
    given = (grads,) if isinstance(grads, Tensor) else tuple(grads)
    for each in given:
        if each is not None and not isinstance(each, Tensor):
            raise TypeError("gradients can be either Tensors or None, but got " + type(each).__name__)
    return given


def _enough(roots: Sequence[Tensor], grads: Sequence[Any]) -> None:
    """Raise RuntimeError where a root has no gradient. What is given beside is passed over."""
    if len(grads) < len(roots):
        raise RuntimeError(f"got {len(roots)} tensors and {len(grads)} gradients")


def _targets(inputs: Sequence[Tensor], retain: bool = False) -> list[tuple[Any, int]]:
    """Where the gradients of `inputs` arrive: (node or leaf, output number). `retain`: as .grad, of non-leaves too."""
    targets = []
    for t in inputs:
        if retain:
            t.retain_grad()
        if not t._needs:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
        targets.append((edge(t), t._number))
    return targets


def _starts(roots: Sequence[Tensor], grads: Sequence[Any], create_graph: bool) -> list[tuple[Any, int, Any]]:
    starts = []
    for i, (root, g) in enumerate(zip(roots, grads, strict=False)):
        if not isinstance(root, Tensor):
            raise AssertionError("Expected output to be a torch.Tensor")
        target = edge(root)
        if g is None:
            if target is None:
                raise RuntimeError(f"element {i} of tensors does not require grad and does not have a grad_fn")
            if root._array.size != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            if root._array.dtype.kind == "c":
                raise RuntimeError(f"grad can be implicitly created only for real scalar outputs but got {root.dtype}")
            if root._array.dtype.kind != "f":
                raise RuntimeError(f"Autograd not support dtype: {root.dtype.scalar_type}")
            g = _one(root._array)
            if create_graph:
                g = Tensor._wrap(g)
            else:
                g = wide(g)
        else:
            if g._array.shape != root._array.shape:
                raise RuntimeError(
                    f"Mismatch in shape: grad_output[{i}] has a shape of {g.shape} and output[{i}] has a"
                    f" shape of {root.shape}."
                )
            if target is None:
                raise RuntimeError(f"element {i} of tensors does not require grad and does not have a grad_fn")
            if not create_graph:
                g = wide(g._array)
        starts.append((target, root._number, g))
    _enough(roots, grads)
    if observe.active is not None:
        observe.active.backward(roots)
    return starts


def _one(root: Any) -> Any:
    """A new array of 1 in the shape and dtype of a root of one element."""
    if root.__class__ is Brief:
        return brief(np.ones(root.shape))
    one = _ONES.get(root.dtype)
    if one is None:
        one = _ONES[root.dtype] = np.ones((), root.dtype)
    return one.copy() if root.ndim == 0 else np.ones(root.shape, root.dtype)


def walk(  # noqa: C901 - the inner loop, written out for speed
    starts: Sequence[tuple[Any, int, Any]],
    retain_graph: bool,
    create_graph: bool,
    targets: Sequence[tuple[Any, int]] | None,
    accumulate: bool,
) -> dict[tuple[Any, int], Any]:
    """Carry the gradients of `starts` ((node or leaf, output number, gradient)) back through the graph.

    With `targets` only they receive anything; the result maps each reached target to its gradient. Otherwise every
    leaf accumulates."""
    roots = dict.fromkeys([target for target, _, _ in starts if not isinstance(target, Tensor)])
    order, pending, unusual = collect(list(roots))
    watcher = observe.active
    plain = not (unusual or create_graph or anomaly.enabled) and targets is None
    if plain and (watcher is None or not watcher.every_gradient) and len(starts) == 1:
        root, _, g = starts[0]
        if not isinstance(root, Tensor):
            mode = grad_mode.enabled
            grad_mode.enabled = False
            try:
                walk_plain(root, g, retain_graph)
            finally:
                grad_mode.enabled = mode
            if watcher is not None:
                watcher.reached(list(pending))
            return {}
    arrived: dict[Any, Any] = {}  # node -> gradient (a list for several outputs); leaf -> sum so far
    wanted = None if targets is None else set(targets)
    found: dict[tuple[Any, int], Any] = {}
    needed = None if targets is None else _needed(order, targets)
    mode, around = grad_mode.enabled, graph.running
    grad_mode.enabled = create_graph
    graph.running = (order, pending, needed, wanted, accumulate)
    try:
        for target, number, g in starts:
            _arrive(arrived, target, number, g)
            if isinstance(target, Tensor) and pending.get(target, 0) == 0:
                _leaf(target, arrived.pop(target), create_graph, wanted, found, accumulate)
        for node in order:
            g = arrived.pop(node, None)
            if g is not None and (node.rare is not None or wanted is not None):  # hooks, gradients that are kept
                g = _on_arrival(node, g, create_graph, wanted, found)
            if g is None or (needed is not None and node not in needed):
                contributions: Any = None
            else:
                contributions = _run(node, g, create_graph)
                if watcher is not None:
                    contributions = _shaped(node, contributions)
                    watcher.gradient(node, _arrays(g), [None if c is None else _arrays(c) for c in contributions])
                if not retain_graph:
                    node.free()
            numbers = node.edge_numbers
            for i, target in enumerate(node.edges):
                if target is None:
                    continue
                is_leaf = target.__class__ is not Node and isinstance(target, Tensor)
                c = contributions[i] if contributions is not None else None
                if c is not None:
                    shape = target._array.shape if is_leaf else target.shape
                    dtype = target._array.dtype if is_leaf else target.dtype
                    several = not is_leaf and target.rare is not None and target.outputs is not None
                    if several:
                        shape, dtype = target.outputs[numbers[i] if numbers is not None else 0]
                    if c.__class__ is Tensor:
                        c = _fit_tensor(c, shape, dtype)
                    else:
                        if c.shape != shape:
                            c = sum_to(c if dtype is not DTYPE else cast(c, dtype), shape)
                        if c.dtype is not dtype:
                            c = cast(c, dtype)
                    if several:
                        _arrive(arrived, target, numbers[i] if numbers is not None else 0, c)
                    else:
                        before = arrived.get(target)
                        arrived[target] = c if before is None else added(before, c, dtype)
                if is_leaf:
                    pending[target] -= 1
                    if pending[target] == 0:
                        total = arrived.pop(target, None)
                        if total is not None:
                            # Own the array when nobody else holds it: contributions, c, total and the argument.
                            mine = (
                                total is c
                                and total.__class__ is _ndarray
                                and total.base is None
                                and getrefcount(total) <= 4
                            )
                            _leaf(target, total, create_graph, wanted, found, accumulate, mine)
    finally:
        grad_mode.enabled, graph.running = mode, around
    return found


def _run(node: Node, g: Any, create_graph: bool) -> tuple[Any, ...]:
    """One contribution per edge of `node`, for the gradient that arrived."""
    try:
        try:
            if node.rare is not None and type(node).__name__ in IN_ROUNDS and not create_graph:
                contributions = run_in_rounds(node, g)
            else:
                contributions = run_recorded(node, g) if create_graph else node.backward(g, *node.unpack())
        except Lowered:
            contributions = node.backward(g, *map(wide, node.unpack()))
        if contributions.__class__ is not tuple:
            contributions = (contributions,)
        if anomaly.enabled and anomaly.check_nan:
            anomaly.look(node, contributions)
    except Exception:
        if anomaly.enabled:
            anomaly.told(node)
        raise
    return contributions if node.rare is None or node.post_hooks is None else after_node(node, contributions, g)


def _needed(order: list[Node], targets: Sequence[tuple[Any, int]]) -> set[Any]:
    """The nodes that must run so that every target's gradient is known."""
    goal = {t for t, _ in targets}
    needed: set[Any] = set()
    for node in reversed(order):
        if any(e is not None and (e in goal or e in needed) for e in node.edges):
            needed.add(node)
    return needed


def _arrive(arrived: dict[Any, Any], target: Any, number: int, g: Any) -> None:
    outputs = None if isinstance(target, Tensor) else target.outputs
    if outputs is None:
        before = arrived.get(target)
        arrived[target] = g if before is None else before + g
        return
    slots = arrived.setdefault(target, [None] * len(outputs))
    slots[number] = g if slots[number] is None else slots[number] + g


def _fit_tensor(c: Tensor, shape: tuple[int, ...], dtype: Any) -> Tensor:
    if c._array.shape != shape:
        c = sum_to(c, shape)
    return c if c._array.dtype is dtype else c.to(dtypes.OF[np.dtype(dtype)])


def _shaped(node: Node, contributions: tuple[Any, ...]) -> tuple[Any, ...]:
    """The contributions in the shapes of the inputs (what was broadcast is summed): what a watcher should see."""
    shaped: list[Any] = []
    for i, (target, c) in enumerate(zip(node.edges, contributions, strict=False)):
        if target is None or c is None:
            shaped.append(None)
            continue
        if isinstance(target, Tensor):
            shape = target._array.shape
        elif target.rare is not None and target.outputs is not None:
            shape = target.outputs[node.edge_numbers[i] if node.edge_numbers is not None else 0][0]
        else:
            shape = target.shape
        shaped.append(c if c.shape == shape else sum_to(c, shape))
    return tuple(shaped)


def _arrays(g: Any) -> Any:
    if isinstance(g, list):
        return [None if x is None else _arrays(x) for x in g]
    return g._array if isinstance(g, Tensor) else np.asarray(g)


def _on_arrival(node: Node, g: Any, create_graph: bool, wanted: Any, found: dict[Any, Any]) -> Any:
    """Tensor hooks, retained gradients and the targets of grad(): before the node runs."""
    slots = g if isinstance(g, list) else [g]
    for number, value in enumerate(slots):
        if value is None:
            continue
        if node.rare is not None and value.__class__ is not Tensor and _is_brief(node, number):
            value = brief(value)
        if node.hooks is not None and number in node.hooks:
            value = slots[number] = run_hooks(node.hooks[number], value, create_graph)
        if node.retained is not None and number in node.retained:
            tensor = node.retained[number]
            kept = value if isinstance(value, Tensor) else Tensor._wrap(np.array(value, copy=True, subok=True))
            tensor._grad = kept if tensor._grad is None else tensor._grad + kept
        if wanted is not None and (node, number) in wanted:
            found[node, number] = value
    if node.hooks is not None and node.hooks.get(BEFORE):
        slots = before_node(node, slots, create_graph)
    slots[:] = map(wide, slots)
    return slots if isinstance(g, list) else slots[0]


def _is_brief(node: Node, number: int) -> bool:
    return (node.dtype if node.outputs is None else node.outputs[number][1]) is DTYPE


def _copied(g: Tensor) -> Tensor:
    """A first gradient under create_graph=True is a copy that stays in the graph."""
    from engine.ops.inplace import CopyBackwards

    out = Tensor._wrap(g._array.copy())
    if g._needs:
        record(CopyBackwards, out, (Tensor._wrap(out._array), g))
    return out


def _leaf(
    leaf: Tensor, g: Any, create_graph: bool, wanted: Any, found: dict[Any, Any], accumulate: bool, mine: bool = False
) -> None:
    """A leaf's whole gradient of this backward is there."""
    if leaf._array.__class__ is Brief and g.__class__ is not Tensor:
        g = brief(g)
    if leaf._hooks:
        g = run_hooks(leaf._hooks, g, create_graph)
        mine = False
    if wanted is not None:
        if (leaf, 0) not in wanted:
            return
        found[leaf, 0] = g
        if not accumulate:
            return
    before = leaf._grad
    watcher = observe.active
    if g.__class__ is Tensor:
        old = None if before is None else before._array
        leaf._grad = _copied(g) if before is None else before + g
        if watcher is not None:
            watcher.accumulate(leaf, old, g._array)
    elif before is None:
        leaf._grad = Tensor._wrap(g) if mine else gradient(g, leaf._array.dtype, "C")
        if watcher is not None:
            watcher.accumulate(leaf, None, leaf._grad._array)
    elif before.__class__ is RowGradient:
        leaf._grad = before.added(g) if g.__class__ is Rows else Tensor._wrap(before._array + g)
        if watcher is not None:
            watcher.accumulate(leaf, before._array, np.asarray(g))
    else:
        array = before._array
        old = array.copy() if watcher is not None else None
        if array.__class__ is Brief:
            write(array, wide(array) + wide(g))
        else:
            np.add(array, g, out=array)
        before._changed()
        if watcher is not None:
            watcher.accumulate(leaf, old, np.asarray(g))
    if leaf.__dict__.get("_after_accumulate"):
        for hook in list(leaf.__dict__["_after_accumulate"]):
            hook(leaf)
