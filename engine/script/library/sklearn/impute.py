# type: ignore
"""sklearn.impute: what stands in for what is not known."""

import numpy as np
from sklearn.utils import Estimator, table_of


class SimpleImputer(Estimator):
    """The mean, median or most frequent value of a column, or a value that is given, where there is none."""

    _options = {"missing_values": np.nan, "strategy": "mean", "fill_value": None}

    def _figure(self, column):
        known = column[~np.isnan(column)]
        if self.strategy == "constant":
            return 0.0 if self.fill_value is None else self.fill_value
        if self.strategy == "most_frequent":
            values, counts = np.unique(known, return_counts=True)
            return values[np.argmax(counts)]
        return np.median(known) if self.strategy == "median" else np.mean(known)

    def _words(self, X):
        """A table with texts as an array of objects; None of numbers."""
        X = np.asarray(X)
        if X.dtype.kind not in "UO":
            return None
        if self.strategy in ("mean", "median"):
            text = next((each for each in X.ravel().tolist() if isinstance(each, str)), None)
            if text is None:
                return None
            raise ValueError(
                f"Cannot use {self.strategy} strategy with non-numeric data:\n"
                f"could not convert string to float: {text!r}"
            )
        return X.astype(object)

    def _lost(self, each):
        return each is None or each != each or each == self.missing_values

    def _word(self, column):
        if self.strategy == "constant":
            return "missing_value" if self.fill_value is None else self.fill_value
        counts = {}
        for each in column:
            if not self._lost(each):
                counts[each] = counts.get(each, 0) + 1
        return min(counts, key=lambda each: (-counts[each], each))

    def fit(self, X, y=None):
        words = self._words(X)
        if words is not None:
            held = [self._word(column.tolist()) for column in words.T]
            self.statistics_ = np.array([*held, None], dtype=object)[:-1]
            return self
        self.statistics_ = np.array([self._figure(column) for column in table_of(X).T])
        return self

    def transform(self, X):
        words = self._words(X)
        if words is not None:
            known = self.statistics_.tolist()
            for row in range(words.shape[0]):
                for place, each in enumerate(words[row].tolist()):
                    if self._lost(each):
                        words[row, place] = known[place]
            return words
        X = table_of(X)
        return np.where(np.isnan(X), self.statistics_, X)
