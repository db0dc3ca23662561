# type: ignore
"""torch.jit: nothing is compiled, so that models and functions stay what they are."""

import torch


def script(obj=None, *args, **kwargs):
    """The model or function as it is; as a decorator with options too."""
    return (lambda function: function) if obj is None else obj


trace = ignore = script


def _as_it_is(obj, *args, **kwargs):
    return obj


export = unused = script_method = interface = freeze = optimize_for_inference = _as_it_is


class ScriptModule(torch.nn.Module):
    """A model whose methods could be compiled."""


def annotate(the_type, the_value):
    return the_value


def is_scripting():
    return False


def is_tracing():
    return False


def fork(func, *args, **kwargs):
    """The result, at once."""
    return func(*args, **kwargs)


def wait(future):
    return future


def save(m, f, _extra_files=None):
    torch.save(m, f)


def load(f, map_location=None, _extra_files=None, _restore_shapes=False):
    return torch.load(f, weights_only=False)
