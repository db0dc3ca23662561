# type: ignore
"""sklearn.utils: what the other modules share."""

import numpy as np


class Bunch(dict):
    """Values by attribute and by key."""

    def __init__(self, **values):
        super().__init__(values)

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)

    def __setattr__(self, name, value):
        self[name] = value


def check_random_state(seed):
    """The source of random numbers that `seed` means: NumPy's own (None), a new one (a number), or `seed` itself."""
    if seed is None:
        return np.random
    return np.random.RandomState(seed) if isinstance(seed, (int, np.integer)) else seed


def take(values, places):
    """The items of a list, array or tensor at `places`. What has no shape (a range, a Dataset) is asked one by one."""
    if hasattr(values, "iloc"):
        return values.iloc[places]
    return values[places] if hasattr(values, "shape") else [values[place] for place in places]


def shuffle(*arrays, random_state=None, n_samples=None):
    """The arrays in one random order."""
    order = np.arange(len(arrays[0]))
    check_random_state(random_state).shuffle(order)
    shuffled = [take(array, order[:n_samples]) for array in arrays]
    return shuffled[0] if len(shuffled) == 1 else shuffled


class Estimator:
    """What is made with options and fitted to data. `_options`: the names of the options and what they are when nothing
    is said; `_placed`: those that may be given by their place."""

    _options, _placed = {}, ()

    def __init__(self, *args, **given):
        if len(args) > len(self._placed):
            takes = len(self._placed) + 1
            raise TypeError(
                f"{type(self).__name__}.__init__() takes {takes} positional argument{'s' * (takes != 1)} but {len(args) + 1}"
                " were given"
            )
        given = {**dict(zip(self._placed, args)), **given}
        for name in given:
            if name not in self._options:
                raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument '{name}'")
        for name, value in {**self._options, **given}.items():
            setattr(self, name, value)

    def get_params(self, deep=True):
        return {name: getattr(self, name) for name in sorted(self._options)}

    def set_params(self, **given):
        for name, value in given.items():
            setattr(self, name, value)
        return self

    def fit_transform(self, X, y=None):
        return self.fit(X, y).transform(X)

    def __repr__(self):
        changed = [(name, repr(getattr(self, name))) for name in self._options]
        told = [f"{name}={text}" for name, text in sorted(changed) if text != repr(self._options[name])]
        return f"{type(self).__name__}({', '.join(told)})"


def table_of(X):
    """float32 or float64 (rows, columns)."""
    known = isinstance(X, np.ndarray) or hasattr(X, "iloc")
    X = np.asarray(X)
    if X.dtype.kind != "f" or not known:
        X = X.astype(np.float64)
    if X.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {X.ndim}D array instead:\narray={X}.\nReshape your data either using array.reshape(-1, 1) if "
            "your data has a single feature or array.reshape(1, -1) if it contains a single sample."
        )
    return X
