# type: ignore
"""weakref: what is referred to lives as long as the run here, so that every execution of a script is the same."""


class ref:
    def __init__(self, thing, callback=None):
        self._thing = thing

    def __call__(self):
        return self._thing

    def __eq__(self, other):
        return isinstance(other, ref) and self._thing == other._thing

    def __hash__(self):
        return hash(self._thing)


ReferenceType = WeakMethod = ref


def proxy(thing, callback=None):
    return thing


class WeakKeyDictionary(dict):
    pass


class WeakValueDictionary(dict):
    pass


class WeakSet(set):
    pass


class finalize:
    alive = True

    def __init__(self, thing, function, *args, **keywords):
        self._call = function, args, keywords

    def __call__(self):
        if self.alive:
            self.alive = False
            function, args, keywords = self._call
            return function(*args, **keywords)
        return None

    def detach(self):
        self.alive = False
