# type: ignore
"""jaxtyping: annotations of arrays with dtypes and shapes. isinstance() looks at them; a function is looked at where
jaxtyped() is given a checker, one call at a time."""

_KINDS = {
    "float": "float16 bfloat16 float32 float64".split(),
    "int": "int8 int16 int32 int64".split(),
    "uint": "uint8 uint16 uint32 uint64".split(),
    "complex": "complex64 complex128".split(),
    "bool": ["bool"],
}
_names = []
"""The sizes that names have in the calls that are looked at, the innermost last."""


def _dtype_of(value):
    return str(value.dtype).rpartition(".")[2]


class _Array(type):
    """The class of Float[Tensor, "b c"]."""

    def _has_instance(cls, value):
        return _holds(cls, value)

    def __repr__(cls):
        return cls.__name__


def _holds(kind, value):
    if kind.array_type is not None and not isinstance(value, kind.array_type):
        return False
    if not hasattr(value, "dtype") or not hasattr(value, "shape"):
        return False
    if kind.dtypes is not None and _dtype_of(value) not in kind.dtypes:
        return False
    known = dict(_names[-1]) if _names else {}
    if not _fits(kind.dims, tuple(value.shape), known):
        return False
    if _names:
        _names[-1].update(known)
    return True


def _fits(dims, shape, known):
    many = [i for i, dim in enumerate(dims) if dim == "..." or dim.startswith("*")]
    if not many:
        return len(dims) == len(shape) and all(_fits_one(dim, size, known) for dim, size in zip(dims, shape))
    at = many[0]
    after = len(dims) - at - 1
    if len(shape) < len(dims) - 1:
        return False
    inner = shape[at : len(shape) - after]
    name = dims[at].lstrip("*")
    if name not in ("...", "_") and known.setdefault(f"*{name}", inner) != inner:
        return False
    before = zip(dims[:at], shape[:at])
    behind = zip(dims[at + 1 :], shape[len(shape) - after :] if after else ())
    return all(_fits_one(dim, size, known) for dim, size in [*before, *behind])


def _fits_one(dim, size, known):
    if dim.startswith("#"):
        dim = dim[1:]
        if size == 1:
            return True
    dim = dim.partition("=")[2] or dim
    if dim.startswith("_"):
        return True
    if dim.isdigit():
        return int(dim) == size
    if dim.isidentifier():
        return known.setdefault(dim, size) == size
    for sign in "+-*":  # "dim-1": a name and a number
        left, found, right = dim.partition(sign)
        if found and right.isdigit() and left in known:
            own, number = known[left], int(right)
            return size == {"+": own + number, "-": own - number, "*": own * number}[sign]
    return True


class _Dtype(type):
    """The class of Float and the others."""

    def __getitem__(cls, told):
        array, dims = told
        if isinstance(array, _Array):  # Float[Float[Tensor, "b"], "a"]
            dims, array = f"{dims} {' '.join(array.dims)}", array.array_type
        shown = getattr(array, "__name__", str(array))
        kind = array if isinstance(array, type) else None
        body = {"array_type": kind, "dims": tuple(dims.split()), "dtypes": cls.dtypes}
        return _Array(f"{cls.__name__}[{shown}, {dims!r}]", (), body)

    def __repr__(cls):
        return f"<class 'jaxtyping.{cls.__name__}'>"


def _of(name, *kinds):
    dtypes = [dtype for kind in kinds for dtype in _KINDS.get(kind, [kind])] if kinds else None
    return _Dtype(name, (), {"dtypes": dtypes})


Shaped = _of("Shaped")
Bool, Float, Complex = _of("Bool", "bool"), _of("Float", "float"), _of("Complex", "complex")
Int, UInt, Integer = _of("Int", "int"), _of("UInt", "uint"), _of("Integer", "int", "uint")
Inexact, Real = _of("Inexact", "float", "complex"), _of("Real", "float", "int", "uint")
Num = _of("Num", "float", "complex", "int", "uint")
Float16, Float32, Float64 = _of("Float16", "float16"), _of("Float32", "float32"), _of("Float64", "float64")
BFloat16, Complex64, Complex128 = (
    _of("BFloat16", "bfloat16"),
    _of("Complex64", "complex64"),
    _of("Complex128", "complex128"),
)
Int8, Int16, Int32, Int64 = _of("Int8", "int8"), _of("Int16", "int16"), _of("Int32", "int32"), _of("Int64", "int64")
UInt8, UInt16, UInt32, UInt64 = [_of(f"UInt{n}", f"uint{n}") for n in (8, 16, 32, 64)]


class TypeCheckError(TypeError):
    pass


def jaxtyped(fn=None, *, typechecker=None):
    """The function, whose calls are looked at where there is a checker."""
    if fn is None:
        return lambda each: jaxtyped(each, typechecker=typechecker)
    if typechecker is None or isinstance(fn, type):
        return fn
    return _checked(fn)


def _checked(function):
    import functools
    import inspect
    from typing import get_type_hints

    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args, **kwargs):
        hints = {name: hint for name, hint in get_type_hints(function).items() if isinstance(hint, _Array)}
        bound = signature.bind(*args, **kwargs)
        _names.append({})
        try:
            for name, hint in hints.items():
                value = bound.arguments.get(name)
                if value is not None and not isinstance(value, hint):
                    raise TypeCheckError(
                        f"Type-check error whilst checking the parameters of {function.__qualname__}.\n"
                        f"The problem arose whilst typechecking parameter '{name}'.\n"
                        f"Actual value: {_told(value)}\nExpected type: {hint!r}."
                    )
            found = function(*args, **kwargs)
            if "return" in hints and not isinstance(found, hints["return"]):
                raise TypeCheckError(
                    f"Type-check error whilst checking the return value of {function.__qualname__}.\n"
                    f"Actual value: {_told(found)}\nExpected type: {hints['return']!r}."
                )
        finally:
            _names.pop()
        return found

    return call


def _told(value):
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        dtype = _dtype_of(value).replace("float", "f").replace("uint", "u").replace("int", "i").replace("complex", "c")
        return f"{dtype}[{','.join([str(size) for size in value.shape])}](torch)"
    return repr(value)


class install_import_hook:
    """There are no modules to be looked at."""

    def __init__(self, modules, typechecker):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


class _PyTree:
    def __getitem__(self, key):
        return self


PyTree = _PyTree()
Scalar, ScalarLike, Array, ArrayLike, PRNGKeyArray = PyTree, PyTree, PyTree, PyTree, PyTree
