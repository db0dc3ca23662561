# type: ignore
"""sklearn.cluster: groups of rows around their means."""

import math

import numpy as np
from sklearn.utils import Estimator, check_random_state, table_of


def _apart(a, b):
    """The squared distances of every row of a from every row of b."""
    made = -2.0 * np.dot(a, b.T) + (a * a).sum(axis=1).reshape(-1, 1) + (b * b).sum(axis=1).reshape(1, -1)
    return np.maximum(made, 0.0)


class KMeans(Estimator):
    """Rows in `n_clusters` groups, each row with the nearest mean. The first means are drawn by k-means++ (Arthur and
    Vassilvitskii 2007), each the best of some candidates, or at random."""

    _options = {
        "n_clusters": 8,
        "init": "k-means++",
        "n_init": "auto",
        "max_iter": 300,
        "tol": 0.0001,
        "verbose": 0,
        "random_state": None,
        "copy_x": True,
        "algorithm": "lloyd",
    }
    _placed = ("n_clusters",)

    def _first(self, X, source):
        count, wanted = len(X), self.n_clusters
        shares = np.ones(count) / count
        if not isinstance(self.init, str):
            return np.asarray(self.init, dtype=X.dtype) - self._middle
        if self.init == "random":
            return X[source.choice(count, size=wanted, replace=False, p=shares)].copy()
        centers = np.empty((wanted, X.shape[1]), dtype=X.dtype)
        centers[0] = X[source.choice(count, p=shares)]
        nearest = _apart(centers[:1], X)[0]
        for number in range(1, wanted):
            drawn = source.uniform(size=2 + int(math.log(wanted))) * nearest.sum()
            places = np.clip(np.searchsorted(np.cumsum(nearest), drawn), None, count - 1)
            closer = np.minimum(nearest, _apart(X[places], X))
            best = int(np.argmin(closer.sum(axis=1)))
            nearest, centers[number] = closer[best], X[places[best]]
        return centers

    def _moved(self, X, labels, apart, centers):
        """The means of the groups; a group without rows takes the row that is farthest from its mean."""
        counts = np.bincount(labels, minlength=len(centers))
        made = np.zeros_like(centers)
        for number in range(len(centers)):
            made[number] = X[labels == number].sum(axis=0)
        farthest = np.argsort(apart)[::-1]
        for far, empty in zip(farthest, np.where(counts == 0)[0]):
            made[labels[far]] -= X[far]
            made[empty] = X[far]
            counts[labels[far]] -= 1
            counts[empty] = 1
        return made / counts.reshape(-1, 1)

    def _once(self, X, centers, limit):
        """(labels, inertia, means, iterations)"""
        before = np.full(len(X), -1)
        for number in range(self.max_iter):
            apart = _apart(X, centers)
            labels = np.argmin(apart, axis=1)
            moved = self._moved(X, labels, apart.min(axis=1), centers)
            shift = ((moved - centers) ** 2).sum()
            centers = moved
            if np.array_equal(labels, before):
                break
            if shift <= limit:
                labels = np.argmin(_apart(X, centers), axis=1)
                break
            before = labels
        else:
            labels = np.argmin(_apart(X, centers), axis=1)
        return labels, float(((X - centers[labels]) ** 2).sum()), centers, number + 1

    def fit(self, X, y=None, sample_weight=None):
        X = table_of(X)
        if len(X) < self.n_clusters:
            raise ValueError(f"n_samples={len(X)} should be >= n_clusters={self.n_clusters}.")
        source = check_random_state(self.random_state)
        limit = np.mean(np.var(X, axis=0)) * self.tol
        self._middle = X.mean(axis=0)
        X = X - self._middle
        plain = isinstance(self.init, str) and self.init == "random"
        runs = (10 if plain else 1) if self.n_init == "auto" else self.n_init
        best = None
        for _ in range(runs):
            found = self._once(X, self._first(X, source), limit)
            if best is None or found[1] < best[1] * (1 - 1e-12):
                best = found
        labels, self.inertia_, centers, self.n_iter_ = best
        self.labels_, self.cluster_centers_ = labels.astype(np.int32), centers + self._middle
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        return np.argmin(_apart(table_of(X), self.cluster_centers_), axis=1).astype(np.int32)

    def fit_predict(self, X, y=None, sample_weight=None):
        return self.fit(X).labels_

    def transform(self, X):
        return np.sqrt(_apart(table_of(X), self.cluster_centers_))

    def score(self, X, y=None):
        return -float(_apart(table_of(X), self.cluster_centers_).min(axis=1).sum())
