# type: ignore
"""sklearn.preprocessing: scalers and encoders."""

import numpy as np


def _table(X):
    X = np.asarray(X)
    if X.dtype.kind != "f":
        X = X.astype(np.float64)
    if X.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {X.ndim}D array instead:\narray={X}.\nReshape your data either using array.reshape(-1, 1) if "
            "your data has a single feature or array.reshape(1, -1) if it contains a single sample."
        )
    return X


class _Scaler:
    def fit_transform(self, X, y=None):
        return self.fit(X).transform(X)

    def __repr__(self):
        return f"{type(self).__name__}()"


class StandardScaler(_Scaler):
    """Columns to mean 0 and variance 1."""

    def __init__(self, *, copy=True, with_mean=True, with_std=True):
        self.with_mean, self.with_std = with_mean, with_std

    def fit(self, X, y=None):
        X = _table(X)
        wide = X.astype(np.float64)
        count = len(X)
        mean = wide.sum(axis=0) / count
        centred = wide - mean
        variance = ((centred**2).sum(axis=0) - centred.sum(axis=0) ** 2 / count) / count
        tiny = np.finfo(np.float64).eps
        constant = variance <= count * tiny * variance + (count * mean * tiny) ** 2
        self.n_features_in_, self.n_samples_seen_ = X.shape[1], count
        self.mean_ = mean if self.with_mean else None
        self.var_ = variance if self.with_std else None
        self.scale_ = np.where(constant, 1.0, np.sqrt(variance)) if self.with_std else None
        return self

    def transform(self, X, copy=None):
        X = _table(X).copy()
        if self.with_mean:
            X -= self.mean_.astype(X.dtype)
        if self.with_std:
            X /= self.scale_.astype(X.dtype)
        return X

    def inverse_transform(self, X, copy=None):
        X = _table(X).copy()
        if self.with_std:
            X *= self.scale_.astype(X.dtype)
        if self.with_mean:
            X += self.mean_.astype(X.dtype)
        return X


class MinMaxScaler(_Scaler):
    """Columns into a range."""

    def __init__(self, feature_range=(0, 1), *, copy=True, clip=False):
        self.feature_range = feature_range

    def fit(self, X, y=None):
        X = _table(X)
        low, high = self.feature_range
        self.data_min_, self.data_max_ = X.min(axis=0), X.max(axis=0)
        self.data_range_ = self.data_max_ - self.data_min_
        self.scale_ = (high - low) / np.where(self.data_range_ == 0, 1.0, self.data_range_)
        self.min_ = low - self.data_min_ * self.scale_
        return self

    def transform(self, X):
        X = _table(X).copy()
        X *= self.scale_.astype(X.dtype)
        X += self.min_.astype(X.dtype)
        return X

    def inverse_transform(self, X):
        X = _table(X).copy()
        X -= self.min_.astype(X.dtype)
        X /= self.scale_.astype(X.dtype)
        return X


class LabelEncoder:
    """Labels to numbers from 0, in the order of the sorted labels."""

    def fit(self, y):
        self.classes_ = np.unique(np.asarray(y))
        return self

    def fit_transform(self, y):
        self.classes_, numbers = np.unique(np.asarray(y), return_inverse=True)
        return numbers

    def transform(self, y):
        known = list(self.classes_)
        return np.array([known.index(label) for label in y], dtype=np.int64)

    def inverse_transform(self, y):
        return self.classes_[np.asarray(y)]

    def __repr__(self):
        return "LabelEncoder()"


class OneHotEncoder(_Scaler):
    """A column for each value of each column."""

    def __init__(self, *, sparse_output=True, dtype=np.float64, **other):
        self.dtype, self.sparse_output = dtype, sparse_output

    def fit(self, X, y=None):
        X = np.asarray(X)
        self.categories_ = [np.unique(X[:, i]) for i in range(X.shape[1])]
        return self

    def transform(self, X):
        X = np.asarray(X)
        parts = [(X[:, [i]] == self.categories_[i].reshape(1, -1)) for i in range(X.shape[1])]
        return np.concatenate(parts, axis=1).astype(self.dtype)


def normalize(X, norm="l2", *, axis=1, copy=True, return_norm=False):
    """Rows (axis=1) or columns (axis=0) to length 1."""
    X = _table(X)
    if norm == "l1":
        sizes = np.abs(X).sum(axis=axis, keepdims=True)
    elif norm == "max":
        sizes = np.abs(X).max(axis=axis, keepdims=True)
    else:
        sizes = np.sqrt((X * X).sum(axis=axis, keepdims=True))
    sizes = np.where(sizes == 0, 1.0, sizes)
    return (X / sizes, sizes.ravel()) if return_norm else X / sizes


def scale(X, *, axis=0, with_mean=True, with_std=True, copy=True):
    """Columns (axis=0) or rows (axis=1) to mean 0 and variance 1."""
    X = np.asarray(X, dtype=np.float64)
    mean, spread = np.nanmean(X, axis=axis, keepdims=True), np.nanstd(X, axis=axis, keepdims=True)
    X = X - mean if with_mean else X
    return X / np.where(spread < 10 * np.finfo(np.float64).eps, 1.0, spread) if with_std else X
