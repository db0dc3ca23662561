# type: ignore
"""The arguments of an __init__ that is made from a class's fields, for dataclasses.py and attr.py."""


def _quoted(names):
    quoted = [f"'{name}'" for name in names]
    if len(quoted) > 2:
        return ", ".join(quoted[:-1]) + ", and " + quoted[-1]
    return " and ".join(quoted)


def bound(title, positional, named, required, required_named, args, keywords):
    """The values by name. `named` may be told by name only. Raises TypeError as Python does."""
    for name in keywords:
        if name not in positional and name not in named:
            raise TypeError(f"{title}.__init__() got an unexpected keyword argument '{name}'")
        if name in positional[: len(args)]:
            raise TypeError(f"{title}.__init__() got multiple values for argument '{name}'")
    if len(args) > len(positional):
        most, least = len(positional) + 1, len(required) + 1
        takes = f"from {least} to {most}" if least < most else f"{most}"
        plural = "s" if least < most or most != 1 else ""
        raise TypeError(f"{title}.__init__() takes {takes} positional argument{plural} but {len(args) + 1} were given")
    for kind, wanted in (("positional", required), ("keyword-only", required_named)):
        missing = [name for name in wanted if name not in keywords and name not in positional[: len(args)]]
        if missing:
            raise TypeError(
                f"{title}.__init__() missing {len(missing)} required {kind} "
                f"argument{'s' * (len(missing) > 1)}: {_quoted(missing)}"
            )
    return {**dict(zip(positional, args)), **keywords}
