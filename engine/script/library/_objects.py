# type: ignore
"""Arrays of objects: places in a list, which are an array of ints. NumPy indexes, reshapes and joins the places alone,
so that none of its loops over objects is reached; what is done to the objects is done here, one by one."""

import functools

import numpy as np
from _places import text_of_places

LISTS = (list, tuple)


class _Kind:
    """dtype('O')."""

    name, kind, itemsize, hasobject, char = "object", "O", 8, True, "O"

    def __eq__(self, other):
        return other in (object, "O", "object", "|O") or isinstance(other, _Kind)

    def __hash__(self):
        return hash("O")

    def __str__(self):
        return "object"

    def __repr__(self):
        return "dtype('O')"


KIND = _Kind()


def _plain_key(key):
    """An index as NumPy takes it for the places."""
    if isinstance(key, tuple):
        return tuple([_plain_key(each) for each in key])
    return np.array(key.tolist()) if isinstance(key, ndarray) else key


def _basic(key):
    """Whether an index gives a view."""
    parts = key if isinstance(key, tuple) else (key,)
    return all([each is None or each is ... or isinstance(each, (int, slice, np.integer)) for each in parts])


class ndarray:
    def __init__(self, places, held):
        self._places, self._held = places, held

    dtype = KIND

    @property
    def shape(self):
        return self._places.shape

    @shape.setter
    def shape(self, shape):
        self._places = self._places.reshape(shape)

    @property
    def ndim(self):
        return self._places.ndim

    @property
    def size(self):
        return self._places.size

    @property
    def nbytes(self):
        return 8 * self._places.size

    @property
    def T(self):
        return ndarray(self._places.T, self._held)

    @property
    def flat(self):
        return iter(self._items())

    def _items(self):
        held = self._held
        return [held[place] for place in self._places.reshape(-1).tolist()]

    def _view(self, places):
        return ndarray(places, self._held)

    def _each(self, function, other=None):
        """What `function` makes of each object, and of the one of `other` in its place."""
        if other is None:
            return of_items([function(each) for each in self._items()], self.shape)
        other = other if isinstance(other, ndarray) else make(other) if is_many(other) else of_items([other], ())
        shape = np.broadcast_to(self._places, self.shape).shape
        if other.shape != shape:
            try:
                grid = self._places + 0 * other._places
            except ValueError:
                sizes = f"{_spelled(self.shape)} {_spelled(other.shape)}"
                raise ValueError(f"operands could not be broadcast together with shapes {sizes} ") from None
            shape = grid.shape
        left = ndarray(np.broadcast_to(self._places, shape), self._held)._items()
        right = ndarray(np.broadcast_to(other._places, shape), other._held)._items()
        return of_items([function(a, b) for a, b in zip(left, right)], shape)

    def _truths(self, function, other):
        made = self._each(function, other)
        return np.array([bool(each) for each in made._items()], dtype=bool).reshape(made.shape)

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self):
        if not self.shape:
            raise TypeError("iteration over a 0-d array")
        return iter([self[i] for i in range(len(self))])

    def __contains__(self, item):
        return any([each is item or bool(each == item) for each in self._items()])

    def __getitem__(self, key):
        key = _plain_key(key)
        found = self._places[key]
        if _basic(key) and not isinstance(found, np.integer):
            return ndarray(found, self._held)
        return self._moved(found)

    def __setitem__(self, key, value):
        where = self._places[_plain_key(key)]
        if isinstance(where, np.integer):
            self._held[where] = value
            return
        if not isinstance(value, ndarray):
            value = make(value) if is_many(value) else of_items([value], ())
        try:
            values = ndarray(np.broadcast_to(value._places, where.shape), value._held)._items()
        except ValueError:
            sizes = f"{_spelled(value.shape)} into shape {_spelled(where.shape)}"
            raise ValueError(f"could not broadcast input array from shape {sizes}") from None
        for place, each in zip(where.reshape(-1).tolist(), values):
            self._held[place] = each

    def _moved(self, places):
        """What stands at `places`, some of this array's: the object at a single one, else a new array."""
        if isinstance(places, np.integer):
            return self._held[places]
        return of_items([self._held[place] for place in places.reshape(-1).tolist()], places.shape)

    def __repr__(self):
        return text_of_places(self._places, self._shown, True)

    def __str__(self):
        return text_of_places(self._places, self._shown, False)

    def _shown(self, place):
        found = self._held[place]
        return f"list({found!r})" if type(found) is list else repr(found)

    def __bool__(self):
        if self.size == 1:
            return bool(self.item())
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    def __array__(self, dtype=None, copy=None):
        return self.astype(float if dtype is None else dtype)

    def __add__(self, other):
        return self._each(lambda a, b: a + b, other)

    def __radd__(self, other):
        return self._each(lambda a, b: b + a, other)

    def __sub__(self, other):
        return self._each(lambda a, b: a - b, other)

    def __rsub__(self, other):
        return self._each(lambda a, b: b - a, other)

    def __mul__(self, other):
        return self._each(lambda a, b: a * b, other)

    def __rmul__(self, other):
        return self._each(lambda a, b: b * a, other)

    def __truediv__(self, other):
        return self._each(lambda a, b: a / b, other)

    def __rtruediv__(self, other):
        return self._each(lambda a, b: b / a, other)

    def __floordiv__(self, other):
        return self._each(lambda a, b: a // b, other)

    def __mod__(self, other):
        return self._each(lambda a, b: a % b, other)

    def __pow__(self, other):
        return self._each(lambda a, b: a**b, other)

    def __iadd__(self, other):
        self[...] = self + other
        return self

    def __isub__(self, other):
        self[...] = self - other
        return self

    def __imul__(self, other):
        self[...] = self * other
        return self

    def __itruediv__(self, other):
        self[...] = self / other
        return self

    def __neg__(self):
        return self._each(lambda a: -a)

    def __abs__(self):
        return self._each(abs)

    def __eq__(self, other):
        return self._truths(lambda a, b: a == b, _nothing(other))

    def __ne__(self, other):
        return self._truths(lambda a, b: a != b, _nothing(other))

    def __lt__(self, other):
        return self._truths(lambda a, b: a < b, other)

    def __le__(self, other):
        return self._truths(lambda a, b: a <= b, other)

    def __gt__(self, other):
        return self._truths(lambda a, b: a > b, other)

    def __ge__(self, other):
        return self._truths(lambda a, b: a >= b, other)

    def tolist(self):
        if not self.shape:
            return self._items()[0]
        return (
            [each.tolist() if isinstance(each, ndarray) else each for each in self] if self.ndim > 1 else self._items()
        )

    def item(self, *key):
        if key:
            return self._items()[key[0]] if len(key) == 1 else self[key]
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._items()[0]

    def copy(self, order="C"):
        return of_items(self._items(), self.shape)

    def astype(self, dtype, copy=True):
        if wanted(dtype):
            return self.copy()
        items = self._items()
        if not wanted(dtype) and dtype not in (str, "str") and any([is_many(each) for each in items]):
            raise ValueError("setting an array element with a sequence.")
        return np.array(items, dtype=dtype).reshape(self.shape)

    def reshape(self, *shape, order="C"):
        return self._view(self._places.reshape(*shape))

    def ravel(self, order="C"):
        return self._view(self._places.reshape(-1))

    def flatten(self, order="C"):
        return of_items(self._items(), (self.size,))

    def squeeze(self, axis=None):
        return self._view(self._places.squeeze(axis))

    def transpose(self, *axes):
        return self._view(self._places.transpose(*axes))

    def swapaxes(self, one, other):
        return self._view(self._places.swapaxes(one, other))

    def take(self, indices, axis=None):
        return self._moved(np.take(self._places, _plain_key(indices), axis=axis))

    def repeat(self, repeats, axis=None):
        return self._moved(np.repeat(self._places, repeats, axis=axis))

    def fill(self, value):
        for place in self._places.reshape(-1).tolist():
            self._held[place] = value

    def sort(self, axis=-1):
        self[...] = of_items(sorted(self._items()), self.shape)

    def argsort(self, axis=-1, kind=None):
        items = self._items()
        return np.array(sorted(range(len(items)), key=lambda i: items[i]))

    def nonzero(self):
        return np.nonzero(np.array([bool(each) for each in self._items()], dtype=bool).reshape(self.shape))

    def _figure(self, function, axis, keepdims=False):
        """What `function` makes of a list of objects: all of them, or those along an axis."""
        if axis is None:
            return function(self._items())
        rows = np.moveaxis(self._places, axis, -1)
        found = [function([self._held[place] for place in row]) for row in rows.reshape(-1, rows.shape[-1]).tolist()]
        made = of_items(found, rows.shape[:-1])
        made = ndarray(np.expand_dims(made._places, axis), made._held) if keepdims else made
        return made if made.shape else made.item()

    def sum(self, axis=None, **kwargs):
        return self._figure(_total, axis, kwargs.get("keepdims", False))

    def prod(self, axis=None):
        return self._figure(lambda items: functools.reduce(lambda a, b: a * b, items, 1), axis)

    def mean(self, axis=None, **kwargs):
        return self._figure(lambda items: _scalar(_total(items) / len(items)), axis, kwargs.get("keepdims", False))

    def min(self, axis=None):
        return self._figure(min, axis)

    def max(self, axis=None):
        return self._figure(max, axis)

    def any(self, axis=None):
        return self._figure(lambda items: any([bool(each) for each in items]), axis)

    def all(self, axis=None):
        return self._figure(lambda items: all([bool(each) for each in items]), axis)

    def argmin(self, axis=None):
        found = self._figure(lambda items: items.index(min(items)), axis)
        return np.array(found.tolist()) if isinstance(found, ndarray) else np.int64(found)

    def argmax(self, axis=None):
        found = self._figure(lambda items: items.index(max(items)), axis)
        return np.array(found.tolist()) if isinstance(found, ndarray) else np.int64(found)

    def var(self, axis=None, ddof=0):
        return np.var(self.astype(float), axis=axis, ddof=ddof)

    def std(self, axis=None, ddof=0):
        return np.std(self.astype(float), axis=axis, ddof=ddof)

    def dot(self, other):
        return (self * other).sum()


def _total(items):
    return functools.reduce(lambda a, b: a + b, items) if items else 0


def _scalar(value):
    return np.float64(value) if isinstance(value, (int, float)) else value


def _spelled(shape):
    return f"({','.join([str(each) for each in shape])}{',' if len(shape) == 1 else ''})"


def _nothing(other):
    """What an array is compared with: None is an object too."""
    return of_items([None], ()) if other is None else other


def is_many(value):
    """Whether NumPy makes an array of a value's items."""
    return isinstance(value, (*LISTS, np.ndarray)) or (hasattr(value, "numpy") and hasattr(value, "dim"))


def wanted(dtype):
    """Whether a data type is that of objects."""
    return dtype is object or isinstance(dtype, _Kind) or (isinstance(dtype, str) and dtype in ("O", "object", "|O"))


def of_items(items, shape):
    return ndarray(np.arange(len(items)).reshape(shape), items)


def _sizes(value):
    """The sizes of nested sequences as far as they are the same everywhere."""
    if isinstance(value, LISTS):
        if not value:
            return (0,)
        inner = [_sizes(each) for each in value]
        common = inner[0]
        for each in inner:
            alike = 0
            while alike < min(len(common), len(each)) and common[alike] == each[alike]:
                alike += 1
            common = common[:alike]
        if common:
            _check_filling([each for each in value if not isinstance(each, LISTS)], common)
        return (len(value), *common)
    return tuple(value.shape) if is_many(value) else ()


def _check_filling(arrays, common):
    """Refuse arrays that have more dimensions than all have in common: NumPy would put them into places of `common`."""
    for array in arrays:
        sizes = tuple(array.shape)
        while len(sizes) > len(common) and sizes[0] == 1:
            sizes = sizes[1:]
        if len(sizes) > len(common) or any([a not in (1, b) for a, b in zip(sizes, common)]):
            told = f"{_spelled(sizes)} into shape {_spelled(common)}"
            raise ValueError(f"could not broadcast input array from shape {told}")


def _gathered(value, depth):
    """The objects that are `depth` sequences deep."""
    if not depth:
        return [value]
    if not isinstance(value, (*LISTS, ndarray)):
        return value.reshape(-1).tolist()
    return [item for each in value for item in _gathered(each, depth - 1)]


def make(data):
    """np.array(data, dtype=object)."""
    if isinstance(data, ndarray):
        return data.copy()
    if not is_many(data):
        return of_items([data], ())
    shape = _sizes(data)
    return of_items(_gathered(data, len(shape)), shape)


def filled(shape, value):
    """An array of one object, many times."""
    places = np.arange(int(np.prod(shape))).reshape(shape)
    return ndarray(places, [value] * places.size)
