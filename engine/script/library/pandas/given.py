# type: ignore
"""pandas.given: arguments that are there for what is not here."""

ANY = object()


def only(called, given, **harmless):
    """Refuse arguments that a function would have to ignore: `harmless` are those that change nothing, each with the
    one value for which that is so, or ANY."""
    for name, value in given.items():
        if name in harmless and (harmless[name] is ANY or harmless[name] == value or harmless[name] is value):
            continue
        if name in harmless:
            raise NotImplementedError(f"{called}({name}={value!r}) is not supported in scripts here")
        raise TypeError(f"{called}() got an unexpected keyword argument {name!r}")
