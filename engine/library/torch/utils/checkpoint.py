# type: ignore
"""torch.utils.checkpoint: functions whose backward computes them once more, in place of what they would keep."""

import warnings
from contextlib import nullcontext

import torch

_TOLD = (
    "{}: the use_reentrant parameter should be passed explicitly. {} use_reentrant=False is recommended, but if you need"
    " to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the"
    " differences between the two variants."
)


_TIP = """

Tip: To see a more detailed error message, either pass `debug=True` to
`torch.utils.checkpoint.checkpoint(...)` or wrap the code block
with `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to
enable checkpoint\u2011debug mode globally.

If this error occurs under torch.compile with automatic_dynamic_shapes enabled,
it may be because the recomputation selected a different compiled graph than the
forward pass (e.g., a dynamic graph instead of the original static graph).
To fix this, either:
  - Use torch._dynamo.mark_dynamic() to explicitly mark varying dimensions as
    dynamic upfront, avoiding the static-to-dynamic transition.
  - Call torch._C._dynamo.eval_frame._set_lru_cache(False) to disable LRU cache
    reordering, which can change which graph is checked first between forward
    and recompute.
See https://github.com/pytorch/pytorch/issues/166926 for more details and
workaround examples.
"""


class CheckpointFunction(torch.autograd.Function):
    """Forward without a graph; backward runs the function again, from where random numbers were, and goes back through
    that."""

    @staticmethod
    def forward(ctx, function, preserve_rng_state, *args):
        if not any(isinstance(each, torch.Tensor) and each.requires_grad for each in args):
            warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=3)
        ctx.function, ctx.args = function, args
        ctx.state = torch.get_rng_state() if preserve_rng_state else None
        with torch.no_grad():
            return function(*args)

    @staticmethod
    def backward(ctx, *grads):
        given = [each.detach().requires_grad_(each.requires_grad) if _flows(each) else each for each in ctx.args]
        now = torch.get_rng_state()
        if ctx.state is not None:
            torch.set_rng_state(ctx.state)
        with torch.enable_grad():
            made = ctx.function(*given)
        if ctx.state is not None:
            torch.set_rng_state(now)
        made = (made,) if isinstance(made, torch.Tensor) else made
        pairs = [(each, grad) for each, grad in zip(made, grads) if _flows(each) and each.requires_grad]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        torch.autograd.backward([each for each, _ in pairs], [grad for _, grad in pairs])
        return None, None, *[each.grad if isinstance(each, torch.Tensor) else None for each in given]


def _flows(value):
    return isinstance(value, torch.Tensor) and value.is_floating_point()


class CheckpointError(RuntimeError):
    """What was computed again is not what was computed first."""


class _Enough(Exception):
    """All that was kept is there again: the function need not go on."""


class _Again:
    """A call whose nodes keep nothing: the first of them that backward() asks has the function run again, from where
    random numbers were, until all that they would keep is there."""

    def __init__(self, function, args, kwargs, preserve_rng_state, early_stop):
        self.function, self.args, self.kwargs, self.early_stop = function, args, kwargs, early_stop
        self.state = torch.get_rng_state() if preserve_rng_state else None
        self.count = 0
        self.found = {}

    def first(self):
        with torch.autograd.graph.saved_tensors_hooks(self._pack, self._unpack):
            return self.function(*self.args, **self.kwargs)

    def _pack(self, tensor):
        self.count += 1
        return self.count - 1

    def _unpack(self, number):
        if number not in self.found:
            self._compute()
        return self.found.pop(number)

    def _compute(self):
        made = []

        def pack(tensor):
            made.append(tensor.detach())
            if self.early_stop and len(made) == self.count:
                raise _Enough
            return tensor

        now = torch.get_rng_state()
        if self.state is not None:
            torch.set_rng_state(self.state)
        try:
            with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor), torch.enable_grad():
                self.function(*self.args, **self.kwargs)
        except _Enough:
            pass
        finally:
            if self.state is not None:
                torch.set_rng_state(now)
        if len(made) != self.count:
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and"
                f" recomputation.\nNumber of tensors saved during forward: {self.count}\nNumber of tensors saved during"
                f" recomputation: {len(made)}.{_TIP}"
            )
        self.found = dict(enumerate(made))


def _no_contexts():
    return nullcontext(), nullcontext()


def checkpoint(
    function,
    *args,
    use_reentrant=None,
    preserve_rng_state=True,
    context_fn=_no_contexts,
    determinism_check="default",
    debug=False,
    early_stop=True,
    **kwargs,
):
    if use_reentrant is None:
        raises = "Starting in PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception."
        warnings.warn(_TOLD.format("torch.utils.checkpoint", raises), stacklevel=2)
    if use_reentrant is False:
        return _Again(function, args, kwargs, preserve_rng_state, early_stop).first()
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    return CheckpointFunction.apply(function, preserve_rng_state, *args)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, preserve_rng_state=True):
    if use_reentrant is None:
        raises = "In version 2.9 we will raise an exception if use_reentrant is not passed."
        warnings.warn(_TOLD.format("torch.utils.checkpoint.checkpoint_sequential", raises), stacklevel=2)
    functions = list(functions)
    size = len(functions) // segments
    for start in range(0, size * (segments - 1), size):
        input = checkpoint(
            _chain(functions[start : start + size]),
            input,
            use_reentrant=use_reentrant is not False,
            preserve_rng_state=preserve_rng_state,
        )
    return _chain(functions[size * (segments - 1) :])(input)


def _chain(functions):
    def run(input):
        for function in functions:
            input = function(input)
        return input

    return run
