"""matplotlib.colors: colors as red, green and blue."""

from __future__ import annotations

from typing import Any

from engine.script.surface.plots import text_of

CYCLE = ["1f77b4", "ff7f0e", "2ca02c", "d62728", "9467bd", "8c564b", "e377c2", "7f7f7f", "bcbd22", "17becf"]
TABLEAU = ("blue", "orange", "green", "red", "purple", "brown", "pink", "gray", "olive", "cyan")
NAMED = dict(zip(TABLEAU, CYCLE, strict=True))
BASE = {
    "b": (0.0, 0.0, 1.0),
    "g": (0.0, 0.5, 0.0),
    "r": (1.0, 0.0, 0.0),
    "c": (0.0, 0.75, 0.75),
    "m": (0.75, 0.0, 0.75),
    "y": (0.75, 0.75, 0.0),
    "k": (0.0, 0.0, 0.0),
    "w": (1.0, 1.0, 1.0),
}
WORDS = {
    "blue": "0000ff",
    "green": "008000",
    "red": "ff0000",
    "black": "000000",
    "white": "ffffff",
    "orange": "ffa500",
    "gray": "808080",
    "grey": "808080",
    "yellow": "ffff00",
    "purple": "800080",
    "cyan": "00ffff",
}


def to_rgba(c: Any, alpha: Any = None) -> tuple[float, ...]:
    """A color as red, green, blue and opacity, each up to 1. Raises ValueError for what is none."""
    text = text_of(c)
    c = BASE.get(text, c)
    opaque: float = 1.0
    if isinstance(c, (list, tuple)) and len(c) in (3, 4):
        parts, opaque = [float(each) for each in c], 1
    else:
        try:
            if text in WORDS or text.removeprefix("tab:") in NAMED:
                digits = NAMED[text[4:]] if text.startswith("tab:") else WORDS[text]
            elif text[:1] == "C" and text[1:].isdigit():
                digits, opaque = CYCLE[int(text[1:]) % 10], 1
            elif text[:1] == "#":
                digits = text[1:] if len(text) in (7, 9) else "".join(each * 2 for each in text[1:])
            else:
                return (*[float(text)] * 3, 1.0 if alpha is None else float(alpha))
            parts = [int(digits[i : i + 2], 16) / 255 for i in range(0, len(digits), 2)]
        except (ValueError, KeyError):
            raise ValueError(f"Invalid RGBA argument: {text!r}") from None
    opacity = float(alpha) if alpha is not None else parts[3] if len(parts) > 3 else opaque
    return (*parts[:3], opacity)


def to_hex(c: Any, keep_alpha: bool = False) -> str:
    return "#" + "".join(f"{round(each * 255):02x}" for each in to_rgba(c)[: 4 if keep_alpha else 3])
