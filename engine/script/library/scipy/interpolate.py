# type: ignore
"""scipy.interpolate: between points that are known."""

import numpy as np


class interp1d:
    """A function through points: straight lines ("linear"), or the value of a neighbour ("nearest", "previous",
    "next")."""

    def __init__(
        self, x, y, kind="linear", axis=-1, copy=True, bounds_error=None, fill_value=np.nan, assume_sorted=False
    ):
        self.x, self.y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
        if self.y.ndim != 1:
            raise ValueError("interp1d() takes a y of one dimension here")
        if len(self.x) != len(self.y):
            raise ValueError("x and y arrays must be equal in length along interpolation axis.")
        if kind not in ("linear", "nearest", "previous", "next"):
            raise NotImplementedError(f"{kind} is unsupported: Use fitpack routines for other types.")
        if not assume_sorted:
            order = np.argsort(self.x, kind="stable")
            self.x, self.y = self.x[order], self.y[order]
        self._kind, self.fill_value = kind, fill_value
        self.bounds_error = bool(fill_value is np.nan) if bounds_error is None else bounds_error

    def __call__(self, x):
        x = np.asarray(x, dtype=np.float64)
        below, above = x < self.x[0], x > self.x[-1]
        beyond = isinstance(self.fill_value, str)
        if self.bounds_error and not beyond:
            for which, told, limit in ((below, "below", self.x[0]), (above, "above", self.x[-1])):
                if np.any(which):
                    end = {"below": "minimum", "above": "maximum"}[told]
                    raise ValueError(
                        f"A value ({x[which][0]}) in x_new is {told} the interpolation range's {end} value ({limit})."
                    )
        made = self._made(x)
        if not beyond:
            low, high = self.fill_value if isinstance(self.fill_value, tuple) else (self.fill_value, self.fill_value)
            made = np.where(below, low, np.where(above, high, made))
        return made

    def _made(self, x):
        last = len(self.x) - 1
        if self._kind == "nearest":
            middles = (self.x[1:] + self.x[:-1]) / 2.0
            return self.y[np.clip(np.searchsorted(middles, x, side="left"), 0, last)]
        if self._kind == "previous":
            return self.y[np.clip(np.searchsorted(self.x, x, side="right") - 1, 0, last)]
        if self._kind == "next":
            return self.y[np.clip(np.searchsorted(self.x, x, side="left"), 0, last)]
        place = np.clip(np.searchsorted(self.x, x), 1, last)
        low, high = place - 1, place
        slope = (self.y[high] - self.y[low]) / (self.x[high] - self.x[low])
        return slope * (x - self.x[low]) + self.y[low]
