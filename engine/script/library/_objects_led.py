# type: ignore
"""What NumPy's functions do where arrays of objects (_objects.py) are among their arguments: those that move elements
move places, the others are done to the objects one by one."""

import numpy as np
from _objects import LISTS, is_many, make, ndarray, of_items, wanted

_REFUSED = "loop of ufunc does not support argument 0 of type {} which has no callable {} method"
_BY_METHOD = """sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh
arccosh arctanh rint floor ceil trunc degrees radians""".split()
_UNSUPPORTED = "isnan isinf isfinite signbit".split()
_FIGURES = "sum prod mean min max any all argmin argmax std var".split()
_PAIRS = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "true_divide": lambda a, b: a / b,
    "power": lambda a, b: a**b,
    "equal": lambda a, b: a == b,
    "not_equal": lambda a, b: a != b,
    "less": lambda a, b: a < b,
    "greater": lambda a, b: a > b,
    "maximum": lambda a, b: a if a >= b else b,
    "minimum": lambda a, b: a if a <= b else b,
}


def _taken(name, args, kwargs, function):
    """What a function of NumPy that moves elements makes: it moves their places."""
    held = []

    def places(value):
        if isinstance(value, ndarray):
            held.extend(value._items())
            return np.arange(len(held) - value.size, len(held)).reshape(value.shape)
        return value

    def replaced(value):
        if isinstance(value, LISTS) and any([isinstance(each, ndarray) for each in value]):
            return [places(make(each) if is_many(each) else of_items([each], ())) for each in value]
        return places(value)

    if name == "append" or name == "where":
        args = [args[0] if name == "where" else make(args[0]), *[make(each) for each in args[1:]]]
    elif name == "insert":
        args = [args[0], args[1], make(args[2]), *args[3:]]
    elif isinstance(args[0], ndarray) and name in _JOINED:
        args = [list(args[0]), *args[1:]]
        if not any([isinstance(each, ndarray) for each in args[0]]):
            return getattr(np, name)(*args, **kwargs)
    made = function(*[replaced(each) for each in args], **kwargs)

    def objects(found):
        if isinstance(found, list):
            return [objects(each) for each in found]
        if isinstance(found, np.integer):
            return held[found]
        return of_items([held[place] for place in found.reshape(-1).tolist()], found.shape)

    return objects(made)


_JOINED = "concatenate stack vstack hstack dstack column_stack concat".split()
_MOVED = (
    """append where insert delete reshape ravel transpose squeeze expand_dims swapaxes moveaxis rollaxis roll flip
flipud fliplr rot90 repeat tile resize take take_along_axis compress extract split array_split hsplit vsplit diag
diagonal broadcast_to atleast_1d atleast_2d triu tril permutation choice permuted choose trim_zeros""".split()
    + _JOINED
)


def _unique(array, return_index=False, return_inverse=False, return_counts=False):
    items = array._items()
    found = sorted(set(items))
    first = {each: items.index(each) for each in found}
    order = {each: place for place, each in enumerate(found)}
    made = [of_items(found, (len(found),))]
    if return_index:
        made.append(np.array([first[each] for each in found]))
    if return_inverse:
        made.append(np.array([order[each] for each in items]))
    if return_counts:
        made.append(np.array([items.count(each) for each in found]))
    return made[0] if len(made) == 1 else tuple(made)


def _shuffle(array, function):
    order = np.arange(len(array))
    function(order)
    array[...] = array[order]


def _numbers(value):
    """Arrays of objects as arrays of the numbers in them."""
    if isinstance(value, LISTS) and any([isinstance(each, ndarray) for each in value]):
        return [_numbers(each) for each in value]
    return np.array(value.tolist()) if isinstance(value, ndarray) else value


def applied(name, function, args, kwargs):
    """np.name(*args, **kwargs), some of which are arrays of objects. `function` calls NumPy's."""
    first = args[0] if args else None
    if name in ("array", "asarray", "asanyarray", "ascontiguousarray"):
        dtype = args[1] if len(args) > 1 else kwargs.get("dtype")
        if dtype is not None and not wanted(dtype):
            return first.astype(dtype) if isinstance(first, ndarray) else function(_numbers(first), dtype)
        return first if isinstance(first, ndarray) and name != "array" else make(first)
    if name in _MOVED:
        return _taken(name, list(args), kwargs, function)
    if name == "shuffle":
        return _shuffle(first, function)
    if name in ("shape", "ndim", "size"):
        return getattr(first, name)
    if name in ("copy", "sort", "argsort") and isinstance(first, ndarray):
        made = first.copy()
        return made if name == "copy" else made.argsort() if name == "argsort" else (made.sort(), made)[1]
    if name == "unique":
        return _unique(first, *args[1:], **kwargs)
    if name in _PAIRS and len(args) == 2:
        left = first if isinstance(first, ndarray) else make(first)
        made = left._each(_PAIRS[name], args[1])
        return made if made.shape else made.item()
    if name in ("absolute", "abs", "negative", "square") and isinstance(first, ndarray):
        return abs(first) if name[0] == "a" else -first if name[0] == "n" else first * first
    if name in _FIGURES and isinstance(first, ndarray):
        return getattr(first, name)(*args[1:], **kwargs)
    if name in ("amin", "amax") and isinstance(first, ndarray):
        return getattr(first, name[1:])(*args[1:], **kwargs)
    if name in _BY_METHOD and isinstance(first, ndarray):
        raise TypeError(_REFUSED.format(type(first._items()[0]).__name__, name))
    if name in ("round", "around") and isinstance(first, ndarray):
        raise TypeError(_REFUSED.format(type(first._items()[0]).__name__, "rint"))
    if name in _UNSUPPORTED:
        raise TypeError(
            f"ufunc '{name}' not supported for the input types, and the inputs could not be safely coerced to any"
            " supported types according to the casting rule ''safe''"
        )
    given, named = [_numbers(each) for each in args], {key: _numbers(each) for key, each in kwargs.items()}
    if any([isinstance(each, ndarray) for each in [*given, *named.values()]]):
        raise TypeError(f"np.{name} of objects is not supported in scripts here: use numbers, or a list")
    return function(*given, **named)
