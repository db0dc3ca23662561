"""PyTorch's longer messages about tensors, word for word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MethodType
from typing import Any

GRAD_OF_NON_LEAF = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be"
    " populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor,"
    " use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access the"
    " leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information."
)
DETACH_VIEW = (
    "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training,"
    " and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be"
    " called on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in"
    " torch/optim/optimizer.py as the solution."
)
DEEPCOPY = (
    "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  If you"
    " were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see"
    " https://github.com/pytorch/pytorch/pull/103001"
)
TO_SCALAR = (
    "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
    "Consider using tensor.detach() first."
)
NO_FLAG = "requires_grad_(): argument 'requires_grad' (position 1) must be bool, not "
NO_GRAD_OF = "assigned grad expected to be a Tensor or None but got grad of type "
COMPLEX_MODULES = (
    "Complex modules are a new feature under active development whose design may change, and some modules might not"
    " work as expected when using complex tensors as parameters or buffers. Please file an issue at"
    " https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml if a complex module does not work as"
    " expected."
)
CONJUGATE = "Can't call numpy() on Tensor that has conjugate bit set. Use tensor.resolve_conj().numpy() instead."
DATA_OF_WHOLE_NUMBERS = "data set to a tensor that requires gradients must be floating point or complex dtype"
ONLY_LEAVES = "you can only change requires_grad flags of leaf variables."
ONLY_LEAVES_OFF = (
    f"{ONLY_LEAVES} If you want to use a computed variable in a subgraph"
    " that doesn't require differentiation use var_no_grad = var.detach()."
)
INFERENCE_CHANGED = (
    "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal"
    " tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
)
INFERENCE_LEAF = "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."


NO_CUDA_LIBRARY = (
    "Cannot initialize CUDA without ATen_cuda library. PyTorch splits its backend into two shared libraries: a CPU"
    " library and a CUDA library; this error has occurred because you are trying to use some CUDA functionality, but"
    " the CUDA library has not been loaded by the dynamic linker for some reason.  The CUDA library MUST be loaded,"
    " EVEN IF you don't directly use any symbols from the CUDA library! One common culprit is a lack of -Wl,--no-as-"
    "needed in your link arguments; many dynamic linkers will delete dynamic library dependencies if you don't depend"
    " on any of their symbols.  You can check if this has occurred by using ldd on your binary to see if there is a"
    " dependency on *_cuda.so library."
)


def not_writable(name: str) -> Callable[[Any, Any], None]:
    """The setter of an attribute that has none."""

    def refuse(self: Any, value: Any) -> None:
        raise AttributeError(f"attribute '{name}' of 'torch._C.TensorBase' objects is not writable")

    return refuse


def refuse(name: str, given: Sequence[Any]) -> None:
    """Raise TypeError for arguments of a method that has none."""
    count = len(given)
    if name == "numpy":
        raise TypeError(f"numpy() takes 0 positional arguments but {count} {'was' if count == 1 else 'were'} given")
    raise TypeError(f"TensorBase.{name}() takes no arguments ({count} given)")


def weights_only(kind: str) -> str:
    """What torch.load() says of a class, as module.name, that it does not make."""
    return (
        "Weights only load failed. This file can still be loaded, to do so you have two options, \x1b[1mdo those steps"
        " only if you trust the source of the checkpoint\x1b[0m. \n\t(1) In PyTorch 2.6, we changed the default value"
        " of the `weights_only` argument in `torch.load` from `False` to `True`. Re-running `torch.load` with"
        " `weights_only` set to `False` will likely succeed, but it can result in arbitrary code execution. Do it only"
        " if you got the file from a trusted source.\n\t(2) Alternatively, to load with `weights_only=True` please"
        f" check the recommended steps in the following error message.\n\tWeightsUnpickler error: Unsupported global:"
        f" GLOBAL {kind} was not an allowed global by default. Please use"
        f" `torch.serialization.add_safe_globals([{kind}])` or the `torch.serialization.safe_globals([{kind}])`"
        " context manager to allowlist this global if you trust this"
        " class/function.\n\nCheck the documentation of torch.load to learn more about types accepted by default with"
        " weights_only https://pytorch.org/docs/stable/generated/torch.load.html."
    )


_IN_C = {
    "engine.dtypes": "torch.",
    "engine.layouts": "torch.",
    "torch._C": "torch._C.",
}  # PyTorch writes these types in C


IN_PYTHON = (
    " backward is_shared istft lu norm register_hook register_post_accumulate_grad_hook share_memory_ split stft"
    " storage to_sparse_coo unflatten unique unique_consecutive "
)
"""The methods of Tensor that PyTorch writes in Python."""


def called(value: Any) -> str:
    """The name of a value's type; types written in C carry their module's."""
    kind = type(value)
    if kind is MethodType and hasattr(value.__self__, "_array") and f" {value.__name__} " not in IN_PYTHON:
        return "builtin_function_or_method"
    if kind.__module__ in _IN_C:
        return _IN_C[kind.__module__] + kind.__name__
    in_python = bool(kind.__flags__ & 1 << 9)
    return kind.__name__ if in_python or kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def no_device(kind: str) -> str:
    """What is no device is given, of the type `kind` ("": nothing at all)."""
    wrong = f"      didn't match because some of the arguments have invalid types: (!{kind}!)\n" if kind else ""
    return (
        f"device() received an invalid combination of arguments - got ({kind}), but expected one of:\n"
        f" * (torch.device device)\n{wrong} * (str type, int index = -1)\n"
    )


def grad_size(given: Sequence[int], wanted: Sequence[int]) -> str:
    """A gradient of another shape is assigned."""
    return (
        f"attempting to assign a gradient of size '{list(given)}' to a tensor of size '{list(wanted)}'. Please ensure"
        " that the gradient and the tensor are the same size"
    )


def grad_dtype(given: str, wanted: str) -> str:
    """A gradient of another dtype is assigned."""
    return (
        f"attempting to assign a gradient with dtype '{given}' to a tensor with grad_dtype '{wanted}'. The gradient"
        " must match the tensor's grad_dtype (defaults to the tensor's dtype). You can set the tensor's grad_dtype"
        " attribute with a specific dtype, or None to allow any dtype. Set grad_dtype with caution. Diverging the"
        " dtypes of a tensor and its gradient may break downstream systems that assume they match."
    )


def resized(given: Any, needed: Any) -> str:
    return (
        f"An output with one or more elements was resized since it had shape {list(given)}, which does not match the"
        f" required output shape {list(needed)}. This behavior is deprecated, and in a future PyTorch release outputs"
        " will not be resized unless they have zero elements. You can explicitly reuse an out tensor t by resizing it,"
        " inplace, to zero elements with t.resize_(0)."
    )


def real(number: Any, name: str) -> Any:
    """A number that has no imaginary part, as a real one. Raises RuntimeError for others; `name` is the type in C that
    was asked for."""
    if number.__class__ is not complex:
        return number
    if number.imag:
        raise RuntimeError(f"value cannot be converted to type {name} without overflow")
    return number.real


NO_NEGATION = (
    "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or"
    " `logical_not()` operator instead."
)


def type_name(kind: type) -> str:
    """The name of a class, NumPy's with where it is."""
    return f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__
