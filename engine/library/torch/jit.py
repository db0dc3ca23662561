# type: ignore
"""torch.jit: nothing is compiled. Models that are scripted or traced look as in PyTorch, and can be saved; functions are
called as they are."""

import contextlib
import io

import torch


class ScriptModule(torch.nn.Module):
    """A model whose methods could be compiled."""


class RecursiveScriptModule(ScriptModule):
    """A model as script() gives it: its parts are those of the model, which is what is called."""

    def __init__(self, model):
        super().__init__()
        self.original_name = type(model).__name__
        for name, child in model.named_children():
            self.add_module(name, self._part(child))
        for name, value in model.named_parameters(recurse=False):
            self.register_parameter(name, value)
        for name, value in model.named_buffers(recurse=False):
            self.register_buffer(name, value)
        self.training = model.training
        self._of = [model]  # in a list, so that it is no part; last, as names that are not here are looked for in it

    def _part(self, child):
        return child if isinstance(child, ScriptModule) else RecursiveScriptModule(child)

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            if "_of" not in self.__dict__:
                raise
            return getattr(self._of[0], name)

    def __getitem__(self, key):
        return self._of[0][key]

    def forward(self, *args, **kwargs):
        model = self._of[0]
        before = model.training
        if before == self.training:
            return model(*args, **kwargs)
        try:
            return model.train(self.training)(*args, **kwargs)
        finally:
            model.train(before)

    def extra_repr(self):
        return f"original_name={self.original_name}"

    def save(self, f, _extra_files=None):
        torch.save(self._of[0], f)


class _Traced(RecursiveScriptModule):
    """A part of a model as trace() gives it."""

    def _part(self, child):
        return child if isinstance(child, ScriptModule) else TracedModule(child)

    def _get_name(self):
        return self.original_name


class TracedModule(_Traced):
    """A part of a traced model."""


class TopLevelTracedModule(_Traced):
    """A traced model."""


class ScriptFunction:
    """A function that could be compiled."""

    def __init__(self, function):
        self._of, self.name = function, function.__name__

    def __call__(self, *args, **kwargs):
        return self._of(*args, **kwargs)

    def save(self, f, _extra_files=None):
        torch.save(self.name, f)


def script(obj=None, *args, **kwargs):
    """The model or function, with what PyTorch's has beside; a class as it is. As a decorator with options too."""
    if obj is None:
        return script
    if isinstance(obj, torch.nn.Module):
        return obj if isinstance(obj, ScriptModule) else RecursiveScriptModule(obj)
    return obj if isinstance(obj, (type, ScriptFunction)) else ScriptFunction(obj)


def trace(func, example_inputs=None, *args, check_trace=True, **kwargs):
    """The model or function, with what PyTorch's has beside. It is called once; where PyTorch compares what it gives
    then, twice more, and what was recorded of it once, which prints nothing."""
    inputs = tuple(example_inputs) if isinstance(example_inputs, (tuple, list)) else (example_inputs,)
    if example_inputs is not None:
        for _ in range(3 if check_trace else 1):
            func(*inputs)
        if check_trace:
            with contextlib.redirect_stdout(io.StringIO()):
                func(*inputs)
    if isinstance(func, torch.nn.Module):
        return func if isinstance(func, ScriptModule) else TopLevelTracedModule(func)
    return script(func)


def ignore(obj=None, *args, **kwargs):
    """The function as it is; as a decorator with options too."""
    return (lambda function: function) if obj is None else obj


def _as_it_is(obj, *args, **kwargs):
    return obj


export = unused = script_method = interface = freeze = optimize_for_inference = _as_it_is


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
    m.save(f)


def load(f, map_location=None, _extra_files=None, _restore_shapes=False):
    return script(torch.load(f, weights_only=False))
