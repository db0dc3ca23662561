"""The allow-list for NumPy: arithmetic on arrays and random numbers. Nothing that reads or writes files, memory or
code."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from engine.script.classes.standing import shown, stand_in
from engine.script.executing.calls import consume, invoke
from engine.script.frames import current
from engine.script.limits.nested import SEQUENCES, check_nested
from engine.script.limits.numpy_sizes import OBJECTS, PLACES, argument, check_elements, elements, extent, placed, plain
from engine.script.limits.still import all_given_still, given_still, method_given_still
from engine.script.limits.work import (
    FACTORS,
    OPERATIONS,
    check_dot,
    check_products,
    check_work,
    measured,
)
from engine.script.modules import MODULES
from engine.script.surface import Later, Rule, ScriptModule, labelled, memory, names, objects, register, rows, saved
from engine.script.surface.absent import Absent
from engine.script.surface.measuring import MEASURED, measure, wrapped
from engine.script.surface.measuring import WRAPPED as PLACING
from engine.script.surface.partly import partly
from engine.script.values.builtin import CALLS
from engine.script.values.operators import check_length

FUNCTIONS = """
abs absolute add all allclose amax amin any append arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin
argsort argwhere array array_equal array_split asarray asanyarray ascontiguousarray atleast_1d atleast_2d average
bincount bitwise_and bitwise_or bitwise_xor block ceil clip column_stack concatenate copy corrcoef cos cosh
count_nonzero cov cross cumprod cumsum deg2rad degrees delete diag diagonal diff digitize divide dot dsplit dstack
einsum equal exp exp2 expand_dims expm1 extract fill_diagonal flip fliplr flipud floor floor_divide fmax fmin
gradient greater
greater_equal heaviside histogram hsplit hstack hypot inner insert interp intersect1d invert isclose isfinite isin isinf
isnan kron less less_equal log log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor matmul max
maximum mean median min minimum mod moveaxis multiply nan_to_num nanmax nanmean nanmin nanstd nansum ndim negative
nonzero not_equal outer pad percentile polyval positive power prod ptp quantile rad2deg radians ravel reciprocal
remainder repeat reshape resize roll rollaxis rot90 searchsorted select setdiff1d shape sign sin sinh size sort
split sqrt square squeeze stack std subtract sum swapaxes take tan tanh tensordot tile trace transpose trapezoid tril
triu true_divide trunc union1d unique var vdot vsplit vstack where
argpartition array_equiv cbrt compress ediff1d fix flatnonzero float_power gcd isscalar lcm lexsort
nanargmax nanargmin nancumsum nanmedian nanpercentile nanprod nanquantile nanvar partition putmask ravel_multi_index
rint setxor1d signbit sinc take_along_axis trim_zeros unravel_index
angle array2string array_repr array_str bitwise_count can_cast choose concat copyto diag_indices_from divmod
frexp imag iscomplexobj isneginf isposinf isreal isrealobj issubdtype ix_ ldexp modf permute_dims place polyadd
polysub pow promote_types put put_along_axis real real_if_close result_type tril_indices_from triu_indices_from
unwrap acos acosh asin asinh atan atan2 atanh
bitwise_not broadcast_shapes conj conjugate copysign fabs fmod left_shift logaddexp2 matrix_transpose nextafter
right_shift spacing
asfortranarray astype atleast_3d bitwise_invert bitwise_left_shift bitwise_right_shift cumulative_prod cumulative_sum
histogram_bin_edges i0 iscomplex isfortran matvec min_scalar_type nancumprod typename vecdot vecmat
"""
CREATORS = """arange empty empty_like eye full full_like geomspace identity indices linspace logspace meshgrid ones
ones_like tri zeros zeros_like"""
TYPES = """float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool_ intp
half single double byte short intc int_ long longlong ubyte ushort uintc uint ulong ulonglong uintp
complex64 complex128 csingle cdouble"""
CONSTANTS: dict[str, Any] = {
    "pi": np.pi,
    "e": np.e,
    "inf": np.inf,
    "nan": np.nan,
    "newaxis": None,
    "__version__": np.__version__,
}
CONSTANTS |= {"euler_gamma": np.euler_gamma, "True_": np.True_, "False_": np.False_}
ARRAY = """
T all any argmax argmin argpartition argsort astype choose clip compress conj copy cumprod cumsum diagonal dot dtype
fill flatten imag item max mean min nbytes ndim nonzero partition prod ptp put ravel real repeat reshape round
searchsorted shape size sort squeeze std sum swapaxes take tolist trace transpose var itemsize
conjugate strides
"""
NUMBER = """item dtype shape ndim size sum mean max min tolist real imag T all any copy reshape flatten squeeze std
tobytes itemsize nbytes conj conjugate prod var argmax argmin ravel transpose cumsum cumprod nonzero strides"""
LINALG = """cholesky cond det eig eigh eigvals eigvalsh inv lstsq matrix_norm matrix_power matrix_rank norm pinv qr
slogdet solve svd svdvals tensorinv tensorsolve vector_norm"""
PLAIN_LINALG = (
    "cross diagonal matmul matrix_transpose outer tensordot trace vecdot"  # as the functions outside of linalg
)
SUMMING = frozenset({"sum", "prod", "cumsum", "cumprod", "mean", "trace", "var", "std"})
SORTED = frozenset({"sort", "argsort", "partition", "argpartition", "searchsorted"})
TAKING = frozenset({"choose", "clip", "compress", "max", "min", "put", "take"})
PLACED = names("all any argmax argmin diagonal fill item reshape squeeze swapaxes transpose")
"""Methods that take axes, places, a shape or a number, and need no other look at them."""
FEW = 400
"""Ten to this is more than any number of NumPy."""
MOST_FIELDS, MOST_BYTES, LARGEST = 100, 4_000, 40_000
LONG_ITEMS = re.compile(r"[<>|=]?[SUVa](\d*)$")


def _check_type(value: Any) -> None:
    if isinstance(value, str):
        match = LONG_ITEMS.match(value)
        if match is not None and len(match[1]) > 4:
            raise TypeError(f"data type '{value}' is not supported in scripts here")
    elif isinstance(value, list):
        _check_fields(value)
    elif isinstance(value, (tuple, dict)):
        raise TypeError("structured data types are lists of fields in scripts here: [('x', float), ('n', 'U10')]")
    if isinstance(value, (str, type)):
        try:
            found = np.dtype(value)
        except (TypeError, ValueError):
            return
        if found.hasobject:
            raise TypeError(OBJECTS)
        if found.itemsize > LARGEST:
            raise TypeError(f"data type '{value}' is not supported in scripts here")


def _check_fields(fields: list[Any]) -> None:
    """A data type of records: a list of (name, type), of numbers and texts alone."""
    if not 0 < len(fields) <= MOST_FIELDS:
        raise TypeError(f"structured data types have 1 to {MOST_FIELDS} fields in scripts here")
    size = 0
    for field in fields:
        if type(field) is not tuple or len(field) != 2 or type(field[0]) is not str or field[0][:2] == "__":
            raise TypeError("structured data types are lists of (name, type) in scripts here")
        kind = field[1]
        if type(kind) not in (str, type) and not isinstance(kind, np.dtype):
            raise TypeError("fields of structured data types are numbers and texts in scripts here")
        _check_type(kind)
        if np.dtype(kind).kind not in "biufUS":
            raise TypeError("fields of structured data types are numbers and texts in scripts here")
        size += np.dtype(kind).itemsize
    if size > MOST_BYTES:
        raise TypeError(f"a record has at most {MOST_BYTES:,} bytes in scripts here")


def check_options(args: tuple[Any, ...], kwargs: dict[str, Any], *, calculates: bool = True) -> None:
    """Refuse a data type or a loop of Python objects, wherever it is given, and lists without end."""
    for value in (*args, *kwargs.values()):
        check_nested(value)
        if calculates and value is not kwargs.get("dtype"):
            plain(value)
    for name in ("signature", "sig", "like"):
        if name in kwargs:
            raise TypeError(f"the argument '{name}' is not supported in scripts here")
    for value in (*args[1:], kwargs.get("dtype")):
        if isinstance(value, (str, type)):
            _check_type(value)
    if isinstance(kwargs.get("dtype"), list):
        _check_fields(kwargs["dtype"])


def without_objects(result: Any) -> Any:
    """Arrays of Python objects calculate outside of all budgets: there are none, alone or several at once."""
    if type(result) in (list, tuple) or (isinstance(result, tuple) and hasattr(result, "_fields")):
        for each in result:
            without_objects(each)
    kind = result if isinstance(result, np.dtype) else result.dtype if type(result) is np.ndarray else None
    if kind is not None and kind.hasobject:
        raise TypeError(OBJECTS)
    return result


def _creator(name: str) -> Any:
    function = getattr(np, name.replace("empty", "zeros"))  # what is left in memory may be of others, or an address

    def create(*args: Any, **kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()):
            check_nested(value)
        of_objects = objects.created(name, args, kwargs)
        if of_objects is not NotImplemented:
            return of_objects
        count: float = 1
        if name in ("zeros", "ones", "empty", "full", "identity", "indices"):
            named = {"identity": "n", "indices": "dimensions"}.get(name, "shape")
            count = elements(argument(args, kwargs, 0, named))
            count *= count if name == "identity" else 1
        elif name in ("eye", "tri"):
            rows, columns = argument(args, kwargs, 0, "N"), argument(args, kwargs, 1, "M", None)
            count = elements(rows) * elements(rows if columns is None else columns)
        elif name in ("linspace", "logspace", "geomspace"):
            count = elements(argument(args, kwargs, 2, "num", 50))
        elif name == "arange":
            named_too = (kwargs[each] for each in ("start", "stop", "step") if each in kwargs)
            numbers = [float(a) for a in (*args[:3], *named_too) if isinstance(a, (int, float, np.number))]
            if len(numbers) == 1:
                count = numbers[0]
            elif len(numbers) >= 2:
                step = numbers[2] if len(numbers) > 2 and numbers[2] else 1.0
                count = abs((numbers[1] - numbers[0]) / step)
        elif name == "meshgrid":
            for each in args:
                count *= max(math.prod(np.shape(each)), 1)
            count *= len(args)
        check_elements(count, f"np.{name}")
        for value in (*args, *kwargs.values()):
            if isinstance(value, str):
                _check_type(value)
        _check_type(kwargs.get("dtype"))
        args = tuple([plain(value) if isinstance(value, SEQUENCES) else value for value in args])
        return without_objects(function(*args, **kwargs))

    create.__name__ = name
    return given_still(create)


def _function(name: str, source: Any = np) -> Any:
    function = getattr(source, name)

    def apply(*args: Any, **kwargs: Any) -> Any:
        if kwargs and name in PLACES:
            args, kwargs = placed(args, kwargs, PLACES[name])
        given = args
        if name not in objects.ARRAYS:
            args, kwargs = objects.lifted(args, kwargs, name if name in MEASURED else "")
        elif args:
            args = (objects.told(args[0]), *args[1:])
        of_objects = objects.led(name, apply, args, kwargs)
        if of_objects is not NotImplemented:
            return of_objects
        if name in objects.ARRAYS and objects.asks_for_objects(args[1] if len(args) > 1 else kwargs.get("dtype")):
            return objects.made(args[0])
        check_options(args, kwargs, calculates=False)  # `lifted` has looked, or nothing is calculated
        if name in MEASURED:
            args, kwargs = measure(name, args, kwargs)
        if "where" in kwargs and (isinstance(function, np.ufunc) or name == "clip"):
            found = partly(function, 3 if name == "clip" else function.nin, args, kwargs)
        else:
            found = function(*args, **kwargs)
        if name in objects.ARRAYS and found.dtype.hasobject:
            return objects.made(args[0])
        return labelled.as_given(function, without_objects(found), given, kwargs)

    apply.__name__ = function.__name__ if isinstance(function, np.ufunc) else name  # np.true_divide is called "divide"
    apply.ufunc = function  # type: ignore[attr-defined]  # surface/ufuncs.py asks for it
    return given_still(apply)


def _multi_dot(arrays: Any, **kwargs: Any) -> Any:
    """np.linalg.multi_dot(): the products cost no more than from left to right."""
    check_options((arrays,), kwargs)
    check_nested(arrays)
    parts = [without_objects(np.asarray(each)) for each in arrays]
    if len(parts) > 1 and all(part.ndim for part in parts):
        check_products(parts)
    return np.linalg.multi_dot(parts, **kwargs)


def _vectorize(function: Any, otypes: Any = None, **kwargs: Any) -> Any:
    """np.vectorize() of whatever can be called; functions of NumPy take arrays already."""
    if hasattr(function, "ufunc"):
        return function

    def one(*values: Any) -> Any:
        current.machine.count(1)
        return invoke(function, values)

    kinds = [] if otypes is None else consume(otypes)
    for kind in kinds:
        _check_type(kind)
    many = np.vectorize(one, [np.dtype(kind) for kind in kinds] or None)

    def call(*values: Any) -> Any:
        for value in values:
            check_nested(value)
        return without_objects(many(*values))

    return given_still(call)


def _set_printoptions(precision: Any = None, threshold: Any = None, edgeitems: Any = None, **more: Any) -> None:
    """How arrays are printed from here on; each run has its own."""
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, **more}
    unknown = given.keys() - names("precision threshold edgeitems linewidth suppress sign floatmode")
    if unknown - {"formatter"}:
        raise TypeError(f"set_printoptions() got an unexpected keyword argument '{min(unknown)}'")
    if any(isinstance(value, int) and not 0 <= value <= 100_000 for value in given.values()):
        raise ValueError("np.set_printoptions() takes numbers up to 100,000 here")
    np.set_printoptions(**{name: value for name, value in given.items() if name != "formatter"})


def _fromfunction(function: Any, shape: Any, *, dtype: Any = float, **kwargs: Any) -> Any:
    _check_type(dtype)
    check_elements(elements(shape) * len(shape), "np.fromfunction")
    return invoke(function, tuple(np.indices(shape, dtype=dtype)), kwargs)


def _roots(coefficients: Any) -> Any:
    check_options((coefficients,), {})
    check_work(OPERATIONS["eigvals"] * extent(coefficients) ** 3 / FACTORS, "np.roots")
    return np.roots(coefficients)


def _view(self: Any, dtype: Any = None) -> Any:
    """The same memory under another name, or as numbers of another type."""
    if dtype is None:
        return self.view()
    _check_type(dtype)
    if np.dtype(dtype).kind not in "biuf" or self.dtype.kind not in "biuf":
        raise TypeError("view() takes types of numbers in scripts here")
    return self.view(np.dtype(dtype))


def ndarray(shape: Any, dtype: Any = float) -> Any:
    return _creator("empty")(shape, dtype)


def _dtype(kind: Any) -> Any:
    if objects.asks_for_objects(kind):
        return objects.kind()
    _check_type(kind)
    return np.dtype(kind)


def _numpy() -> ScriptModule:
    from engine.script.modules import module
    from engine.script.surface import arrays, nditer

    made: dict[Any, Any] = {}  # several names of one function
    members: dict[str, Any] = {
        name: made.setdefault(getattr(np, name), _function(name)) for name in FUNCTIONS.split() if hasattr(np, name)
    }
    members |= {name: _creator(name) for name in CREATORS.split()}
    members |= {name: getattr(np, name) for name in TYPES.split()}
    members |= CONSTANTS
    members |= {
        "ndarray": shown(np.ndarray),
        **all_given_still(arrays.GUARDED),
        **all_given_still(nditer.GUARDED),
        "random": module("numpy.random"),
        "linalg": module("numpy.linalg"),
        "fft": module("numpy.fft"),
        "typing": Later(lambda: module("numpy.typing")),
        "set_printoptions": _set_printoptions,
        "object_": object,
        "finfo": np.finfo,
        "iinfo": np.iinfo,
        "get_printoptions": lambda: dict(np.get_printoptions()),
        "vectorize": _vectorize,
        "dtype": _dtype,
        "number": np.number,
        "generic": np.generic,
        "signedinteger": np.signedinteger,
        "unsignedinteger": np.unsignedinteger,
        "str_": np.str_,
        "fromfunction": given_still(_fromfunction),
        "roots": given_still(_roots),
        "integer": np.integer,
        "inexact": np.inexact,
        "floating": np.floating,
        "complexfloating": np.complexfloating,
        "save": saved.save_array,
        "savez": saved.save_arrays,
        "savez_compressed": saved.save_arrays,
        "load": saved.load_array,
        "savetxt": rows.save_text,
        "loadtxt": rows.load_text,
        "genfromtxt": rows.read_table,
        "poly1d": Later(lambda: module("_polynomials").read("poly1d")),
    }
    members |= {name: Absent(f"np.{name}", NO_MATRICES) for name in ("matrix", "asmatrix", "bmat")}
    return ScriptModule("numpy", members, settings={"bool": np.bool_}, gone=arrays.gone)


NO_MATRICES = "np.array() of two dimensions does what it does, with @ in place of *"
MODULES["numpy"] = _numpy
MODULES["numpy.linalg"] = lambda: ScriptModule(
    "numpy.linalg",
    {
        **{name: given_still(measured(name, getattr(np.linalg, name))) for name in LINALG.split()},
        **{name: _function(name, np.linalg) for name in PLAIN_LINALG.split()},
        "multi_dot": given_still(_multi_dot),
        "LinAlgError": np.linalg.LinAlgError,
    },
)


def _summing(name: str) -> Any:
    """A method of arrays that takes a data type, or more arrays."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        check_options((self, *args), kwargs)
        if name == "clip" and "where" in kwargs:
            return without_objects(partly(self.clip, 2, args, kwargs))
        if name in PLACING:
            given, kwargs = wrapped(name, (self, *args), kwargs)
            args = given[1:]
        return without_objects(getattr(self, name)(*args, **kwargs))

    method.__name__ = name
    return method


def _dot(self: Any, other: Any, *args: Any) -> Any:
    check_nested(other)
    other = objects.asked(other)
    check_dot(self, other)
    return self.dot(other, *args)


def _astype(self: Any, dtype: Any, **kwargs: Any) -> Any:
    if objects.asks_for_objects(dtype):
        return objects.made(self)
    _check_type(dtype)
    return without_objects(self.astype(dtype, **kwargs))


def few(decimals: Any) -> Any:
    """`decimals` of a rounding, of which NumPy multiplies so many tens: beyond FEW the result is the same."""
    if isinstance(decimals, (int, np.integer)) and abs(int(decimals)) < 1 << 31:
        return max(-FEW, min(int(decimals), FEW))
    return decimals


def _round(self: Any, decimals: Any = 0, *out: Any, **kwargs: Any) -> Any:
    return self.round(few(decimals), *out, **kwargs)


def _repeat(self: Any, repeats: Any, axis: Any = None) -> Any:
    check_elements(self.size * elements(int(np.max(repeats))), "repeat")
    return self.repeat(repeats, axis)


def _resize(self: Any, *shape: Any, refcheck: bool = True) -> None:
    """In place. Only to a shape of as many elements: what shares the memory would lose it."""
    wanted = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    if elements(wanted) != self.size:
        raise ValueError(
            "cannot resize an array that references or is referenced\nby another array in this way.\n"
            "Use the np.resize function or refcheck=False"
        )
    self.shape = wanted


def _tobytes(self: Any, order: Any = "C") -> bytes:
    without_objects(self)
    check_length(self.nbytes, bytes)
    found: bytes = self.tobytes(order)
    return found


WRAPPED = {
    "astype": _astype,
    "repeat": _repeat,
    "dot": _dot,
    "round": _round,
    "resize": _resize,
    **{name: _summing(name) for name in SUMMING | TAKING},
    **{name: measured(name, getattr(np.ndarray, name)) for name in SORTED},
    **{name: getattr(np.ndarray, name) for name in PLACED},
}
register(
    np.ndarray,
    Rule(
        names=(names(ARRAY) & frozenset(dir(np.ndarray))) - WRAPPED.keys(),
        wrapped={
            **{name: method_given_still(name, function) for name, function in WRAPPED.items()},
            "tobytes": _tobytes,
            "view": _view,
            "setflags": memory.set_flags,
        },
        computed={"flat": lambda array: array.reshape(-1), "flags": memory.Flags, "base": memory.base_of},
        settable=names("shape"),
    ),
)
register(
    np.generic,
    Rule(
        names=names(NUMBER),
        wrapped={"astype": _astype, "round": _round},
    ),
)
register(np.dtype, Rule(names=names("name names kind itemsize type char str num byteorder alignment isnative ndim")))
register(np.void, Rule(names=names("item tolist dtype")))
CALLS[np.finfo], CALLS[np.iinfo] = np.finfo, np.iinfo
for _info in (np.finfo, np.iinfo):
    register(_info, Rule(names=names("eps max min tiny bits dtype resolution smallest_normal smallest_subnormal")))
CALLS[np.ndarray] = CALLS[stand_in(np.ndarray, ndarray)] = ndarray
for _kind in TYPES.split():
    CALLS[getattr(np, _kind)] = given_still(getattr(np, _kind))
    register(
        getattr(np, _kind),
        Rule(
            names=names(NUMBER)
            | names("is_integer bit_count as_integer_ratio numerator denominator") & frozenset(dir(getattr(np, _kind))),
            wrapped={"astype": _astype, "round": _round},
        ),
    )
