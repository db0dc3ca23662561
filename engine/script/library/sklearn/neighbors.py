# type: ignore
"""sklearn.neighbors: what the nearest examples say."""

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import Estimator, table_of

TOGETHER = 64
"""So many rows are held against all examples at once."""


class _Neighbors(Estimator):
    _options = {
        "n_neighbors": 5,
        "weights": "uniform",
        "algorithm": "auto",
        "leaf_size": 30,
        "p": 2,
        "metric": "minkowski",
        "metric_params": None,
        "n_jobs": None,
    }
    _placed = ("n_neighbors",)

    def fit(self, X, y):
        self._X, self._y = table_of(X), np.asarray(y)
        self.n_samples_fit_, self.n_features_in_ = self._X.shape
        return self

    def kneighbors(self, X=None, n_neighbors=None, return_distance=True):
        X, count = table_of(X), n_neighbors or self.n_neighbors
        if count > len(self._X):
            raise ValueError(
                f"Expected n_neighbors <= n_samples_fit, but n_neighbors = {count}, n_samples_fit = {len(self._X)}, "
                f"n_samples = {len(X)}"
            )
        apart, places = [], []
        for start in range(0, len(X), TOGETHER):
            part = cdist(X[start : start + TOGETHER], self._X, self.metric, p=self.p)
            order = np.argsort(part, axis=1, kind="stable")[:, :count]
            places.append(order)
            apart.append(np.take_along_axis(part, order, axis=1))
        places = np.concatenate(places)
        return (np.concatenate(apart), places) if return_distance else places

    def _weights(self, apart):
        """What each neighbour counts."""
        if self.weights == "uniform":
            return np.ones_like(apart)
        if callable(self.weights):
            return self.weights(apart)
        with np.errstate(divide="ignore"):
            weights = 1.0 / apart
        same = np.isinf(weights)
        return np.where(same.any(axis=1, keepdims=True), same.astype(np.float64), weights)


class KNeighborsClassifier(_Neighbors):
    """The class that most of the nearest examples have; of several the first."""

    def fit(self, X, y):
        super().fit(X, y)
        self.classes_, self._numbers = np.unique(self._y.ravel(), return_inverse=True)
        return self

    def predict_proba(self, X):
        apart, places = self.kneighbors(X)
        weights, numbers = self._weights(apart), self._numbers[places]
        made = np.stack([(weights * (numbers == each)).sum(axis=1) for each in range(len(self.classes_))], axis=1)
        return made / made.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    def score(self, X, y):
        return accuracy_score(y, self.predict(X))


class KNeighborsRegressor(_Neighbors):
    """The mean of the nearest examples."""

    def predict(self, X):
        apart, places = self.kneighbors(X)
        weights, values = self._weights(apart), self._y[places]
        if values.ndim == 3:
            weights = weights[:, :, None]
        return (values * weights).sum(axis=1) / weights.sum(axis=1)

    def score(self, X, y):
        return r2_score(y, self.predict(X))
