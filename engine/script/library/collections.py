# type: ignore
"""collections, what is not in surface/collections.py."""


class _Mapping:
    """What mappings have by their items: __getitem__, __iter__ and __len__."""

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return list(self)

    def values(self):
        return [self[key] for key in self]

    def items(self):
        return [(key, self[key]) for key in self]

    def __eq__(self, other):
        return dict(self.items()) == (dict(other.items()) if isinstance(other, _Mapping) else other)

    def pop(self, key, *default):
        if key not in self and default:
            return default[0]
        value = self[key]
        del self[key]
        return value

    def popitem(self):
        for key in self:
            return key, self.pop(key)
        raise KeyError("popitem(): mapping is empty")

    def clear(self):
        for key in list(self):
            del self[key]

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, other=(), /, **values):
        for key, value in dict(other.items() if hasattr(other, "items") else other, **values).items():
            self[key] = value


class ChainMap(_Mapping):
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __missing__(self, key):
        raise KeyError(key)

    def __getitem__(self, key):
        for each in self.maps:
            if key in each:
                return each[key]
        return self.__missing__(key)

    def __contains__(self, key):
        return any(key in each for each in self.maps)

    def __iter__(self):
        found = {}
        for each in reversed(self.maps):
            found.update(dict.fromkeys(each))
        return iter(found)

    def __len__(self):
        return len(list(iter(self)))

    def __bool__(self):
        return any(self.maps)

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        if key not in self.maps[0]:
            raise KeyError(f"Key not found in the first mapping: {key!r}")
        del self.maps[0][key]

    @property
    def parents(self):
        return type(self)(*self.maps[1:])

    def copy(self):
        return type(self)(self.maps[0].copy(), *self.maps[1:])

    def new_child(self, m=None, **values):
        return type(self)({**(m or {}), **values}, *self.maps)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(map(repr, self.maps))})"


class UserDict(_Mapping):
    def __init__(self, dict=None, /, **values):
        self.data = {}
        if dict is not None:
            self.update(dict)
        if values:
            self.update(values)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(type(self), "__missing__"):
            return self.__missing__(key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def __repr__(self):
        return repr(self.data)

    def copy(self):
        return type(self)(self.data)


class _Sequence:
    """What wraps `data` and answers as it does."""

    def __len__(self):
        return len(self.data)

    def __contains__(self, item):
        return item in self.data

    def __iter__(self):
        return iter(self.data)

    def __repr__(self):
        return repr(self.data)

    def _of(self, other):
        return other.data if isinstance(other, _Sequence) else other

    def __eq__(self, other):
        return self.data == self._of(other)

    def __lt__(self, other):
        return self.data < self._of(other)

    def __getitem__(self, i):
        return type(self)(self.data[i]) if isinstance(i, slice) else self.data[i]

    def __add__(self, other):
        return type(self)(self.data + self._of(other))

    def __mul__(self, n):
        return type(self)(self.data * n)

    __rmul__ = __mul__

    def index(self, item, *span):
        return self.data.index(item, *span)

    def count(self, item):
        return self.data.count(item)


class UserList(_Sequence):
    def __init__(self, initlist=None):
        self.data = [] if initlist is None else list(initlist)

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def append(self, item):
        self.data.append(item)

    def insert(self, i, item):
        self.data.insert(i, item)

    def pop(self, i=-1):
        return self.data.pop(i)

    def remove(self, item):
        self.data.remove(item)

    def clear(self):
        self.data.clear()

    def copy(self):
        return type(self)(self.data)

    def reverse(self):
        self.data.reverse()

    def sort(self, **options):
        self.data.sort(**options)

    def extend(self, other):
        self.data.extend(self._of(other))


class UserString(_Sequence):
    def __init__(self, seq):
        self.data = str(seq)

    def __str__(self):
        return self.data

    def __hash__(self):
        return hash(self.data)

    def __getattr__(self, name):
        if name == "data":
            raise AttributeError(name)
        method = getattr(self.data, name)

        def call(*args, **keywords):
            result = method(*[self._of(each) for each in args], **keywords)
            return type(self)(result) if isinstance(result, str) else result

        return call
