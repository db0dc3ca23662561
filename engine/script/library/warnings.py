# type: ignore
"""warnings: filters, and lists of what was warned about. What is not filtered is told by the run."""

import _python

_filters = []
_lists = []
_told = set()
_ENGINE = {kind.__name__: kind for kind in (UserWarning, FutureWarning, DeprecationWarning, RuntimeWarning)}


class WarningMessage:
    def __init__(self, message, category, filename, lineno, file=None, line=None, source=None):
        self.message, self.category, self.filename, self.lineno = message, category, filename, lineno
        self.file, self.line, self.source = file, line, source


class catch_warnings:
    """A context at whose end the filters are what they were; with `record`, a list of what is warned about inside."""

    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
        self._record, self._action, self._category = record, action, category

    def __enter__(self):
        self._before = list(_filters)
        _told.clear()
        if self._action is not None:
            simplefilter(self._action, self._category)
        made = [] if self._record else None
        _lists.append(made)
        return made

    def __exit__(self, *error):
        _filters[:] = self._before
        _lists.pop()
        return False


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    _checked(action)
    _filters.insert(len(_filters) if append else 0, (action, message, category))
    _told.clear()


def simplefilter(action, category=Warning, lineno=0, append=False):
    filterwarnings(action, "", category, "", lineno, append)


def _checked(action):
    if action not in ("error", "ignore", "always", "default", "module", "once"):
        raise AssertionError(f"invalid action: {action!r}")


def resetwarnings():
    _filters.clear()


def _action(text, category):
    for action, message, kind in _filters:
        if issubclass(category, kind) and (not message or _fits(message, text)):
            return action
    return "default"


def _fits(message, text):
    from re import I, match

    return match(message, text, flags=I) is not None


def warn(message, category=None, stacklevel=1, source=None):
    if isinstance(message, Warning):
        category = type(message)
    elif category is None:
        category = UserWarning
    if not (isinstance(category, type) and issubclass(category, Warning)):
        raise TypeError(f"category must be a Warning subclass, not '{type(category).__name__}'")
    text = str(message)
    action = _action(text, category)
    made = message if isinstance(message, Warning) else category(message)
    if action == "error":
        raise made
    if action == "ignore":
        return
    line = _python.line()
    kept = next((each for each in reversed(_lists) if each is not None), None)
    if kept is None:
        _python.tell(category.__name__, text)
        return
    where = (text, category, 0 if action == "once" else line)
    if action == "always" or where not in _told:
        _told.add(where)
        kept.append(WarningMessage(made, category, "script.py", line))


def _heard(text, name):
    """The engine gives a warning. One that is ignored is told by the run all the same: findings read it."""
    category = _ENGINE[name]
    if _action(text, category) == "ignore" and all(each is None for each in _lists):
        _python.tell(name, text)
    else:
        warn(text, category)


def warn_explicit(message, category, filename, lineno, *args, **options):
    warn(message, category)


def showwarning(message, category, filename, lineno, file=None, line=None):
    _python.tell(category.__name__, str(message))


def formatwarning(message, category, filename, lineno, line=None):
    return f"{filename}:{lineno}: {category.__name__}: {message}\n"
