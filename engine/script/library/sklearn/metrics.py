# type: ignore
"""sklearn.metrics: figures that compare predictions with what is true."""

import numpy as np


def _pair(y_true, y_pred):
    a, b = np.asarray(y_true), np.asarray(y_pred)
    if len(a) != len(b):
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{len(a)}, {len(b)}]")
    return a, b


def accuracy_score(y_true, y_pred, *, normalize=True):
    """The share (or number) of predictions that are right."""
    a, b = _pair(y_true, y_pred)
    right = a.ravel() == b.ravel()
    return float(np.mean(right)) if normalize else int(np.sum(right))


def confusion_matrix(y_true, y_pred, *, labels=None):
    """How often class i (row) was taken for class j (column)."""
    a, b = _pair(y_true, y_pred)
    kinds = np.unique(np.concatenate([a.ravel(), b.ravel()])) if labels is None else np.asarray(labels)
    return np.array([[int(np.sum((a.ravel() == i) & (b.ravel() == j))) for j in kinds] for i in kinds])


def mean_squared_error(y_true, y_pred):
    a, b = _pair(y_true, y_pred)
    return float(np.mean((a - b) ** 2))


def mean_absolute_error(y_true, y_pred):
    a, b = _pair(y_true, y_pred)
    return float(np.mean(np.abs(a - b)))


def r2_score(y_true, y_pred):
    """1 - (what is left) / (what there was to explain)."""
    a, b = _pair(y_true, y_pred)
    return float(1 - np.sum((a - b) ** 2) / np.sum((a - np.mean(a)) ** 2))


def _counts(y_true, y_pred, positive):
    a, b = _pair(y_true, y_pred)
    a, b = a.ravel() == positive, b.ravel() == positive
    return int(np.sum(a & b)), int(np.sum(b)), int(np.sum(a))


def precision_score(y_true, y_pred, *, pos_label=1):
    right, said, _ = _counts(y_true, y_pred, pos_label)
    return right / said if said else 0.0


def recall_score(y_true, y_pred, *, pos_label=1):
    right, _, true = _counts(y_true, y_pred, pos_label)
    return right / true if true else 0.0


def f1_score(y_true, y_pred, *, pos_label=1):
    right, said, true = _counts(y_true, y_pred, pos_label)
    return 2 * right / (said + true) if said + true else 0.0
