# type: ignore
"""logging: what goes to standard error is not shown; a handler for standard output prints."""

import sys

DEBUG, INFO, WARNING, ERROR, CRITICAL, NOTSET = 10, 20, 30, 40, 50, 0
WARN, FATAL = WARNING, CRITICAL
BASIC_FORMAT = "%(levelname)s:%(name)s:%(message)s"
_NAMES = {10: "DEBUG", 20: "INFO", 30: "WARNING", 40: "ERROR", 50: "CRITICAL", 0: "NOTSET"}


def getLevelName(level):
    return _NAMES.get(level, f"Level {level}")


def _number(level):
    return level if isinstance(level, int) else {name: number for number, name in _NAMES.items()}[level]


class Formatter:
    def __init__(self, fmt=None, datefmt=None, style="%"):
        self.fmt = fmt or "%(message)s"

    def format(self, level, name, message):
        return self.fmt % {
            "levelname": getLevelName(level),
            "levelno": level,
            "name": name,
            "message": message,
            "asctime": "2023-11-14 22:13:20,000",
            "filename": "script.py",
            "module": "script",
            "funcName": "<module>",
            "lineno": 1,
            "pathname": "script.py",
            "process": 1,
            "threadName": "MainThread",
        }


class Handler:
    def __init__(self, stream=None):
        self.stream = stream
        self.level = 0
        self.formatter = Formatter()

    def setLevel(self, level):
        self.level = _number(level)

    def setFormatter(self, formatter):
        self.formatter = formatter

    def handle(self, level, name, message):
        if level >= self.level and self.stream is sys.stdout:
            print(self.formatter.format(level, name, message))

    def flush(self):
        return

    def close(self):
        return


class StreamHandler(Handler):
    pass


class NullHandler(Handler):
    pass


class FileHandler(Handler):
    def __init__(self, filename=None, *args, **keywords):
        Handler.__init__(self)


class Logger:
    def __init__(self, name, parent=None):
        self.name = name
        self.parent = parent
        self.level = 0
        self.handlers = []
        self.propagate = True
        self.disabled = False

    def setLevel(self, level):
        self.level = _number(level)

    def getEffectiveLevel(self):
        return self.level or (self.parent.getEffectiveLevel() if self.parent is not None else WARNING)

    def isEnabledFor(self, level):
        return level >= self.getEffectiveLevel()

    def addHandler(self, handler):
        self.handlers.append(handler)

    def removeHandler(self, handler):
        if handler in self.handlers:
            self.handlers.remove(handler)

    def hasHandlers(self):
        return bool(self.handlers)

    def log(self, level, message, *args, **keywords):
        if self.disabled or not self.isEnabledFor(level):
            return
        text = str(message) % args if args else str(message)
        logger = self
        while logger is not None:
            for handler in logger.handlers:
                handler.handle(level, self.name, text)
            logger = logger.parent if logger.propagate else None

    def debug(self, message, *args, **keywords):
        self.log(DEBUG, message, *args)

    def info(self, message, *args, **keywords):
        self.log(INFO, message, *args)

    def warning(self, message, *args, **keywords):
        self.log(WARNING, message, *args)

    def error(self, message, *args, **keywords):
        self.log(ERROR, message, *args)

    def critical(self, message, *args, **keywords):
        self.log(CRITICAL, message, *args)

    warn = warning
    exception = error


root = Logger("root")
_loggers = {}


def getLogger(name=None):
    if not name or name == "root":
        return root
    if name not in _loggers:
        _loggers[name] = Logger(name, root)
    return _loggers[name]


def basicConfig(
    *, level=None, format=BASIC_FORMAT, stream=None, handlers=None, force=False, filename=None, datefmt=None, **others
):
    if root.handlers and not force:
        return
    root.handlers = list(handlers) if handlers is not None else [Handler(stream)]
    for handler in root.handlers:
        handler.setFormatter(Formatter(format))
    if level is not None:
        root.setLevel(level)


def disable(level=CRITICAL):
    root.disabled = True


def _plain(function):
    def log(message, *args, **keywords):
        if not root.handlers:
            basicConfig()
        function(message, *args)

    return log


debug, info, warning = _plain(root.debug), _plain(root.info), _plain(root.warning)
error, critical, exception, warn = _plain(root.error), _plain(root.critical), _plain(root.error), _plain(root.warning)
