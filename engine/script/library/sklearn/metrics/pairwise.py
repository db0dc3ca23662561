# type: ignore
"""sklearn.metrics.pairwise: how alike, or how far apart, every row of X is from every row of Y."""

import numpy as np
from sklearn.utils import table_of


def _both(X, Y):
    X = table_of(X)
    return X, X if Y is None else table_of(Y)


def cosine_similarity(X, Y=None):
    X, Y = _both(X, Y)
    lengths = [np.sqrt(np.sum(part**2, axis=1, keepdims=True)) for part in (X, Y)]
    X, Y = (part / np.where(length == 0, 1, length) for part, length in zip((X, Y), lengths))
    return np.dot(X, Y.T)


def cosine_distances(X, Y=None):
    far = np.clip(1 - cosine_similarity(X, Y), 0, 2)
    if Y is None:
        far[np.arange(len(far)), np.arange(len(far))] = 0.0
    return far


def euclidean_distances(X, Y=None, *, squared=False):
    X, Y = _both(X, Y)
    far = np.sum((X[:, None, :] - Y[None, :, :]) ** 2, axis=2)
    return far if squared else np.sqrt(far)


def manhattan_distances(X, Y=None):
    X, Y = _both(X, Y)
    return np.sum(np.abs(X[:, None, :] - Y[None, :, :]), axis=2)


def rbf_kernel(X, Y=None, gamma=None):
    X, Y = _both(X, Y)
    return np.exp(-(1 / X.shape[1] if gamma is None else gamma) * euclidean_distances(X, Y, squared=True))
