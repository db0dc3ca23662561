# type: ignore
"""sklearn.preprocessing: scalers and encoders."""

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.utils import Estimator, table_of


class StandardScaler(Estimator):
    """Columns to mean 0 and variance 1."""

    _options = {"copy": True, "with_mean": True, "with_std": True}

    def fit(self, X, y=None):
        X = table_of(X)
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
        X = table_of(X).copy()
        if self.with_mean:
            X -= self.mean_.astype(X.dtype)
        if self.with_std:
            X /= self.scale_.astype(X.dtype)
        return X

    def inverse_transform(self, X, copy=None):
        X = table_of(X).copy()
        if self.with_std:
            X *= self.scale_.astype(X.dtype)
        if self.with_mean:
            X += self.mean_.astype(X.dtype)
        return X


class MinMaxScaler(Estimator):
    """Columns into a range."""

    _options, _placed = {"feature_range": (0, 1), "copy": True, "clip": False}, ("feature_range",)

    def fit(self, X, y=None):
        X = table_of(X)
        low, high = self.feature_range
        self.data_min_, self.data_max_ = X.min(axis=0), X.max(axis=0)
        self.data_range_ = self.data_max_ - self.data_min_
        self.scale_ = (high - low) / np.where(self.data_range_ == 0, 1.0, self.data_range_)
        self.min_ = low - self.data_min_ * self.scale_
        return self

    def transform(self, X):
        X = table_of(X).copy()
        X *= self.scale_.astype(X.dtype)
        X += self.min_.astype(X.dtype)
        return X

    def inverse_transform(self, X):
        X = table_of(X).copy()
        X -= self.min_.astype(X.dtype)
        X /= self.scale_.astype(X.dtype)
        return X


def _labels(y):
    """Labels as an array: those of a column of texts are objects, as pandas gives them to NumPy."""
    labels = np.asarray(y)
    return labels.astype(object) if hasattr(y, "isna") and labels.dtype.kind == "U" else labels


def _kinds(labels):
    """The different labels in their order, a gap last."""
    if labels.dtype.kind != "O":
        return np.unique(labels)
    lost = [each for each in labels.tolist() if each is None or each != each]
    known = sorted({each: 0 for each in labels.tolist() if each is not None and each == each})
    return np.array([*known, *lost[:1], None], dtype=object)[:-1]


class LabelEncoder:
    """Labels to numbers from 0, in the order of the sorted labels."""

    def fit(self, y):
        self.classes_ = _kinds(_labels(y))
        return self

    def fit_transform(self, y):
        labels = _labels(y)
        if labels.dtype.kind == "O":
            self.classes_ = _kinds(labels)
            return self._numbers(labels)
        self.classes_, numbers = np.unique(labels, return_inverse=True)
        return numbers

    def _numbers(self, labels):
        places, gap = {}, len(self.classes_) - 1
        for place, each in enumerate(self.classes_.tolist()):
            places[each] = place
        held = [each if each is None or each == each else None for each in labels.tolist()]
        return np.array([places.get(each, gap) for each in held], dtype=np.int64)

    def transform(self, y):
        known, labels = list(self.classes_), np.asarray(y)
        if labels.dtype.kind == "O" and known and known[-1] != known[-1]:
            known[-1] = None
            labels = np.array([*[each if each == each else None for each in labels.tolist()], None], dtype=object)[:-1]
        unknown = [label for label in labels if label not in known]
        if unknown:
            text = unknown[0] if self.classes_.dtype.kind == "U" else f"{unknown[0]}"
            told = repr(text) if labels.dtype.kind == "U" else list(np.unique(unknown))
            raise ValueError(f"y contains previously unseen labels: {told}")
        return np.array([known.index(label) for label in labels], dtype=np.int64)

    def inverse_transform(self, y):
        return self.classes_[np.asarray(y)]

    def __repr__(self):
        return "LabelEncoder()"


def _columns(X):
    """The columns of a table, each with values of one kind."""
    if hasattr(X, "iloc"):
        return [X[name]._values for name in X.columns], list(X.columns)
    X = np.asarray(X)
    if X.ndim != 2:
        table_of(X)
    return [X[:, i] for i in range(X.shape[1])], [f"x{i}" for i in range(X.shape[1])]


class OneHotEncoder(Estimator):
    """A column for each value of each column."""

    _options = {
        "categories": "auto",
        "drop": None,
        "sparse_output": True,
        "dtype": np.float64,
        "handle_unknown": "error",
    }

    def fit(self, X, y=None):
        columns, self._names = _columns(X)
        self.categories_ = [np.unique(part) for part in columns]
        return self

    def transform(self, X):
        parts = []
        for part, known in zip(_columns(X)[0], self.categories_):
            made = part.reshape(-1, 1) == known.reshape(1, -1)
            if self.handle_unknown == "error" and not made.any(axis=1).all():
                lost = [each for each in np.unique(part) if each not in known]
                raise ValueError(f"Found unknown categories {lost} in column {len(parts)} during transform")
            parts.append(made[:, 1:] if self.drop == "first" else made)
        made = np.concatenate(parts, axis=1).astype(self.dtype)
        return csr_matrix(made) if self.sparse_output else made

    def inverse_transform(self, X):
        X, at, parts = np.asarray(X), 0, []
        for known in self.categories_:
            parts.append(known[np.argmax(X[:, at : at + len(known)], axis=1)])
            at += len(known)
        return np.stack(parts, axis=1)

    def get_feature_names_out(self, input_features=None):
        names = self._names if input_features is None else input_features
        return np.array([f"{name}_{each}" for name, known in zip(names, self.categories_) for each in known.tolist()])


class OrdinalEncoder(Estimator):
    """The values of each column as numbers from 0, in the order of the sorted values."""

    def fit(self, X, y=None):
        self.categories_ = [np.unique(part) for part in _columns(X)[0]]
        return self

    def transform(self, X):
        return np.stack(
            [np.searchsorted(known, part) for part, known in zip(_columns(X)[0], self.categories_)], axis=1
        ).astype(np.float64)


class LabelBinarizer(Estimator):
    """A column for each label; of two labels, one column."""

    _options = {"neg_label": 0, "pos_label": 1}

    def fit(self, y, _=None):
        self.classes_ = np.unique(np.asarray(y))
        return self

    def transform(self, y):
        made = np.asarray(y).reshape(-1, 1) == self.classes_.reshape(1, -1)
        made = made[:, 1:] if len(self.classes_) == 2 else made
        return np.where(made, self.pos_label, self.neg_label)

    def inverse_transform(self, Y):
        Y = np.asarray(Y)
        return self.classes_[(Y[:, 0] > 0.5).astype(int) if Y.shape[1] == 1 else np.argmax(Y, axis=1)]


class RobustScaler(Estimator):
    """Columns with their median at 0 and half of their values within a range of 1."""

    _options = {"with_centering": True, "with_scaling": True, "quantile_range": (25.0, 75.0)}

    def fit(self, X, y=None):
        X = table_of(X)
        low, high = np.nanpercentile(X, list(self.quantile_range), axis=0)
        self.center_ = np.nanmedian(X, axis=0)
        self.scale_ = np.where(high == low, 1.0, high - low)
        return self

    def transform(self, X):
        X = table_of(X) - self.center_ if self.with_centering else table_of(X)
        return X / self.scale_ if self.with_scaling else X

    def inverse_transform(self, X):
        return table_of(X) * self.scale_ + self.center_


class MaxAbsScaler(Estimator):
    """Columns into [-1, 1], with 0 where it was."""

    def fit(self, X, y=None):
        self.max_abs_ = np.abs(table_of(X)).max(axis=0)
        self.scale_ = np.where(self.max_abs_ == 0, 1.0, self.max_abs_)
        return self

    def transform(self, X):
        return table_of(X) / self.scale_


class Normalizer(Estimator):
    """Rows to length 1."""

    _options, _placed = {"norm": "l2"}, ("norm",)

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return normalize(X, self.norm)


class PolynomialFeatures(Estimator):
    """The products of so many columns: 1, a, b, a*a, a*b, b*b."""

    _options = {"degree": 2, "interaction_only": False, "include_bias": True}
    _placed = ("degree",)

    def _powers(self, count):
        """The columns of each product, by how many there are and then by their places."""
        rows = [()]
        last = [()]
        for _ in range(self.degree):
            last = [(*row, i) for row in last for i in range((row[-1] + self.interaction_only) if row else 0, count)]
            rows += last
        return rows if self.include_bias else rows[1:]

    def fit(self, X, y=None):
        self._rows = self._powers(np.asarray(X).shape[1])
        self.n_output_features_ = len(self._rows)
        return self

    def transform(self, X):
        X = table_of(X)
        columns = []
        for row in self._rows:
            made = np.ones(len(X), dtype=X.dtype)
            for i in row:
                made = made * X[:, i]
            columns.append(made)
        return np.stack(columns, axis=1)


def normalize(X, norm="l2", *, axis=1, copy=True, return_norm=False):
    """Rows (axis=1) or columns (axis=0) to length 1."""
    X = table_of(X)
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
