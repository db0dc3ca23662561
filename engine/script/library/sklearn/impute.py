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

    def fit(self, X, y=None):
        self.statistics_ = np.array([self._figure(column) for column in table_of(X).T])
        return self

    def transform(self, X):
        X = table_of(X)
        return np.where(np.isnan(X), self.statistics_, X)
