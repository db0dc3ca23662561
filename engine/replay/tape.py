"""A tape: what one iteration of a loop computed, as calls of NumPy on arrays that are made once.

It is compiled from what an observer saw while the iteration was executed as always. Arrays on a tape are those of
parameters and of tensors that the script holds (read where they are), inputs that vary (copied in before each use) and
arrays of the tape's own. A tensor that comes from anywhere else cannot be on a tape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.autograd.plain import collect
from engine.brief import Brief
from engine.nn import CrossEntropyLoss
from engine.ops import gemm, loss
from engine.ops.either import scalar
from engine.ops.summing import add_up
from engine.ops.within import seen
from engine.optim.together import parts, room
from engine.replay import kernels, kernels_engine, kernels_more, kernels_smooth, kernels_views
from engine.replay.calls import Call, write_directly
from engine.replay.columns import gathered
from engine.replay.kernels import AT_ONCE, Unsupported, require
from engine.replay.moving import Draw
from engine.replay.picks import Pick, Picks
from engine.replay.products import joined
from engine.replay.pure import is_pick
from engine.replay.sums import columns
from engine.tensor import Parameter, Tensor

if TYPE_CHECKING:
    from engine.autograd.graph import Node

Array = np.ndarray[Any, Any]
KERNELS = kernels.KERNELS | kernels_more.KERNELS | kernels_smooth.KERNELS | kernels_engine.KERNELS
KERNELS |= kernels_views.KERNELS
VIEWS = kernels_views.VIEWS
KEPT_BYTES = 1 << 16
"""Inputs up to this size are compared before what was computed from them is used again."""


@dataclass(slots=True)
class Seen:
    """What one statement did: operations in order (node, output, operands), the backward's root, whose `.grad` came
    to be, the innermost modules that made nodes, what these nodes had saved when it went backward, and what was drawn
    by chance, arrays that torch.zeros() and torch.ones() made, copies that lie in rows (of what, copy), and what was
    picked from tensors (of what, where, what was there)."""

    operations: list[tuple[Node, Tensor, tuple[Any, ...]]] = field(default_factory=list)
    root: Tensor | None = None
    leaves: list[Tensor] = field(default_factory=list)
    makers: dict[Node, Any] = field(default_factory=dict)
    saved: dict[Node, tuple[Any, ...]] = field(default_factory=dict)
    draws: list[Draw] = field(default_factory=list)
    blanks: list[Array] = field(default_factory=list)
    copies: list[tuple[Array, Array]] = field(default_factory=list)
    picks: list[Pick] = field(default_factory=list)


@dataclass(slots=True)
class External:
    """A tensor of the script's that a statement reads under `name`. `copy` is the tape's array when it varies."""

    name: str
    tensor: Tensor
    array: Array
    copy: Array | None
    needs: bool


def _constant(x: Any) -> bool:
    """Whether an operand is an array that nobody can write to, also not where the memory is another's."""
    owner = x if x.__class__ is np.ndarray and x.base is None else getattr(x, "base", None)
    return owner.__class__ is np.ndarray and not owner.flags.writeable


def _address(array: Array) -> Any:
    return array.__array_interface__["data"][0]


class Tape:
    """Compiles statements one after the other; `now` is the list of calls of the current one."""

    def __init__(self, parameters: Sequence[Tensor], varying: frozenset[str]) -> None:
        self.now: list[Call] = []
        self.checks: list[Callable[[], bool]] = []  # of the current statement, when its inputs are there
        self.externals: list[External] = []  # of the current statement
        self.by_chance = False  # random numbers are drawn
        self.stays: list[Callable[[], bool]] = []  # of what does not vary, but could be changed in place
        self.may_differ = False  # a call may say that what it is given is not as it was
        self.may_keep = False  # what the statement computes without recording depends on the inputs alone
        self.buffers: list[Tensor] = []  # of modules, which computing changes
        self.scratch: dict[Any, Any] = {}  # the kernels', by node
        self._seen = Seen()  # of the current statement
        self._draws: list[Draw] = []  # which nothing has used yet
        self._held: list[Array] = []  # of modules, without gradients
        self._picks = Picks()
        self._products: dict[int, Array] = {}
        self._spare: dict[Any, Array] = {}
        self._slopes: dict[Any, tuple[Array, Array, Array]] = {}
        self._computed: set[int] = set()
        self._arrays: dict[int, Array] = {}  # by id of a tensor
        self._varying = varying
        self._kept: list[Any] = []  # tensors whose ids are used
        self._made: dict[Node, tuple[Array, list[Array], tuple[Any, ...]]] = {}
        self._parts: dict[Node, list[Array]] = {}  # the results of nodes that have several
        for tensor in parameters:
            self._know(tensor, tensor._array)

    # -- for the kernels ------------------------------------------------------------------------------------------

    def call(self, function: Callable[..., Any], *arguments: Any) -> None:
        self.now.append((function, arguments))

    def new(self, function: Callable[..., Any], *operands: Any) -> Array:
        """The array that a call with these operands writes its result into. What never changes is computed now."""
        example = function(*operands)
        if all(map(_constant, operands)):
            constant = np.array(example)
            constant.flags.writeable = False
            return constant
        out = np.empty_like(example)
        self.now.append((function, (*operands, out)))
        return out

    def times(self, g: Array, slope: Array) -> Array:
        """g * slope, which is nobody else's: itself where all of `g` is 1, as where a gradient begins."""
        ones = _constant(g) and g.shape == slope.shape and bool((g == 1).all())
        return slope if ones else self.new(np.multiply, g, slope)

    def product(self, a: Array, b: Array, out: Array | None = None) -> Array:
        """The array that a @ b is written into."""
        if out is None:
            if _constant(a) and _constant(b):
                return self.new(gemm.product, a, b)
            out = np.empty((len(a), b.shape[1]), a.dtype)
            self._products[id(out)] = out
        how = gemm.plan(a, b)
        if how is np.multiply:
            kernels.one_each(self, a, b, out)
        else:
            self.now += gemm.calls(how, a, b, out)
        return out

    def owns(self, g: Array) -> bool:
        """Whether a gradient that came to a node was made for it alone, which may be written into."""
        return id(g) in self._products

    def spare(self, shape: tuple[int, ...], kind: Any) -> Array:
        """An array for what is needed from one call to the next: its values are nobody's after that."""
        if (shape, kind) not in self._spare:
            self._spare[shape, kind] = np.empty(shape, kind)
        return self._spare[shape, kind]

    def check(self, condition: Callable[[], bool]) -> None:
        """Before the statement runs, this must hold; otherwise it is executed as always."""
        self.checks.append(condition)

    def operands(self, node: Node) -> list[Array]:
        return self._made[node][1]

    def output(self, node: Node) -> Array:
        return self._made[node][0]

    def is_tensor(self, node: Node, number: int) -> bool:
        return isinstance(self._made[node][2][number], Tensor)

    def array(self, tensor: Tensor) -> Array:
        """Where the values of a tensor are. Raises Unsupported for one that is not known."""
        if not (self.knows(tensor) or self._shows(tensor)):
            raise Unsupported("a tensor of which it is not known where it comes from")
        return self._of(tensor._node, tensor._number) if tensor._node in self._made else self._arrays[id(tensor)]

    def _of(self, node: Node, number: int) -> Array:
        """Where a result of a node is."""
        return self._parts[node][number] if node in self._parts else self._made[node][0]

    def maker(self, node: Node) -> Any:
        """The innermost module that made a node of the current statement, if any did."""
        return self._seen.makers.get(node)

    def saved(self, node: Node) -> tuple[Any, ...]:
        """What a node of the current statement saved, as arrays, also where that has gone backward and freed it."""
        return node.unpack() if node.saved is not None else self._seen.saved[node]

    def moves(self, buffers: Sequence[Tensor]) -> None:
        """Computing changes these tensors."""
        self.buffers += [each for each in buffers if not any(each is other for other in self.buffers)]

    def indices(self, array: Array) -> Array:
        """Where the values of a tensor are whose array an operation keeps. Raises Unsupported for an unknown one."""
        for tensor in self._kept:
            if tensor._array is array:
                return self._arrays[id(tensor)]
        raise Unsupported("indices of which it is not known where they come from")

    # -- compiling ------------------------------------------------------------------------------------------------

    def _know(self, tensor: Tensor, array: Array) -> None:
        self._arrays[id(tensor)] = array
        self._kept.append(tensor)

    def begin(self, names: Mapping[str, Any], reads: frozenset[str], results: set[str]) -> None:
        """A statement that reads these names is next; `results` are those that the tape itself has bound."""
        self.now, self.checks, self.externals = [], [], []
        self._picks.begin()
        for name in sorted(reads):
            tensor = names.get(name)
            if not isinstance(tensor, Tensor):
                continue
            require(self._is_result(tensor) == (name in results), f"`{name}` is not computed on the tape")
            if name in results:
                continue
            require(type(tensor) in (Tensor, Parameter) or id(tensor) in self._arrays)
            require(tensor._node is None and not (tensor._needs and (tensor._base is not None or tensor._hooks)))
            array = tensor._array
            copy = None
            if (name in self._varying or is_pick(name)) and not tensor._needs:
                require(array.flags.c_contiguous)
                copy = np.empty(array.shape, array.dtype)
                np.copyto(copy, array)
            if copy is not None and is_pick(name):
                self._picks.add(name, names, copy)
            elif copy is not None or id(tensor) not in self._arrays:
                self._know(tensor, array if copy is None else copy)
            self.externals.append(External(name, tensor, array, copy, tensor._needs))

    def pick(self, often: Mapping[str, int], picks: Sequence[Pick]) -> None:
        """What the statement picked from tensors is where its externals are, each of which is written `often`."""
        for result, copy in self._picks.found(often, picks):
            self._know(result, copy)

    def know(self, tensors: Sequence[Tensor]) -> None:
        """What the modules that were called hold is read where it is."""
        self._held = [tensor._array for tensor in tensors if not tensor._needs]
        for tensor in tensors:
            require(tensor._node is None)
            if id(tensor) not in self._arrays:
                self._know(tensor, tensor._array)

    def knows(self, tensor: Tensor) -> bool:
        return tensor._node in self._made or id(tensor) in self._arrays

    def given(self, node: Node) -> tuple[Any, ...]:
        """The operands as the engine was given them."""
        return self._made[node][2]

    def _is_result(self, tensor: Tensor) -> bool:
        return tensor._node is not None and tensor._node in self._made

    def operations(self, seen: Seen) -> None:
        """Compile the operations of a statement."""
        self._seen, self._draws = seen, list(seen.draws)
        together = self._side_by_side(seen)
        for node, output, given in seen.operations:
            briefs = [each for each in (output, *given) if isinstance(each, Tensor) and each._array.__class__ is Brief]
            require(not briefs, "bfloat16 is not replayed")
            if type(node) in VIEWS:
                self._show(node, output, given)
                continue
            kernel = KERNELS.get(type(node))
            if kernel is None:
                raise Unsupported(f"{type(node).__name__} is not replayed")
            array = output._array
            require(array.flags.c_contiguous and array.dtype.kind == "f")
            out = together.get(node)
            if out is None:
                out = np.empty_like(array)
            operands = self._operands(node, array.dtype, given)
            self._made[node] = (out, operands, given)
            self._know(output, out)
            kernel[0](self, node, out, operands)
        require(not self._draws, "what was drawn by chance goes elsewhere")

    def _show(self, node: Node, output: Tensor, given: tuple[Any, ...]) -> None:
        """An operation whose results are views of what it is given."""
        (x,) = self._operands(node, output._array.dtype, given)
        shown = VIEWS[type(node)][0](node, x)
        if isinstance(shown, list):
            self._parts[node], shown = shown, x
        else:
            self._know(output, shown)
        self._made[node] = (shown, [x], given)

    def _drawn(self, tensor: Tensor) -> bool:
        """Whether a tensor is what was drawn next by chance: it is drawn anew each time."""
        fill = self._draws[0].into(tensor) if self._draws else None
        if fill is None:
            return False
        del self._draws[0]
        self.by_chance = True
        array = np.empty(tensor._array.shape, tensor._array.dtype)
        self._know(tensor, array)
        self.call(fill, array)
        return True

    def _side_by_side(self, seen: Seen) -> dict[Node, Array]:
        """Where the results of many small operations of one kind will be, when what their gradients need of them can be
        computed for all at once."""
        groups: dict[Any, list[Node]] = {}
        for node, output, _ in seen.operations:
            array = output._array
            if type(node) in AT_ONCE and array.size <= AT_ONCE[type(node)][2]:
                groups.setdefault((type(node), array.shape, array.dtype), []).append(node)
        found: dict[Node, Array] = {}
        for (which, shape, kind), nodes in groups.items():
            if len(nodes) >= AT_ONCE[which][1]:
                each = room([shape])
                results, slopes = np.zeros((len(nodes), each), kind), np.zeros((len(nodes), each), kind)
                places = parts(results.reshape(-1), [shape] * len(nodes))
                of_slopes = parts(slopes.reshape(-1), [shape] * len(nodes))
                for node, place, slope in zip(nodes, places, of_slopes, strict=True):
                    found[node] = place
                    self._slopes[node] = (slope, results, slopes)
        return found

    def slope(self, node: Node) -> Array | None:
        """Where the slope of a node is whose result lies beside others, for one use; the calls that compute all of them
        are made for the first that asks."""
        found = self._slopes.get(node)
        if found is None:
            return None
        slope, results, slopes = found
        if id(slopes) not in self._computed:
            self._computed.add(id(slopes))
            AT_ONCE[type(node)][0](self, results, slopes)
        return slope

    def _operands(self, node: Node, kind: Any, given: tuple[Any, ...]) -> list[Array]:
        """Where the operands of an operation are, whose result is of this dtype. What it has edges to is known by
        these: a tensor that was changed in place since is another operation's result now."""
        made = self._made
        ends = zip(node.edges, node.edge_numbers or repeat(0), strict=False)  # one for each operand that is a tensor
        found = []
        for x in given:
            target, number = next(ends, (None, 0)) if isinstance(x, Tensor) else (None, 0)
            if target in made:
                array = self._of(target, number)
                require(array.dtype is kind)
            else:
                array = self._operand(x, kind, node)
            found.append(array)
        return found

    def _operand(self, x: Any, kind: Any, node: Node) -> Array:
        if isinstance(x, Tensor):
            if not (self.knows(x) or self._drawn(x) or self._shows(x) or self._copied(x) or self._settled(node, x)):
                self._keep(x)
            array = self.array(x)
            require(array.dtype is kind)
            return array
        require(type(x) in (int, float))
        return scalar(float(x), kind)

    def _shows(self, tensor: Tensor) -> bool:
        """Whether a tensor that was not recorded shows another, or a part of it: `x.view(-1, 4)`, `x[:, 0]`."""
        array = tensor._array
        if tensor._node is not None or tensor._needs or not array.size:
            return False
        for other in self._picks.among(array, self._kept):
            known = other._array
            if known.dtype is array.dtype and known.flags.c_contiguous and not other._needs:
                place, at = self._arrays[id(other)], _address(array) - _address(known)
                inside = 0 <= at < known.nbytes and not at % array.itemsize and min(array.strides, default=0) >= 0
                if inside and place.flags.c_contiguous:
                    try:
                        view = seen(place.reshape(-1)[at // array.itemsize :], array.shape, array.strides)
                    except RuntimeError:  # it shows what lies behind the other
                        continue
                    self._know(tensor, view)
                    return True
        return False

    def _copied(self, tensor: Tensor) -> bool:
        """Whether a tensor that was not recorded is a copy that lies in rows, in some shape, of one that is known."""
        array = tensor._array
        for source, copy in self._seen.copies:
            if (array is copy or array.base is copy) and array.size == copy.size and array.flags.c_contiguous:
                shown = Tensor._wrap(source)
                if tensor._needs or tensor._node is not None or tensor._count() or not self._shows(shown):
                    return False
                rows = np.empty(copy.shape, copy.dtype)
                self.call(np.copyto, rows, self.array(shown))
                self._know(tensor, rows.reshape(array.shape))
                return True
        return False

    def _settled(self, node: Node, tensor: Tensor) -> bool:
        """Whether a tensor that was not recorded depends on shapes alone: zeros and ones, and the ones that a loss with
        smoothed labels makes for targets of which none is ignored, which is looked at each time."""
        array, module = tensor._array, self.maker(node)
        if self._blank(tensor):
            self._know(tensor, array.copy())
            return True
        if not isinstance(module, CrossEntropyLoss) or tensor._node is not None or tensor._needs:
            return False
        classes = (each for each, _, _ in self._seen.operations if type(each) is loss.NllLossBackward0)
        if module.weight is not None or module.reduction == "none" or not (array == 1).all():
            return False
        if not any(each.target._array.shape == array.shape for each in classes):
            return False
        self._know(tensor, array.copy())
        return True

    def _blank(self, tensor: Tensor) -> bool:
        """Whether a tensor is what torch.zeros() or torch.ones() made, or a part of it, and nothing has changed it."""
        array = tensor._array
        made = any(array is each or array.base is each for each in self._seen.blanks)
        return made and not (tensor._needs or tensor._node is not None or tensor._count())

    def _keep(self, tensor: Tensor) -> None:
        """A tensor that was computed without being recorded, from inputs that need no gradient: it is the same as long
        as they are."""
        require(self.may_keep and tensor._node is None and not tensor._needs)
        inputs = [e.array if e.copy is None else e.copy for e in self.externals if not e.needs] + self._held
        require(sum(array.nbytes for array in inputs) <= KEPT_BYTES)
        were = [array.tobytes() for array in inputs]
        self.check(lambda: all(a.tobytes() == b for a, b in zip(inputs, were, strict=True)))
        self._know(tensor, tensor._array.copy())

    def backward(self, root: Tensor, leaves: Sequence[Tensor]) -> dict[Tensor, Array]:
        """Compile the walk from `root`; where the gradient of each leaf will be."""
        node = root._node
        require(node is not None and node in self._made and root._array.size == 1)
        assert node is not None
        one = np.ones(root._array.shape, root._array.dtype)
        one.flags.writeable = False
        arrived: dict[Any, Array] = {node: one}  # by node or leaf, or by node and number of a result
        for each in collect([node])[0]:
            require(each in self._made)
            require(each.rare is None or (each in self._parts and each.rare.keys() == {"outputs"}))
            back = (VIEWS.get(type(each)) or KERNELS[type(each)])[1]
            if each in self._parts:
                g: Any = [arrived.pop((each, number), None) for number in range(len(self._parts[each]))]
            else:
                g = arrived.pop(each)
            numbers = each.edge_numbers or (0,) * len(each.edges)
            contributions = back(self, each, g)
            self._products.pop(id(g), None)  # it may have been handed on, to several
            for target, number, c in zip(each.edges, numbers, contributions, strict=True):
                if target is None:
                    continue
                assert c is not None
                key: Any = target
                if target in self._parts:
                    key, like = (target, number), self._parts[target][number]
                elif target in self._made:
                    like = self._made[target][0]
                else:
                    require(isinstance(target, Tensor))
                    like = target._array
                if c.shape != like.shape:
                    c = self._fit(c, like)
                before = arrived.get(key)
                arrived[key] = c if before is None else self.new(np.add, before, c)
        require(set(arrived) == set(leaves))
        gradients = {}
        for leaf in leaves:  # each in an array of its own
            array = np.empty(leaf._array.shape, leaf._array.dtype)
            self.call(np.copyto, array, arrived[leaf])
            gradients[leaf] = array
        self.now = gathered(joined(write_directly(self.now, gradients.values())))
        return gradients

    def result(self, tensor: Tensor) -> Array:
        """Where the values of a tensor that an operation of the tape made are."""
        assert tensor._node is not None
        return self._made[tensor._node][0]

    def _fit(self, c: Array, like: Array) -> Array:
        """A contribution in the shape of what it goes to, which is another than its own, as either.sum_to makes it."""
        extra = c.ndim - like.ndim
        require(extra >= 0 and all(s in (1, h) for s, h in zip(like.shape, c.shape[extra:], strict=True)))
        axes = tuple(range(extra)) + tuple(
            i + extra for i, s in enumerate(like.shape) if s == 1 and c.shape[i + extra] != 1
        )
        kept = np.empty([1 if i in axes else n for i, n in enumerate(c.shape)], c.dtype)
        if axes == (0,) and c.ndim == 2:
            self.now += columns(c, kept.reshape(-1))
        else:
            self.call(add_up, c, axes, None, kept, True)
        return kept.reshape(like.shape)
