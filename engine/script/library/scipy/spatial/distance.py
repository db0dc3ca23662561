# type: ignore
"""scipy.spatial.distance: how far points are apart."""

import math

import numpy as np
from scipy.special import rel_entr


def _pair(u, v):
    u, v = np.asarray(u, dtype=np.float64), np.asarray(v, dtype=np.float64)
    if u.ndim != 1 or v.ndim != 1:
        raise ValueError("Input vector should be 1-D.")
    return u, v


def minkowski(u, v, p=2, w=None):
    u, v = _pair(u, v)
    return np.linalg.norm(u - v, ord=p)


def euclidean(u, v, w=None):
    return minkowski(u, v)


def sqeuclidean(u, v, w=None):
    u, v = _pair(u, v)
    return np.dot(u - v, u - v)


def cityblock(u, v, w=None):
    u, v = _pair(u, v)
    return np.abs(u - v).sum()


def chebyshev(u, v, w=None):
    u, v = _pair(u, v)
    return np.max(np.abs(u - v))


def cosine(u, v, w=None):
    u, v = _pair(u, v)
    return np.clip(1.0 - np.dot(u, v) / np.sqrt(np.dot(u, u) * np.dot(v, v)), 0.0, 2.0)


def correlation(u, v, w=None, centered=True):
    u, v = _pair(u, v)
    return cosine(u - u.mean(), v - v.mean()) if centered else cosine(u, v)


def mahalanobis(u, v, VI):
    """The distance in units of the spread whose inverse covariance is VI."""
    u, v = _pair(u, v)
    return np.sqrt(np.dot(np.dot(u - v, np.atleast_2d(np.asarray(VI, dtype=np.float64))), u - v))


def seuclidean(u, v, V):
    u, v = _pair(u, v)
    return np.sqrt(np.sum((u - v) ** 2 / np.asarray(V, dtype=np.float64)))


def canberra(u, v, w=None):
    u, v = _pair(u, v)
    sizes = np.abs(u) + np.abs(v)
    return np.sum(np.where(sizes == 0, 0.0, np.abs(u - v) / np.where(sizes == 0, 1.0, sizes)))


def braycurtis(u, v, w=None):
    u, v = _pair(u, v)
    return np.sum(np.abs(u - v)) / np.sum(np.abs(u + v))


def jaccard(u, v, w=None):
    u, v = np.asarray(u), np.asarray(v)
    either = np.logical_or(u != 0, v != 0)
    apart = np.sum(np.logical_and(u != v, either))
    return np.float64(apart / np.sum(either)) if np.any(either) else np.float64(0.0)


def hamming(u, v, w=None):
    u, v = np.asarray(u), np.asarray(v)
    if u.shape != v.shape:
        raise ValueError("The 1d arrays must have equal lengths.")
    return np.mean(u != v)


def jensenshannon(p, q, base=None, *, axis=0, keepdims=False):
    """The root of the divergence of two distributions from their mean."""
    p, q = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
    p, q = p / np.sum(p, axis=axis, keepdims=True), q / np.sum(q, axis=axis, keepdims=True)
    middle = (p + q) / 2.0
    parts = [np.sum(rel_entr(each, middle), axis=axis, keepdims=keepdims) for each in (p, q)]
    made = parts[0] + parts[1]
    return np.sqrt((made if base is None else made / math.log(base)) / 2.0)


def _between(a, b, metric, p):
    """The distances of every row of a from every row of b."""
    if metric in ("cosine", "correlation"):
        if metric == "correlation":
            a, b = a - a.mean(axis=1, keepdims=True), b - b.mean(axis=1, keepdims=True)
        sizes = np.sqrt((a * a).sum(axis=1)).reshape(-1, 1) * np.sqrt((b * b).sum(axis=1)).reshape(1, -1)
        return 1.0 - np.dot(a, b.T) / sizes
    apart = np.abs(a[:, None, :] - b[None, :, :])
    if metric == "sqeuclidean":
        return (apart * apart).sum(axis=2)
    if metric in ("cityblock", "manhattan"):
        return apart.sum(axis=2)
    if metric == "chebyshev":
        return apart.max(axis=2)
    if metric == "hamming":
        return (apart != 0).mean(axis=2)
    if metric == "minkowski" and p != 2:
        return (apart**p).sum(axis=2) ** (1 / p)
    if metric in ("euclidean", "minkowski"):
        return np.sqrt((apart * apart).sum(axis=2))
    raise ValueError(f"Unknown Distance Metric: {metric}")


def cdist(XA, XB, metric="euclidean", *, out=None, p=2):
    a, b = np.asarray(XA, dtype=np.float64), np.asarray(XB, dtype=np.float64)
    for name, each in (("XA", a), ("XB", b)):
        if each.ndim != 2:
            raise ValueError(f"{name} must be a 2-dimensional array.")
    if a.shape[1] != b.shape[1]:
        raise ValueError("XA and XB must have the same number of columns (i.e. feature dimension.)")
    if callable(metric):
        return np.array([[metric(one, other) for other in b] for one in a])
    return _between(a, b, metric, p)


def pdist(X, metric="euclidean", *, out=None, p=2):
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2:
        raise ValueError("A 2-dimensional array must be passed.")
    rows, columns = np.triu_indices(len(X), 1)
    return cdist(X, X, metric, p=p)[rows, columns]


def squareform(X, force="no", checks=True):
    """Distances of pairs as a table, or a table as distances of pairs."""
    X = np.asarray(X)
    if X.ndim == 2:
        return X[np.triu_indices(len(X), 1)]
    size = int(math.ceil(math.sqrt(len(X) * 2)))
    if size * (size - 1) != len(X) * 2:
        raise ValueError(
            "Incompatible vector size. It must be a binomial coefficient n choose 2 for some integer n >= 2."
        )
    made = np.zeros((size, size), dtype=X.dtype)
    rows, columns = np.triu_indices(size, 1)
    made[rows, columns] = X
    made[columns, rows] = X
    return made
