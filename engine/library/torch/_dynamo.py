# type: ignore
"""torch._dynamo: what scripts set of a compiler that is not there."""


class config:
    suppress_errors = False
    verbose = False
    cache_size_limit = recompile_limit = 8


def reset():
    pass
