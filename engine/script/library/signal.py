# type: ignore
"""signal: none arrives; which function would be called is kept."""

SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGKILL, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM = 1, 2, 3, 6, 9, 10, 12, 14, 15
SIG_DFL, SIG_IGN = 0, 1
_handlers = {}


def signal(signalnum, handler):
    before = _handlers.get(signalnum, SIG_DFL)
    _handlers[signalnum] = handler
    return before


def getsignal(signalnum):
    return _handlers.get(signalnum, SIG_DFL)
