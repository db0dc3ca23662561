# type: ignore
"""pandas.chosen: rows and columns that stay: those without gaps, some drawn by chance."""

import numpy as np
from pandas.shown import missing


def _enough(known, count, how, thresh):
    """Whether so many known values of `count` are enough; `known` may be an array."""
    if thresh is not None:
        return known >= thresh
    if how not in ("any", "all"):
        raise ValueError(f"invalid how option: {how}")
    return known == count if how == "any" else known > 0


class Picked:
    """What tables and columns have alike."""

    def sample(self, n=None, frac=None, replace=False, weights=None, random_state=None, axis=None, ignore_index=False):
        if axis not in (None, 0, "index", "rows"):
            raise NotImplementedError("sample() of columns is not supported in scripts here")
        if n is not None and frac is not None:
            raise ValueError("Please enter a value for `frac` OR `n`, not both")
        count = n if n is not None else round(len(self) * frac) if frac is not None else 1
        draw = np.random if random_state is None else random_state
        draw = draw if hasattr(draw, "choice") else np.random.RandomState(draw)
        if weights is not None:
            weights = np.asarray(self[weights] if isinstance(weights, str) else weights, dtype=float)
            weights = weights / weights.sum()
            if not replace and count * weights.max() > 1:
                raise ValueError(
                    "Weighted sampling cannot be achieved with replace=False. Either set replace=True or use smaller "
                    "weights. See the docstring of sample for details."
                )
        if count > len(self) and not replace:
            raise ValueError("Cannot take a larger sample than population when 'replace=False'")
        made = self.iloc[draw.choice(len(self), size=count, replace=replace, p=weights).tolist()]
        return made.reset_index(drop=True) if ignore_index else made


class PickedOfTables(Picked):
    def dropna(self, axis=0, how=None, thresh=None, subset=None, inplace=False, ignore_index=False):
        if how is not None and thresh is not None:
            raise TypeError("You cannot set both the how and thresh arguments at the same time.")
        how = "any" if how is None else how
        known = {name: ~missing(part) for name, part in self._columns.items()}
        subset = [subset] if isinstance(subset, (str, int)) else subset
        lost = [each for each in subset or () if each not in (self.index if axis in (1, "columns") else known)]
        if lost:
            raise KeyError(lost)
        if axis in (1, "columns"):
            asked = np.array([subset is None or label in subset for label in self.index], dtype=bool)
            count = int(asked.sum())
            made = self[[name for name, part in known.items() if _enough((part & asked).sum(), count, how, thresh)]]
            return self._done(made, inplace)
        names = list(known) if subset is None else list(subset)
        if not names:
            return self._done(self.copy(), inplace)
        kept = _enough(np.sum([known[name] for name in names], axis=0), len(names), how, thresh)
        made = self.iloc[np.arange(len(self))[kept].tolist()]
        return self._done(made.reset_index(drop=True) if ignore_index else made, inplace)


class PickedOfColumns(Picked):
    def dropna(self, axis=0, inplace=False, how=None, ignore_index=False):
        made = self[~missing(self._values)]
        made = made.reset_index(drop=True) if ignore_index else made
        if not inplace:
            return made
        self._values, self.index = made._values, made.index
        return None
