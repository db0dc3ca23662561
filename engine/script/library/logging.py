# type: ignore
"""logging: records go to handlers; files are those of the run."""

import sys as _sys
import time as _time

import _python

DEBUG, INFO, WARNING, ERROR, CRITICAL, NOTSET = 10, 20, 30, 40, 50, 0
WARN, FATAL = WARNING, CRITICAL
BASIC_FORMAT = "%(levelname)s:%(name)s:%(message)s"
raiseExceptions = True
_names = {10: "DEBUG", 20: "INFO", 30: "WARNING", 40: "ERROR", 50: "CRITICAL", 0: "NOTSET"}
_numbers = {name: number for number, name in _names.items()}
_numbers.update(WARN=30, FATAL=50)
_disabled = [0]


def getLevelName(level):
    return _names[level] if level in _names else _numbers.get(level, f"Level {level}")


def addLevelName(level, levelName):
    _names[level] = levelName
    _numbers[levelName] = level


def _number(level):
    if isinstance(level, int):
        return level
    if not isinstance(level, str):
        raise TypeError(f"Level not an integer or a valid string: {level!r}")
    if level not in _numbers:
        raise ValueError(f"Unknown level: {level!r}")
    return _numbers[level]


class LogRecord:
    def __init__(self, name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None, **options):
        self.name, self.msg, self.exc_info = name, msg, exc_info
        self.args = args[0] if len(args) == 1 and isinstance(args[0], dict) and args[0] else args
        self.levelno, self.levelname = level, getLevelName(level)
        self.pathname = self.filename = pathname
        self.module, self.funcName, self.lineno = "script", func or "<module>", lineno
        self.created = _time.time()
        self.msecs = self.relativeCreated = 0
        self.process, self.processName = 1, "MainProcess"
        self.thread, self.threadName = 1, "MainThread"

    def __repr__(self):
        return f'<LogRecord: {self.name}, {self.levelno}, {self.pathname}, {self.lineno}, "{self.msg}">'

    def getMessage(self):
        text = str(self.msg)
        return text % self.args if self.args else text


def makeLogRecord(values):
    record = LogRecord(None, 0, "", 0, "", (), None)
    for name, value in values.items():
        setattr(record, name, value)
    return record


class Formatter:
    default_time_format = "%Y-%m-%d %H:%M:%S"

    def __init__(self, fmt=None, datefmt=None, style="%", validate=True, *, defaults=None):
        if style not in ("%", "{", "$"):
            raise ValueError("Style must be one of: %,{,$")
        self._fmt = fmt or {"%": "%(message)s", "{": "{message}", "$": "${message}"}[style]
        self._style, self._defaults = style, defaults or {}
        self.datefmt = datefmt

    def formatTime(self, record, datefmt=None):
        at = _time.localtime(record.created)
        return _time.strftime(datefmt, at) if datefmt else _time.strftime(self.default_time_format, at) + ",000"

    def formatException(self, info):
        from traceback import format_exception

        return "".join(format_exception(info[1])).rstrip("\n")

    def format(self, record):
        record.message = record.getMessage()
        if "asctime" in self._fmt:
            record.asctime = self.formatTime(record, self.datefmt)
        values = {**self._defaults, **vars(record)}
        if self._style == "%":
            text = self._fmt % values
        elif self._style == "{":
            text = self._fmt.format(**values)
        else:
            from string import Template

            text = Template(self._fmt).substitute(values)
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        return text


class Filter:
    def __init__(self, name=""):
        self.name = name

    def filter(self, record):
        return not self.name or record.name == self.name or record.name.startswith(self.name + ".")


class Filterer:
    def __init__(self):
        self.filters = []

    def addFilter(self, filter):
        if filter not in self.filters:
            self.filters.append(filter)

    def removeFilter(self, filter):
        if filter in self.filters:
            self.filters.remove(filter)

    def filter(self, record):
        return all([each.filter(record) if hasattr(each, "filter") else each(record) for each in self.filters])


class Handler(Filterer):
    def __init__(self, level=NOTSET):
        Filterer.__init__(self)
        self.level = _number(level)
        self.formatter = None
        self.name = None

    def setLevel(self, level):
        self.level = _number(level)

    def setFormatter(self, fmt):
        self.formatter = fmt

    def format(self, record):
        return (self.formatter or _plain_format).format(record)

    def emit(self, record):
        raise NotImplementedError("emit must be implemented by Handler subclasses")

    def handle(self, record):
        if self.filter(record):
            self.emit(record)

    def handleError(self, record):
        return

    def flush(self):
        return

    def close(self):
        return


_plain_format = Formatter()


class StreamHandler(Handler):
    terminator = "\n"

    def __init__(self, stream=None):
        Handler.__init__(self)
        self.stream = _sys.stderr if stream is None else stream

    def setStream(self, stream):
        before, self.stream = self.stream, stream
        return before

    def emit(self, record):
        self.stream.write(self.format(record) + self.terminator)


class FileHandler(StreamHandler):
    def __init__(self, filename, mode="a", encoding=None, delay=False, errors=None):
        StreamHandler.__init__(self, open(filename, mode, encoding=encoding, errors=errors))
        self.baseFilename = str(filename)

    def close(self):
        self.stream.close()

    def emit(self, record):
        if self.stream.closed:
            self.stream = open(self.baseFilename, "a")
        StreamHandler.emit(self, record)


class NullHandler(Handler):
    def handle(self, record):
        return

    emit = handle


class _Levels:
    """A method for each level, over log()."""

    def debug(self, msg, *args, **options):
        self.log(DEBUG, msg, *args, **options)

    def info(self, msg, *args, **options):
        self.log(INFO, msg, *args, **options)

    def warning(self, msg, *args, **options):
        self.log(WARNING, msg, *args, **options)

    def error(self, msg, *args, **options):
        self.log(ERROR, msg, *args, **options)

    def critical(self, msg, *args, **options):
        self.log(CRITICAL, msg, *args, **options)


class Logger(_Levels, Filterer):
    def __init__(self, name, level=NOTSET):
        Filterer.__init__(self)
        self.name = name
        self.parent = None
        self.level = _number(level)
        self.handlers = []
        self.propagate = True
        self.disabled = False

    def __repr__(self):
        return f"<{type(self).__name__} {self.name} ({getLevelName(self.getEffectiveLevel())})>"

    def setLevel(self, level):
        self.level = _number(level)

    def getEffectiveLevel(self):
        each = self
        while each is not None:
            if each.level:
                return each.level
            each = each.parent
        return NOTSET

    def isEnabledFor(self, level):
        return not self.disabled and level > _disabled[0] and level >= self.getEffectiveLevel()

    def addHandler(self, hdlr):
        if hdlr not in self.handlers:
            self.handlers.append(hdlr)

    def removeHandler(self, hdlr):
        if hdlr in self.handlers:
            self.handlers.remove(hdlr)

    def hasHandlers(self):
        each = self
        while each is not None:
            if each.handlers:
                return True
            each = each.parent if each.propagate else None
        return False

    def getChild(self, suffix):
        return getLogger(suffix if self is root else self.name + "." + suffix)

    def callHandlers(self, record):
        each = self
        while each is not None:
            for handler in each.handlers:
                if record.levelno >= handler.level:
                    handler.handle(record)
            each = each.parent if each.propagate else None

    def handle(self, record):
        if not self.disabled and self.filter(record):
            self.callHandlers(record)

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        if isinstance(exc_info, BaseException):
            exc_info = (type(exc_info), exc_info, None)
        elif exc_info is True:
            exc_info = _sys.exc_info()
        record = LogRecord(
            self.name, level, "script.py", _python.line(), msg, args, exc_info or None, _python.function()
        )
        for name, value in (extra or {}).items():
            setattr(record, name, value)
        self.handle(record)

    def log(self, level, msg, *args, **options):
        if not isinstance(level, int):
            raise TypeError("level must be an integer")
        if self.isEnabledFor(level):
            self._log(level, msg, args, **options)

    def exception(self, msg, *args, exc_info=True, **options):
        self.log(ERROR, msg, *args, exc_info=exc_info, **options)

    warn = _Levels.warning
    fatal = _Levels.critical


class LoggerAdapter(_Levels):
    def __init__(self, logger, extra=None):
        self.logger, self.extra = logger, extra

    def process(self, msg, kwargs):
        kwargs["extra"] = self.extra
        return msg, kwargs

    def log(self, level, msg, *args, **options):
        if self.logger.isEnabledFor(level):
            msg, options = self.process(msg, options)
            self.logger.log(level, msg, *args, **options)


class RootLogger(Logger):
    pass


root = RootLogger("root", WARNING)
_loggers = {}


def getLogger(name=None):
    if not name or name == "root":
        return root
    if name not in _loggers:
        made = _loggers[name] = Logger(name)
        for each in sorted(_loggers, key=len):
            _loggers[each].parent = _parent(each)
        return made
    return _loggers[name]


def _parent(name):
    above = name.rpartition(".")[0]
    while above:
        if above in _loggers:
            return _loggers[above]
        above = above.rpartition(".")[0]
    return root


def basicConfig(
    *,
    filename=None,
    filemode="a",
    format=None,
    datefmt=None,
    style="%",
    level=None,
    stream=None,
    handlers=None,
    force=False,
    encoding=None,
    errors=None,
):
    if force:
        root.handlers.clear()
    if root.handlers:
        return
    if handlers is None:
        if filename is not None:
            handlers = [FileHandler(filename, filemode, encoding=encoding, errors=errors)]
        else:
            handlers = [StreamHandler(stream)]
    basic = {"%": BASIC_FORMAT, "{": "{levelname}:{name}:{message}", "$": "${levelname}:${name}:${message}"}
    made = Formatter(format or basic[style], datefmt, style)
    for handler in handlers:
        if handler.formatter is None:
            handler.setFormatter(made)
        root.addHandler(handler)
    if level is not None:
        root.setLevel(level)


def disable(level=CRITICAL):
    _disabled[0] = _number(level)


def shutdown():
    return


def captureWarnings(capture):
    return


def _of_root(name):
    def log(msg, *args, **options):
        if not root.handlers:
            basicConfig()
        getattr(root, name)(msg, *args, **options)

    return log


debug, info, warning, error = _of_root("debug"), _of_root("info"), _of_root("warning"), _of_root("error")
critical, exception, log = _of_root("critical"), _of_root("exception"), _of_root("log")
warn, fatal = warning, critical
