# type: ignore
"""torch.compiler: what scripts tell a compiler that is not there."""


def disable(fn=None, recursive=True, *, reason=None):
    """The function as it is; as a decorator with options too."""
    return (lambda function: function) if fn is None else fn


def allow_in_graph(fn):
    return fn


def is_compiling():
    return False


is_dynamo_compiling = is_exporting = is_compiling


def reset():
    pass


def cudagraph_mark_step_begin():
    pass
