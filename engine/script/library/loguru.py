# type: ignore
"""loguru: lines go to stderr, and to sinks that a script adds, in loguru's words."""

import datetime
import functools
import re
import sys

_LEVELS = {"TRACE": 5, "DEBUG": 10, "INFO": 20, "SUCCESS": 25, "WARNING": 30, "ERROR": 40, "CRITICAL": 50}
_CAUGHT = "An error has been caught:"
_MARK = re.compile(r"</*-*[^\W\d_](?:[^\W\d_]|-)*>|</>")
"""A colour in a format, <light-green>, or its end, </level> or </>."""
_FORMAT = "{time} | {level: <8} | {name}:{function}:{line} - {message}"


class _Time:
    """When a line was written, in the tokens of loguru's formats."""

    def __init__(self):
        self.now = datetime.datetime.now()

    def __format__(self, form):
        form = form or "YYYY-MM-DD HH:mm:ss.SSS"
        for token, own in (
            ("YYYY", "%Y"), ("YY", "%y"), ("MM", "%m"), ("DD", "%d"), ("HH", "%H"), ("mm", "%M"), ("ss", "%S"),
        ):  # fmt: skip
            form = form.replace(token, own)
        form = form.replace("SSSSSS", "%f").replace("SSS", f"{self.now.microsecond // 1000:03d}")
        return self.now.strftime(form)


class _Level:
    def __init__(self, name, no):
        self.name, self.no = name, no

    def __format__(self, form):
        return format(self.name, form)


class _Function:
    """What called: it is not looked up, so that a line names none."""

    def __format__(self, form):
        return format("<module>", form)


def _number(level):
    if not isinstance(level, str):
        return level
    if level not in _LEVELS:
        raise ValueError(f"Level '{level}' does not exist")
    return _LEVELS[level]


class _Logger:
    def __init__(self, core, extra, options):
        self._core, self._extra, self._options = core, extra, options

    def add(self, sink, *, level="DEBUG", format=_FORMAT, filter=None, **options):
        self._core["next"] += 1
        number = self._core["next"] - 1
        self._core["sinks"][number] = (sink, _number(level), format, filter)
        return number

    def remove(self, handler_id=None):
        sinks = self._core["sinks"]
        if handler_id is None:
            sinks.clear()
        elif handler_id not in sinks:
            raise ValueError(f"There is no existing handler with id {handler_id}")
        else:
            del sinks[handler_id]

    def _log(self, level, number, message, args, kwargs):
        text = str(message)
        if args or kwargs:
            text = text.format(*args, **kwargs)
        record = {
            "time": _Time(), "level": _Level(level, number), "message": text, "extra": dict(self._extra),
            "name": "__main__", "function": _Function(), "line": 1, "module": "script", "exception": None,
            "file": "script.py", "elapsed": datetime.timedelta(0), "process": 1, "thread": 1,
        }  # fmt: skip
        for patcher in self._options.get("patchers", ()):
            patcher(record)
        for sink, least, form, filtered in [*self._core["sinks"].values()]:
            if number < least:
                continue
            if callable(filtered) and not filtered(record):
                continue
            form = form(record) if callable(form) else form + "\n{exception}"
            line = _MARK.sub("", form).format(**{**record, "exception": ""}).rstrip("\n") + "\n"
            if hasattr(sink, "write"):
                sink.write(line)
            elif callable(sink):
                sink(line)
            else:
                with open(str(sink), "a") as file:
                    file.write(line)

    def log(self, level, message, *args, **kwargs):
        number = _number(level)
        self._log(level if isinstance(level, str) else f"Level {level}", number, message, args, kwargs)

    def trace(self, message, *args, **kwargs):
        self._log("TRACE", 5, message, args, kwargs)

    def debug(self, message, *args, **kwargs):
        self._log("DEBUG", 10, message, args, kwargs)

    def info(self, message, *args, **kwargs):
        self._log("INFO", 20, message, args, kwargs)

    def success(self, message, *args, **kwargs):
        self._log("SUCCESS", 25, message, args, kwargs)

    def warning(self, message, *args, **kwargs):
        self._log("WARNING", 30, message, args, kwargs)

    def error(self, message, *args, **kwargs):
        self._log("ERROR", 40, message, args, kwargs)

    exception = error

    def critical(self, message, *args, **kwargs):
        self._log("CRITICAL", 50, message, args, kwargs)

    def bind(self, **extra):
        return _Logger(self._core, {**self._extra, **extra}, self._options)

    def opt(self, **options):
        return self

    def patch(self, patcher):
        return _Logger(self._core, self._extra, {"patchers": [*self._options.get("patchers", ()), patcher]})

    def contextualize(self, **extra):
        return _Context(self, extra)

    def level(self, name, no=None, color=None, icon=None):
        if no is not None:
            _LEVELS[name] = no
        return _Level(name, _number(name))

    def configure(self, *, handlers=None, levels=None, extra=None, patcher=None, activation=None):
        for each in levels or ():
            self.level(**each)
        if extra is not None:
            self._extra.update(extra)
        if handlers is None:
            return []
        self.remove()
        return [self.add(**each) for each in handlers]

    def disable(self, name):
        return None

    enable = complete = disable

    def catch(
        self, exception=Exception, *, level="ERROR", reraise=False, onerror=None, message=_CAUGHT, default=None, **_
    ):
        if callable(exception) and not (isinstance(exception, type) and issubclass(exception, BaseException)):
            return _Catcher(self, Exception, level, reraise, onerror, default, message)(exception)
        return _Catcher(self, exception, level, reraise, onerror, default, message)


class _Context:
    def __init__(self, made, extra):
        self.made, self.extra = made, extra

    def __enter__(self):
        self.before = dict(self.made._extra)
        self.made._extra.update(self.extra)

    def __exit__(self, *error):
        self.made._extra.clear()
        self.made._extra.update(self.before)


class _Catcher:
    def __init__(self, made, kinds, level, reraise, onerror, default, message):
        self.made, self.kinds, self.level, self.reraise = made, kinds, level, reraise
        self.onerror, self.default, self.message = onerror, default, message

    def __enter__(self):
        return None

    def __exit__(self, kind, error, trace):
        if kind is None or not issubclass(kind, self.kinds):
            return False
        self.made.log(self.level, f"{self.message}\n{kind.__name__}: {error}".replace("{", "{{").replace("}", "}}"))
        if self.onerror is not None:
            self.onerror(error)
        return not self.reraise

    def __call__(self, function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            with self:
                return function(*args, **kwargs)
            return self.default

        return call


logger = _Logger({"sinks": {0: (sys.stderr, 10, _FORMAT, None)}, "next": 1}, {}, {})
