# type: ignore
"""pandas.errors: the errors that are pandas' own."""


class MergeError(ValueError):
    pass
