# type: ignore
"""pandas.chosen: rows and columns that stay: those of some labels, those without gaps, some drawn by chance."""

import re

import numpy as np
from pandas.values import missing


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

    def take(self, indices):
        return self.iloc[list(indices)]

    def truncate(self, before=None, after=None):
        """The rows from one label to another."""
        kept = [
            place
            for place, label in enumerate(self.index)
            if (before is None or label >= before) and (after is None or label <= after)
        ]
        return self.iloc[kept]


class PickedOfTables(Picked):
    def drop(self, labels=None, axis=0, index=None, columns=None, inplace=False, errors="raise"):
        gone = columns if columns is not None else index if index is not None else labels
        gone = list(gone) if isinstance(gone, (list, tuple)) else [gone]
        if columns is None and axis in (0, "index"):
            made = self.iloc[[i for i, label in enumerate(self.index) if label not in gone]]
        else:
            lost = [name for name in gone if name not in self._columns]
            if lost and errors == "raise":
                raise KeyError(f"{lost} not found in axis")
            made = self[[name for name in self.columns if name not in gone]]
        return self._done(made, inplace)

    def filter(self, items=None, like=None, regex=None, axis=1):
        """The columns (or rows) whose names are asked for."""
        if sum([each is not None for each in (items, like, regex)]) != 1:
            raise TypeError(
                "Keyword arguments `items`, `like`, or `regex` are mutually exclusive"
                if any([each is not None for each in (items, like, regex)])
                else "Must pass a positional argument or one of `items`, `cond`, `like`, or `regex`"
            )
        labels = list(self.columns if axis in (1, "columns") else self.index)
        if items is not None:
            kept = [each for each in items if each in labels]
        elif like is not None:
            kept = [each for each in labels if like in f"{each}"]
        else:
            kept = [each for each in labels if re.search(regex, f"{each}")]
        return self[kept] if axis in (1, "columns") else self.loc[kept]

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
    def drop(self, labels=None, index=None, errors="raise"):
        gone = index if labels is None else labels
        gone = list(gone) if isinstance(gone, (list, tuple, np.ndarray)) or hasattr(gone, "_values") else [gone]
        lost = [each for each in gone if each not in self.index]
        if lost and errors == "raise":
            raise KeyError(f"{lost} not found in axis")
        return self.iloc[[i for i, label in enumerate(self.index) if label not in gone]]

    def dropna(self, axis=0, inplace=False, how=None, ignore_index=False):
        made = self[~missing(self._values)]
        return self._done(made.reset_index(drop=True) if ignore_index else made, inplace)
