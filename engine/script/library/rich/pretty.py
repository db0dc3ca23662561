# type: ignore
"""rich.pretty: containers over several lines where one is too short."""

_ENDS = {list: ("[", "]"), tuple: ("(", ")"), dict: ("{", "}"), set: ("{", "}"), frozenset: ("frozenset({", "})")}


def pretty_repr(
    value, *, max_width=80, indent_size=4, max_length=None, max_string=None, max_depth=None, expand_all=False
):
    return "\n".join(_lines(value, max_width, indent_size, "", "", expand_all))


def _lines(value, width, step, before, after, expand):
    """The lines of a value that stands after `before` and is followed by `after`."""
    whole = f"{before}{value!r}{after}"
    ends = _ENDS.get(type(value))
    if ends is None or not value or (len(whole) <= width and not expand):
        return [whole]
    space = " " * (len(before) - len(before.lstrip(" ")))
    lines = [f"{before}{ends[0]}"]
    items = (
        [(f"{key!r}: ", each) for key, each in value.items()]
        if isinstance(value, dict)
        else [("", each) for each in value]
    )
    for i, (key, each) in enumerate(items):
        comma = "," if i + 1 < len(items) or (type(value) is tuple and len(value) == 1) else ""
        lines += _lines(each, width, step, f"{space}{' ' * step}{key}", comma, expand)
    return [*lines, f"{space}{ends[1]}{after}"]


def pprint(value, *, console=None, max_width=80, expand_all=False, **options):
    print(pretty_repr(value, max_width=max_width, expand_all=expand_all))


def install(*args, **options):
    return None
