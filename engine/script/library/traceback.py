# type: ignore
"""traceback: the calls that an error of the script went through, as Python shows them."""

import _python
import sys as _sys

_CAUSE = "\nThe above exception was the direct cause of the following exception:\n\n"
_CONTEXT = "\nDuring handling of the above exception, another exception occurred:\n\n"
_FIRST = "Traceback (most recent call last):\n"


class FrameSummary:
    def __init__(self, lineno, name, line):
        self.filename, self.lineno, self.name, self.line = "script.py", lineno, name, line

    def __iter__(self):
        return iter((self.filename, self.lineno, self.name, self.line))

    def __repr__(self):
        return f"<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>"


def extract_tb(tb, limit=None):
    found = [FrameSummary(*each) for each in _python.calls(tb)]
    if limit is not None:
        found = found[:limit] if limit >= 0 else found[limit:]
    return found


def format_list(frames):
    lines = []
    for filename, lineno, name, line in frames:
        lines.append(f'  File "{filename}", line {lineno}, in {name}\n' + (f"    {line}\n" if line else ""))
    return lines


def format_tb(tb, limit=None):
    return format_list(extract_tb(tb, limit))


def format_exception_only(exc, value=None):
    error = exc if value is None else value
    if error is None:
        return ["NoneType: None\n"]
    kind = type(error)
    name = kind.__name__ if kind.__module__ in ("__main__", "builtins") else f"{kind.__module__}.{kind.__qualname__}"
    text = str(error)
    notes = [f"{note}\n" for note in getattr(error, "__notes__", [])]
    return [f"{name}: {text}\n" if text else f"{name}\n", *notes]


def format_exception(exc, value=None, tb=None, limit=None, chain=True):
    error = exc if value is None else value
    parts = []
    seen = []
    while error is not None:
        seen.append(error)
        trace = error.__traceback__
        shown = [_FIRST, *format_tb(trace, limit)] if trace is not None else []
        parts = shown + format_exception_only(error) + parts
        before, between = error.__cause__, _CAUSE
        if before is None and not error.__suppress_context__:
            before, between = error.__context__, _CONTEXT
        if not chain or before is None or any([each is before for each in seen]):
            break
        error = before
        parts = [between, *parts]
    return parts or format_exception_only(None)


def format_exc(limit=None, chain=True):
    return "".join(format_exception(_sys.exc_info()[1], limit=limit, chain=chain))


def _write(parts, file):
    (_sys.stderr if file is None else file).write("".join(parts))


def print_exception(exc, value=None, tb=None, limit=None, file=None, chain=True):
    _write(format_exception(exc, value, tb, limit, chain), file)


def print_exc(limit=None, file=None, chain=True):
    print_exception(_sys.exc_info()[1], None, None, limit, file, chain)


def print_tb(tb, limit=None, file=None):
    _write(format_tb(tb, limit), file)


def format_stack(f=None, limit=None):
    return []


def print_stack(f=None, limit=None, file=None):
    return None


def extract_stack(f=None, limit=None):
    return []
