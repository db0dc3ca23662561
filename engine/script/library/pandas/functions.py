# type: ignore
"""pandas.functions: figures that are asked for by a name or as a function."""

_FIGURES = ("mean", "sum", "min", "max", "std", "var", "median", "prod", "nunique", "count", "any", "all")


def figure_of(function):
    """What gives a column's figure: a method by its name, or a function."""
    if not isinstance(function, str):
        named = getattr(function, "__name__", "")
        return (lambda column: getattr(column, named)()) if named in _FIGURES else function
    if function in ("first", "last"):
        return lambda column: column.dropna().iloc[0 if function == "first" else -1]
    return len if function == "size" else lambda column: getattr(column, function)()


def of_groups(figure):
    """The figure, which says of texts what groups of them say."""

    def made(part):
        try:
            return figure(part)
        except TypeError as problem:
            said = str(problem)
            if said.startswith("Cannot perform reduction '"):
                raise TypeError(f"dtype 'str' does not support operation {said.split()[3]}") from None
            raise

    return made


def name_of(function):
    return function if isinstance(function, str) else function.__name__


def names_of(functions):
    """The names of figures beside each other: functions without a name are counted."""
    lambdas = iter(range(len(functions)))
    names = [name_of(each) for each in functions]
    if len(names) < 2:
        return names
    return [f"<lambda_{next(lambdas)}>" if name == "<lambda>" else name for name in names]
