# type: ignore
"""joblib: values kept in files of the run as pickle keeps them, and calls one after the other."""

import functools
import pickle


def dump(value, filename, compress=0, protocol=None):
    if hasattr(filename, "write"):
        pickle.dump(value, filename, protocol)
        return None
    with open(filename, "wb") as file:
        pickle.dump(value, file, protocol)
    return [str(filename)]


def load(filename, mmap_mode=None):
    if hasattr(filename, "read"):
        return pickle.load(filename)
    with open(filename, "rb") as file:
        return pickle.load(file)


def delayed(function):
    """The call that Parallel makes later, as (function, args, kwargs)."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        return function, args, kwargs

    return call


class Parallel:
    """Calls of delayed functions, made in their order."""

    def __init__(self, n_jobs=None, backend=None, return_as="list", verbose=0, **options):
        self.n_jobs, self.return_as = n_jobs, return_as

    def __call__(self, calls):
        made = (function(*args, **kwargs) for function, args, kwargs in calls)
        return list(made) if self.return_as == "list" else made

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


def cpu_count(only_physical_cores=False):
    return 1


class Memory:
    """Calls that are made each time: nothing is kept between runs."""

    def __init__(self, location=None, **options):
        self.location = location

    def cache(self, func=None, **options):
        return (lambda function: function) if func is None else func
