"""Tensor: an array with a history.

What lives here is state: the array, whether it requires grad, its `.grad`, the node that made it, its version. What
can be done with it (operators, methods) comes from engine/ops/, attached by engine/ops/methods.py.

A storage is a NumPy buffer; views share it, and share the counter that in-place changes advance. The counter is made
when the first view or change needs it: most tensors never have one, which reads as version 0.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from engine import dtypes, layouts, messages, printing
from engine.brief import for_numpy, tagged
from engine.copies import FILED, copy_array

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.autograd.graph import Node

Array = np.ndarray[Any, Any]
_ndarray = np.ndarray
_new = object.__new__

INFERENCE: list[int] = [0]  # the counter of tensors made in inference_mode: they have no version
HELD = frozenset({"_was_view", "_is_conj", "_after_accumulate", "_view", "_views", "_hooks", "_retains"})
"""What the engine keeps in a tensor's `__dict__`: few tensors have any of it, so making one does not set it."""
_fresh: list[int] | None = None  # the counter of new tensors: INFERENCE inside of inference_mode


def in_inference_mode() -> bool:
    """Whether new tensors are inference tensors."""
    return _fresh is not None


def make_inference_tensors(value: bool) -> None:
    """Whether tensors made from now on are inference tensors."""
    global _fresh
    _fresh = INFERENCE if value else None


class Tensor:
    """A multi-dimensional array of one dtype that takes part in autograd. `Tensor(2, 3)` and `Tensor([1, 2])` are
    PyTorch's legacy constructor (float32)."""

    __slots__ = ("__dict__", "__weakref__", "_array", "_base", "_counter", "_grad", "_needs", "_node", "_number")

    _array: Array
    _needs: bool  # requires_grad
    _grad: Tensor | None
    _node: Node | None  # grad_fn
    _number: int  # which output of that node
    _counter: list[int] | None  # [version], shared by all views of a storage
    _base: Tensor | None  # the tensor that this one is a view of
    # Of a view: its parent, how to make it again from the parent, the version when that was last done, and "no_grad" or
    # "many" where that cannot be done.
    _view: tuple[Tensor, Callable[[Tensor], Tensor], int, str] | None = None
    _views: list[Any] | None = None  # weak references to views of a base that did not require grad when they were made
    _hooks: list[Any] | None = None  # of a leaf
    _retains = False

    _legacy_dtype: ClassVar[dtypes.dtype] = dtypes.float32
    _copier: ClassVar[Any] = None  # of a class over Tensor: what deepcopy() makes of it
    _walk_back: ClassVar[Callable[..., None]]  # engine.autograd.backward.backward, which brings itself

    def __new__(cls, *data: Any, **kwargs: Any) -> Tensor:
        from engine.ops.fromdata import legacy_constructor

        return legacy_constructor(cls, data, kwargs)

    @staticmethod
    def _wrap(array: Any) -> Tensor:
        """A new tensor around `array` (not copied), without history. NumPy scalars become 0-d arrays."""
        t = _new(Tensor)
        t._array = array if array.__class__ is _ndarray else tagged(array)
        t._needs = False
        t._grad = t._node = t._base = None
        t._counter = _fresh
        t._number = 0
        return t

    @classmethod
    def _like(cls, other: Tensor) -> Any:
        """A new object of this class over the array of `other`, sharing its version counter, without history."""
        t = _new(cls)
        t._array = other._array
        t._needs = False
        t._grad = t._node = t._base = None
        t._counter = other._share_counter()
        t._number = 0
        return t

    def _share_counter(self) -> list[int]:
        return self._count_from(0) if self._counter is None else self._counter

    def _count_from(self, version: int) -> list[int]:
        """Make the counter. A node that saved this tensor as its output looks at it from now on."""
        node, counter = self._node, [version]
        if node is not None and node.output is not None and not self._number:
            node.output_counter = counter
        self._counter = counter
        return counter

    def _changed(self) -> None:
        """Count an in-place change. Raises RuntimeError for an inference tensor that is changed elsewhere: as in
        PyTorch it has been changed by then."""
        if self._counter is None:
            self._count_from(1)
        elif self._counter is not INFERENCE:
            self._counter[0] += 1
        elif _fresh is None:
            raise RuntimeError(messages.INFERENCE_CHANGED)

    def _count(self) -> int:
        """The version, also of inference tensors, where it means nothing."""
        return self._counter[0] if self._counter is not None else 0

    # -- what it is ----------------------------------------------------------------------------------------------

    @property
    def _version(self) -> int:
        if self._counter is INFERENCE:
            raise RuntimeError("Inference tensors do not track version counter.")
        return self._counter[0] if self._counter is not None else 0

    @property
    def shape(self) -> dtypes.Size:
        """The size of each dimension."""
        return dtypes.size_of(self._array.shape)

    @property
    def ndim(self) -> int:
        return self._array.ndim

    @property
    def dtype(self) -> dtypes.dtype:
        return dtypes.OF[self._array.dtype]

    @property
    def device(self) -> dtypes.device:
        return dtypes.CPU

    @property
    def requires_grad(self) -> bool:
        """Whether operations on this tensor are recorded. Only floating point tensors can."""
        return self._needs

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if value.__class__ is not bool:
            raise RuntimeError("requires_grad must be a bool")
        if value and self._array.dtype.kind not in "fc":
            raise RuntimeError("only Tensors of floating point and complex dtype can require gradients")
        if self._node is not None:
            raise RuntimeError(messages.ONLY_LEAVES if value else messages.ONLY_LEAVES_OFF)
        if value and self._counter is INFERENCE and _fresh is None:
            raise RuntimeError(messages.INFERENCE_LEAF)
        self._needs = value or (self._base is not None and self._base._needs)
        if self._views is not None:
            from engine.ops.inplace import wake_views

            wake_views(self)
        if value and self._base is not None:  # a view becomes a leaf of its own
            self._base = self._view = None
            self.__dict__["_was_view"] = True  # messages still call it one

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Change requires_grad in place; returns self."""
        given: Any = requires_grad
        if not isinstance(given, bool):
            raise TypeError(messages.NO_FLAG + type(given).__name__)
        if requires_grad and self._array.dtype.kind not in "fc":
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        if self._node is None or not requires_grad:  # asking for what an operation's result has is no fault
            self.requires_grad = requires_grad
        return self

    @property
    def grad_fn(self) -> Node | None:
        """The node that recorded how this tensor was computed; None for a leaf."""
        if self._base is not None:
            self._refresh()
        return None if self._node is None else self._node.seen()

    def _refresh(self) -> None:
        """A view whose storage was changed since it was made takes part in its base's history as it is now."""
        base, view = self._base, self._view
        if base is None or view is None or view[2] == self._count() or not (self._needs or base._needs):
            return
        from engine.ops.inplace import regenerate

        regenerate(self, base)

    def is_inference(self) -> bool:
        """Whether this tensor was made in inference_mode."""
        return self._counter is INFERENCE

    @property
    def is_leaf(self) -> bool:
        return self.grad_fn is None

    @property
    def output_nr(self) -> int:
        return self._number

    @property
    def retains_grad(self) -> bool:
        return self._retains

    @property
    def grad(self) -> Tensor | None:
        """The accumulated gradient: None until a backward reached this leaf. Reading it on a tensor that is not a leaf
        warns, as PyTorch does, unless retain_grad() was called."""
        if self._grad is None and self._node is not None and not self._retains:
            from engine.warn import warn

            warn(messages.GRAD_OF_NON_LEAF)
        return self._grad

    @grad.setter
    def grad(self, value: Any) -> None:
        if value is None:
            self._grad = None
            return
        if not isinstance(value, Tensor):
            raise TypeError(messages.NO_GRAD_OF + type(value).__name__)
        if value is self:
            raise RuntimeError("can't assign Variable as its own grad")
        if value.dtype is not self.dtype:
            raise RuntimeError(messages.grad_dtype(dtypes.c_name(value.dtype), dtypes.title(self.dtype)))
        if value._array.shape != self._array.shape:
            raise RuntimeError(messages.grad_size(value.shape, self.shape))
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    @property
    def data(self) -> Tensor:
        """The same storage, outside of autograd's sight: changes through it are not counted as versions."""
        t = Tensor._wrap(self._array)
        t._counter = INFERENCE if self._counter is INFERENCE else None
        return t

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {messages.called(value)}")
        if self._needs and value._array.dtype.kind not in "fc":
            raise RuntimeError(messages.DATA_OF_WHOLE_NUMBERS)
        self._array = value._array

    layout: ClassVar[layouts.layout] = layouts.strided
    is_cpu: ClassVar[bool] = True
    is_cuda = is_meta = is_mps = is_sparse = is_quantized = is_mkldnn = is_xpu = is_nested = is_sparse_csr = False

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self._array.size * self.dtype.itemsize

    # -- out of the engine ---------------------------------------------------------------------------------------

    def item(self, *wrong: Any) -> Any:
        """The Python number in a tensor of one element."""
        messages.refuse("item", wrong) if wrong else None
        if self._array.size != 1:
            raise RuntimeError(f"a Tensor with {self._array.size} elements cannot be converted to Scalar")
        return self._array.item()

    def tolist(self, *wrong: Any) -> Any:
        messages.refuse("tolist", wrong) if wrong else None
        return self._array.tolist()

    def numpy(self, *wrong: Any, force: bool = False) -> Array:
        """An array over the same memory; not the tensor's own, whose shape a script could change in place. A tensor
        that requires grad must be detached first, where that is kept."""
        messages.refuse("numpy", wrong) if wrong else None
        from engine.autograd import grad_mode

        if self._needs and not force and grad_mode.enabled:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        if self.__dict__ and "_is_conj" in self.__dict__ and not force:
            raise RuntimeError(messages.CONJUGATE)
        return for_numpy(self._array)

    def __array__(self, dtype: Any = None) -> Array:  # without `copy`, as PyTorch's: NumPy says so when it matters
        return self.numpy() if dtype is None else self.numpy().astype(dtype, copy=False)

    def __array_wrap__(self, array: Array) -> Tensor:
        """As PyTorch's: of bool, which it did not have once, np.isnan(x) and the like make uint8."""
        return Tensor._wrap(array.astype("uint8") if array.dtype.kind == "b" else array)

    __array_priority__ = 1000

    def __repr__(self) -> str:
        try:
            node = self.grad_fn
            name = None if node is None else node.short_name()
        except RuntimeError:  # of a view whose base was changed in a way that it cannot follow
            name = "Invalid"
        return printing.tensor_repr(self._array, self.dtype, self._needs, name, type(self))

    def __format__(self, spec: str) -> str:
        plain = self._array.ndim == 0 and type(self) is Tensor
        return format(self._array.item(), spec) if plain else object.__format__(self, spec)

    def __delitem__(self, index: Any) -> None:
        raise TypeError("Tensor does not support deleting items")

    def __len__(self) -> int:
        if self._array.ndim:
            return int(self._array.shape[0])
        raise TypeError("len() of a 0-d tensor")

    def __bool__(self) -> bool:
        size = self._array.size
        if size != 1:
            values = "more than one value" if size else "no values"
            raise RuntimeError(f"Boolean value of Tensor with {values} is ambiguous")
        return bool(self._array.item())

    def _scalar(self) -> Any:
        if self._array.size == 1:
            return self._array.item()
        raise ValueError("only one element tensors can be converted to Python scalars")

    def __float__(self) -> float:
        from engine.autograd import grad_mode

        if self._needs and grad_mode.enabled:
            from engine.warn import warn

            warn(messages.TO_SCALAR)
        return float(messages.real(self._scalar(), "double"))

    def __int__(self) -> int:
        return int(messages.real(self._scalar(), "int64_t"))

    def __index__(self) -> int:
        if self._array.dtype.kind not in "iub" or self._array.size != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._array.item())

    __hash__ = object.__hash__

    def __contains__(self, element: Any) -> bool:
        if isinstance(element, (Tensor, int, float, bool, complex)):
            return bool((element == self).any().item())  # type: ignore[union-attr]
        raise RuntimeError(f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}.")

    # -- copies --------------------------------------------------------------------------------------------------

    def __deepcopy__(self, memo: dict[Any, Any]) -> Tensor:
        if id(self) in memo:
            return memo[id(self)]
        if (copier := self._copier) is not None and FILED not in memo:
            return copier(self, memo)
        if self._node is not None and FILED not in memo:
            raise RuntimeError(messages.DEEPCOPY)
        t = _new(type(self))
        memo[id(self)] = t
        copy_array(t, self._array, memo, is_parameter := isinstance(self, Parameter))
        t._needs, t._node, t._base, t._number = self._needs, None, None, 0
        # As in PyTorch, where parameters are made anew, without their gradients and attributes, and others are filled.
        t._counter = None if is_parameter and FILED not in memo else [1]
        t._grad = None if self._grad is None or is_parameter or FILED in memo else self._grad.__deepcopy__(memo)
        if self.__dict__ and not is_parameter:
            t.__dict__.update({name: deepcopy(each, memo) for name, each in self.__dict__.items() if name not in HELD})
        return t

    # -- autograd ------------------------------------------------------------------------------------------------

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Add d(self)/d(leaf) into `.grad` of every leaf that self was computed from. `gradient` (of self's shape) is
        needed unless self is a scalar; the graph's saved tensors are freed unless `retain_graph`."""
        Tensor._walk_back(self, gradient, retain_graph, create_graph, inputs)

    def retain_grad(self) -> None:
        """Keep this non-leaf tensor's gradient in `.grad`."""
        if not self._needs:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if self._node is None or self._retains:
            return
        node: Any = self.grad_fn
        self._retains = True
        node.retained = {**(node.retained or {}), self._number: self}

    def register_hook(self, hook: Any) -> Any:
        """`hook(grad) -> Tensor or None` runs when this tensor's gradient is computed; what it returns replaces it."""
        from engine.autograd.graph import RemovableHandle, hook_leaf

        if not self._needs:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        node = self.grad_fn
        if node is None:
            self._hooks = [] if self._hooks is None else self._hooks
            return hook_leaf(self._hooks, hook)
        if node.hooks is None:
            node.hooks = {}
        return RemovableHandle(node.hooks.setdefault(self._number, []), hook)

    def register_post_accumulate_grad_hook(self, hook: Any) -> Any:
        """`hook(self)` runs after a backward has accumulated into `.grad`. Only leaves have it."""
        from engine.autograd.graph import hook_leaf

        if not self._needs:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self.grad_fn is not None:
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        return hook_leaf(self.__dict__.setdefault("_after_accumulate", []), hook)

    def detach(self, *wrong: Any) -> Tensor:
        """The same storage (and version counter) without history."""
        messages.refuse("detach", wrong) if wrong else None
        t = Tensor._wrap(self._array)
        t._counter = self._share_counter()
        return t

    def detach_(self) -> Tensor:
        """Make this tensor a leaf without history, in place. Raises RuntimeError for a view."""
        if in_inference_mode():
            return self
        if self._view is not None or "_was_view" in self.__dict__:
            raise RuntimeError(messages.DETACH_VIEW)
        self._share_counter()  # which its node may have to look at, now that it is out of sight
        self._node = self._base = None
        self._number, self._needs = 0, False
        return self

    if TYPE_CHECKING:  # attached by engine/ops/methods.py

        def __getattr__(self, name: str) -> Any: ...
        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __floordiv__(self, other: Any) -> Tensor: ...
        def __mod__(self, other: Any) -> Tensor: ...
        def __pow__(self, other: Any) -> Tensor: ...
        def __rpow__(self, other: Any) -> Tensor: ...
        def __matmul__(self, other: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __abs__(self) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __eq__(self, other: object) -> Tensor: ...  # type: ignore[override]
        def __ne__(self, other: object) -> Tensor: ...  # type: ignore[override]
        def __lt__(self, other: Any) -> Tensor: ...
        def __le__(self, other: Any) -> Tensor: ...
        def __gt__(self, other: Any) -> Tensor: ...
        def __ge__(self, other: Any) -> Tensor: ...
        def __getitem__(self, index: Any) -> Tensor: ...
        def __setitem__(self, index: Any, value: Any) -> None: ...


for _name in ("shape", "ndim", "dtype", "device", "grad_fn", "is_leaf", "output_nr", "retains_grad", "_version"):
    setattr(Tensor, _name, Tensor.__dict__[_name].setter(messages.not_writable(_name)))


class Parameter(Tensor):
    """A Tensor that a Module registers when it is assigned as an attribute."""

    __slots__ = ()
    _of_class: ClassVar[Any]  # what becomes of a tensor of another class

    def __new__(cls, data: Tensor | None = None, requires_grad: Any = True) -> Any:
        if data is None:
            data = Tensor._wrap(np.empty(0, np.float32))
        if data.__class__ is not Tensor and data.__class__ is not Parameter:
            if not isinstance(data, Tensor):
                raise AttributeError(f"'{messages.called(data)}' object has no attribute 'detach'")
            return cls._of_class(data, requires_grad)
        if (kind := type(requires_grad)) is not bool:
            raise TypeError(f"_make_subclass(): argument 'require_grad' (position 3) must be bool, not {kind.__name__}")
        if requires_grad and data._array.dtype.kind not in "fc":
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        parameter = cls._like(data)
        return parameter.requires_grad_() if requires_grad else parameter

    def __repr__(self) -> str:
        return "Parameter containing:\n" + printing.named(super().__repr__(), type(self))
