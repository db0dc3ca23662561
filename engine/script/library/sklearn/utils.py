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
    """The items of a list, array or tensor at `places`."""
    if isinstance(values, (list, tuple)):
        return [values[place] for place in places]
    return values[places]


def shuffle(*arrays, random_state=None, n_samples=None):
    """The arrays in one random order."""
    order = np.arange(len(arrays[0]))
    check_random_state(random_state).shuffle(order)
    shuffled = [take(array, order[:n_samples]) for array in arrays]
    return shuffled[0] if len(shuffled) == 1 else shuffled
