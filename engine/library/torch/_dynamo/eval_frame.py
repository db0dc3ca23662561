# type: ignore
"""torch.compile(): nothing is compiled. A function stays as it is; a module is called through another, as in PyTorch,
which names its parameters "_orig_mod.weight"."""

import torch

_MODES = ("default", "lite", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune")


class OptimizedModule(torch.nn.Module):
    """Stands for a module: what it does not have itself is that module's."""

    def __init__(self, mod):
        super().__init__()
        self.add_module("_orig_mod", mod)
        super().__setattr__("training", mod.training)

    def forward(self, *args, **kwargs):
        return self._orig_mod(*args, **kwargs)

    def __getattr__(self, name):
        own = next(self.children(), None)
        if own is None:  # it is made just now
            raise AttributeError(name)
        return own if name == "_orig_mod" else getattr(own, name)

    def __setattr__(self, name, value):
        if name == "training":
            super().__setattr__(name, value)
        else:
            setattr(self._orig_mod, name, value)

    def __len__(self):
        if not hasattr(self._orig_mod, "__len__"):
            raise TypeError(f"{type(self._orig_mod).__name__} does not support len()")
        return len(self._orig_mod)


def compile(model=None, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, disable=False):
    """`model`, a module behind another; as a decorator with options too."""
    if model is None:
        return lambda function: compile(
            function, fullgraph=fullgraph, dynamic=dynamic, backend=backend, mode=mode, options=options, disable=disable
        )
    if mode is not None and options is not None:
        raise RuntimeError("Either mode or options can be specified, but both can't be specified at the same time.")
    if mode is not None and backend == "inductor" and mode not in _MODES:
        raise RuntimeError(f"Unrecognized mode={mode}, should be one of: {', '.join(_MODES)}")
    if not callable(model):
        raise AssertionError(f"A callable function is expected, but {type(model)} is provided.")
    return OptimizedModule(model) if isinstance(model, torch.nn.Module) and not disable else model
