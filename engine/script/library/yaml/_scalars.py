# type: ignore
"""Plain scalars of YAML 1.1: what their text means."""

import datetime
import re

_TRUE, _FALSE, _NULL = [
    {form for word in words.split() for form in (word, word.capitalize(), word.upper())}
    for words in ("yes true on", "no false off", "null")
]
_INT = re.compile(r"[-+]?(0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]*|[1-9][0-9_]*(:[0-5]?[0-9])*)")
_FLOAT = re.compile(
    r"[-+]?([0-9][0-9_]*\.[0-9_]*([eE][-+][0-9]+)?|\.[0-9][0-9_]*([eE][-+][0-9]+)?|[0-9][0-9_]*(:[0-5]?[0-9])+\.[0-9_]*)"
)
_SPECIAL = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_TIME = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d*))?")


def resolved(text):
    """The value of a plain scalar."""
    if text in ("", "~") or text in _NULL:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if text[0] not in "-+.0123456789":
        return text
    if _INT.fullmatch(text):
        return _whole(text.replace("_", ""))
    if _FLOAT.fullmatch(text):
        sign, digits = (-1 if text[0] == "-" else 1), text.lstrip("+-").replace("_", "")
        found = 0.0
        for part in digits.split(":"):
            found = found * 60 + float(part)
        return sign * found
    if _SPECIAL.fullmatch(text):
        return float(text.replace(".", ""))
    date = _DATE.fullmatch(text)
    if date:
        return datetime.date(*[int(part) for part in date.groups()])
    time = _TIME.fullmatch(text)
    if time:
        *parts, fraction = time.groups()
        return datetime.datetime(*[int(part) for part in parts], int(((fraction or "") + "000000")[:6]))
    return text


def _whole(text):
    sign, digits = (-1 if text[0] == "-" else 1), text.lstrip("+-")
    if digits.startswith(("0b", "0x")):
        return sign * int(digits, 0)
    if ":" in digits:
        found = 0
        for part in digits.split(":"):
            found = found * 60 + int(part)
        return sign * found
    return sign * int(digits, 8 if digits[0] == "0" and digits != "0" else 10)
