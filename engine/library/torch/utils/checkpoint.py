# type: ignore
"""torch.utils.checkpoint: nothing is computed twice here unless `use_reentrant` asks for it; no number depends on it."""

import warnings

import torch

_TOLD = (
    "{}: the use_reentrant parameter should be passed explicitly. {} use_reentrant=False is recommended, but if you need"
    " to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the"
    " differences between the two variants."
)


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


def checkpoint(function, *args, use_reentrant=None, preserve_rng_state=True, **kwargs):
    if use_reentrant is None:
        raises = "Starting in PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception."
        warnings.warn(_TOLD.format("torch.utils.checkpoint", raises), stacklevel=2)
    if use_reentrant is False:
        return function(*args, **kwargs)
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
