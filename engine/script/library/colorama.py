# type: ignore
"""colorama: signs that colour a terminal. After init() they are left out of what is printed, as they are in a pipe."""

import re
import sys

CSI, OSC, BEL = "\033[", "\033]", "\a"
_SIGNS = re.compile("\001?\033\\[((?:\\d|;)*)([a-zA-Z])\002?")


class _Codes:
    def __init__(self, **codes):
        for name, code in codes.items():
            setattr(self, name, f"{CSI}{code}m")


def _colors(first):
    names = "BLACK RED GREEN YELLOW BLUE MAGENTA CYAN WHITE".split()
    plain = {name: first + i for i, name in enumerate(names)}
    light = {f"LIGHT{name}_EX": first + 60 + i for i, name in enumerate(names)}
    return {**plain, "RESET": first + 9, **light}


Fore, Back = _Codes(**_colors(30)), _Codes(**_colors(40))
Style = _Codes(BRIGHT=1, DIM=2, NORMAL=22, RESET_ALL=0)


class _CursorSigns:
    def UP(self, n=1):
        return f"{CSI}{n}A"

    def DOWN(self, n=1):
        return f"{CSI}{n}B"

    def FORWARD(self, n=1):
        return f"{CSI}{n}C"

    def BACK(self, n=1):
        return f"{CSI}{n}D"

    def POS(self, x=1, y=1):
        return f"{CSI}{y};{x}H"


Cursor = _CursorSigns()


class _Plain:
    """A stream without the signs."""

    def __init__(self, stream):
        self.stream = stream

    def write(self, text):
        self.stream.write(_SIGNS.sub("", text))
        return len(text)

    def flush(self):
        self.stream.flush()

    def isatty(self):
        return False


AnsiToWin32 = _Plain


def init(autoreset=False, convert=None, strip=None, wrap=True):
    if not wrap and (autoreset or convert or strip):
        raise ValueError("wrap=False conflicts with any other arg=True")
    if wrap and strip is not False and not isinstance(sys.stdout, _Plain):
        sys.stdout = _Plain(sys.stdout)


def deinit():
    if isinstance(sys.stdout, _Plain):
        sys.stdout = sys.stdout.stream


def reinit():
    init()


def just_fix_windows_console():
    return None
