# type: ignore
"""collections, what is not in surface_collections.py."""


class ChainMap:
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __getitem__(self, key):
        for each in self.maps:
            if key in each:
                return each[key]
        raise KeyError(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __contains__(self, key):
        return any(key in each for each in self.maps)

    def keys(self):
        found = {}
        for each in reversed(self.maps):
            found.update(dict.fromkeys(each))
        return list(found)

    def __iter__(self):
        return iter(self.keys())

    def __len__(self):
        return len(self.keys())

    def values(self):
        return [self[key] for key in self]

    def items(self):
        return [(key, self[key]) for key in self]

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        del self.maps[0][key]

    def new_child(self, m=None, **values):
        return ChainMap({**(m or {}), **values}, *self.maps)

    def __repr__(self):
        return f"ChainMap({', '.join(map(repr, self.maps))})"
