"""torch.autograd.Function: operations that a user writes, with a backward of their own."""

from __future__ import annotations

from typing import Any

from engine.autograd import grad_mode
from engine.autograd.graph import FREED, Node, make_rare, record, record_many
from engine.autograd.packing import Packed, pack_one
from engine.brief import DTYPE, brief, wide
from engine.tensor import Tensor
from engine.warn import warn


def _bound(forward: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """The arguments of a forward beside a setup_context, which is given all of them in order, also the defaults.
    Raises TypeError in Python's words for those that do not fit."""
    from inspect import signature  # which an import of the engine does not need

    bound = signature(forward).bind(*args, **kwargs)
    bound.apply_defaults()
    if bound.kwargs:
        raise TypeError(f"forward() got an unexpected keyword argument '{next(iter(bound.kwargs))}'")
    return bound.args


class FunctionCtx:
    """What forward and backward share: saved tensors, flags, and any attribute that the user sets."""

    def __init__(self) -> None:
        self._to_save: tuple[Any, ...] = ()
        self._node: _CustomNode | None = None
        self.needs_input_grad: tuple[bool, ...] = ()
        self._non_differentiable: tuple[Tensor, ...] = ()
        self._dirty: tuple[Tensor, ...] = ()
        self._materialize = True
        self._of = "Function"

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'{self.__dict__.get('_of', 'Function')}Backward' object has no attribute '{name}'")

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for backward; freed with the graph, and checked for in-place changes.

        What is no tensor is refused when forward is over, by apply()."""
        self._to_save = tensors

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        node = self._node
        if node is None:
            return self._to_save
        return node.held(grad_mode.enabled)

    @property
    def saved_variables(self) -> tuple[Any, ...]:
        """The older name of `saved_tensors`."""
        warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning)
        return self.saved_tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        self._non_differentiable = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        self._dirty = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether backward sees zeros (True) or None for outputs that received no gradient."""
        self._materialize = value


class _CustomNode(Node):
    operation = "function"

    def written(self, address: str) -> str:
        return super().written(address).replace("<", "<torch.autograd.function.", 1)

    ctx: FunctionCtx
    function: type[Function]
    kept: tuple[Any, ...] = ()
    custom_freed = False
    mask: tuple[bool, ...] = ()  # which arguments of apply() were tensors

    def name(self) -> str:
        return self.function.__name__ + "Backward"

    def held(self, recorded: bool) -> tuple[Any, ...]:
        """What forward() saved, for a backward (which may be recorded). Raises RuntimeError where it is freed."""
        if self.custom_freed:
            raise RuntimeError(FREED)
        self._check(self.kept)
        show = Packed.in_graph if recorded else Packed.unpacked
        return tuple(show(each) if isinstance(each, Packed) else each for each in self.kept)

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        return self.held(False)

    @property
    def saved_variables(self) -> tuple[Any, ...]:
        """The older name of `saved_tensors`."""
        return self.ctx.saved_variables

    def __call__(self, *gradients: Any, **named: Any) -> Any:
        """PyTorch's node of a function has apply() in its place. Raises TypeError."""
        raise TypeError(f"'{self.name()}' object is not callable")

    def apply(self, *grad_outputs: Any) -> Any:
        """What the function's backward makes of these gradients, outside of any backward()."""
        return self.function.backward(self.ctx, *grad_outputs)

    def __getattr__(self, name: str) -> Any:
        """PyTorch's node of a function is its context: what forward() has put there is read from it."""
        ctx = self.__dict__.get("ctx")
        if ctx is None or name.startswith("_") or name not in ctx.__dict__:
            raise AttributeError(f"'{self.short_name()}' object has no attribute '{name}'")
        return ctx.__dict__[name]

    def unpack(self) -> tuple[Any, ...]:
        return ()

    def unpack_tensors(self) -> tuple[Any, ...]:
        return ()

    def free(self) -> None:
        if self.kept:
            self.custom_freed = True
            self.kept = ()

    @property
    def freed(self) -> bool:
        return self.custom_freed

    def backward(self, g: Any) -> Any:
        import numpy as np

        from engine.ops.dispatch import wrap

        gs = g if isinstance(g, list) else [g]
        shapes = self.outputs or ((self.shape, self.dtype),)
        inside_graph = any(isinstance(x, Tensor) for x in gs)
        given = [
            x if isinstance(x, Tensor) or x is None else wrap(brief(x) if kind is DTYPE else x)
            for x, (_, kind) in zip(gs, shapes, strict=True)
        ]
        if self.ctx._materialize:
            given = [
                wrap(brief(np.zeros(s)) if d is DTYPE else np.zeros(s, d)) if x is None else x
                for x, (s, d) in zip(given, shapes, strict=True)
            ]
        results = self.function.backward(self.ctx, *given)
        if not isinstance(results, tuple):
            results = (results,)
        wanted = len(self.mask)
        if len(results) < wanted or any(r is not None for r in results[wanted:]):
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected"
                f" {wanted}, got {len(results)})"
            )
        kept: list[Any] = []
        for i, (r, is_tensor) in enumerate(zip(results, self.mask, strict=False)):
            if r is not None and not isinstance(r, Tensor):
                raise RuntimeError(f"expected Variable or None (got {type(r).__name__})")
            if is_tensor:
                if r is not None:
                    self._check_shape(len(kept), r)
                kept.append(None if r is None else r if inside_graph else wide(r._array))
            elif r is not None:
                raise RuntimeError(
                    f"function {self.name()} returned a gradient different than None at position {i + 1}, but the"
                    " corresponding forward input was not a Variable"
                )
        return tuple(kept)

    def _check_shape(self, at: int, gradient: Tensor) -> None:
        target = self.edges[at]
        if target is None:
            return
        if isinstance(target, Tensor):
            shape = target._array.shape
        elif target.outputs is not None:
            shape = target.outputs[self.edge_numbers[at] if self.edge_numbers else 0][0]
        else:
            shape = target.shape
        have = gradient._array.shape
        n = len(have) - len(shape)
        if n < 0 or any(s not in (1, h) for s, h in zip(shape, have[n:], strict=True)):
            raise RuntimeError(
                f"Function {self.name()} returned an invalid gradient at index {at} - got {list(have)} but expected"
                f" shape compatible with {list(shape)}"
            )


def handed_on(input: Tensor) -> Tensor:
    """`input` as the result of a function that returns what it was given: a view, for a history of its own."""
    if not input._needs:
        return input.detach()
    from engine.ops.shape import link, view_as

    out = input.detach()
    link(out, input, lambda t: view_as(t, t), "custom")
    return out


class Function:
    """Subclass it with static methods forward(ctx, *args) and backward(ctx, *grad_outputs); call `apply`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all static, so you should"
            " invoke them on the class itself. Instantiating an autograd function will raise an error in a future"
            " version of PyTorch.",
            DeprecationWarning,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd"
            " function with static forward method. (Example:"
            " https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom"
            " autograd.Function to use it with backward mode AD."
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        raise NotImplementedError("setup_context is not implemented.")

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run forward outside of the graph and record one node for it."""
        ctx = FunctionCtx()
        ctx._of = cls.__name__
        apart = cls.setup_context is not Function.setup_context
        if apart:
            args, kwargs = _bound(cls.forward, args, kwargs), {}
        named, args = kwargs, (*args, *kwargs.values())  # what is given by name is an input like the others
        first = args[: len(args) - len(named)]
        ctx.needs_input_grad = tuple(isinstance(a, Tensor) and a._needs for a in args)
        with grad_mode.no_grad():
            if apart:
                output = cls.forward(*args)
                cls.setup_context(ctx, args, output)
            else:
                output = cls.forward(ctx, *first, **named)
        if not any(ctx.needs_input_grad) or not grad_mode.enabled:
            return output
        for i, each in enumerate(ctx._to_save):
            if each is not None and not isinstance(each, Tensor):
                raise TypeError(
                    f"save_for_backward can only save variables, but argument {i} is of type {type(each).__name__}"
                )
        many = isinstance(output, tuple)
        outputs = output if many else (output,)
        if not all(any(each is o for o in outputs) for each in ctx._dirty):
            raise RuntimeError(
                "Some elements marked as dirty during the forward method were not returned as output. The inputs that"
                " are modified inplace must all be outputs of the Function."
            )
        if any(each._needs and each._node is None for each in ctx._dirty):
            raise RuntimeError("a leaf Variable that requires grad has been used in an in-place operation.")
        fresh = []
        for o in outputs:
            if isinstance(o, Tensor) and any(o is a for a in args) and not any(o is d for d in ctx._dirty):
                o = handed_on(o)
            elif isinstance(o, Tensor) and o._view is not None and o._view[3] == "no_grad":
                o._view = (*o._view[:2], o._count(), "many" if len(outputs) > 1 else "custom")
            fresh.append(o)
        tensors = [o for o in fresh if isinstance(o, Tensor)]
        if not tensors:
            return output
        flags = [o._array.dtype.kind in "fc" and not any(o is n for n in ctx._non_differentiable) for o in tensors]
        kind = type(cls.__name__ + "Backward", (_CustomNode,), {"function": cls})
        if len(tensors) == 1:
            node = record(kind, tensors[0], args) if flags[0] else None
        else:
            node = record_many(kind, tensors, args, (), flags)
        if node is not None:
            assert isinstance(node, _CustomNode)
            make_rare(node)  # it unpacks and frees in its own way
            node.ctx, ctx._node = ctx, node
            node.mask = tuple(isinstance(a, Tensor) for a in args)
            node.kept = tuple(pack_one(each) for each in ctx._to_save)
            node.versions = tuple(t._version if isinstance(t, Tensor) else 0 for t in ctx._to_save)
        return tuple(fresh) if many else fresh[0]
