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


def _counts(y_true, y_pred, kinds):
    """Of each class: how often it was rightly said, said, and true."""
    a, b = _pair(y_true, y_pred)
    a, b = a.ravel(), b.ravel()
    right = [int(np.sum((a == kind) & (b == kind))) for kind in kinds]
    return right, [int(np.sum(b == kind)) for kind in kinds], [int(np.sum(a == kind)) for kind in kinds]


def _kinds(y_true, y_pred):
    a, b = _pair(y_true, y_pred)
    return np.unique(np.concatenate([a.ravel(), b.ravel()]))


def _ratio(part, whole):
    return part / whole if whole else 0.0


def _precision(right, said, true):
    return _ratio(right, said)


def _recall(right, said, true):
    return _ratio(right, true)


def _f1(right, said, true):
    return _ratio(2 * right, said + true)


def _score(figure, y_true, y_pred, labels, pos_label, average):
    kinds = _kinds(y_true, y_pred) if labels is None else np.asarray(labels)
    if average == "binary":
        if len(kinds) > 2:
            raise ValueError(
                "Target is multiclass but average='binary'. Please choose another average setting, one of [None,"
                " 'micro', 'macro', 'weighted']."
            )
        kinds = [pos_label]
    right, said, true = _counts(y_true, y_pred, kinds)
    if average == "micro":
        return float(figure(sum(right), sum(said), sum(true)))
    each = [figure(*counts) for counts in zip(right, said, true)]
    if average == "binary":
        return float(each[0])
    if average == "macro":
        return float(np.mean(each))
    if average == "weighted":
        return float(np.average(each, weights=true))
    return np.array(each)


def precision_score(y_true, y_pred, *, labels=None, pos_label=1, average="binary", zero_division=0):
    return _score(_precision, y_true, y_pred, labels, pos_label, average)


def recall_score(y_true, y_pred, *, labels=None, pos_label=1, average="binary", zero_division=0):
    return _score(_recall, y_true, y_pred, labels, pos_label, average)


def f1_score(y_true, y_pred, *, labels=None, pos_label=1, average="binary", zero_division=0):
    return _score(_f1, y_true, y_pred, labels, pos_label, average)


def classification_report(
    y_true, y_pred, *, labels=None, target_names=None, digits=2, output_dict=False, zero_division=0
):
    """A table: precision, recall, f1 and number of each class, and their averages."""
    kinds = _kinds(y_true, y_pred) if labels is None else np.asarray(labels)
    names = [str(kind) for kind in kinds] if target_names is None else [str(name) for name in target_names]
    if len(names) != len(kinds):
        raise ValueError(
            f"Number of classes, {len(kinds)}, does not match size of target_names, {len(names)}. Try specifying the"
            " labels parameter"
        )
    right, said, true = _counts(y_true, y_pred, kinds)
    figures = [[figure(*counts) for counts in zip(right, said, true)] for figure in (_precision, _recall, _f1)]
    total = sum(true)
    titles = ["precision", "recall", "f1-score", "support"]
    rows = [(name, [part[i] for part in figures], true[i]) for i, name in enumerate(names)]
    averages = [
        ("macro avg", [float(np.mean(part)) for part in figures], total),
        ("weighted avg", [float(np.average(part, weights=true)) for part in figures], total),
    ]
    accuracy = accuracy_score(y_true, y_pred)
    if output_dict:
        told = {name: dict(zip(titles, [*values, float(count)])) for name, values, count in rows}
        told["accuracy"] = accuracy
        told.update({name: dict(zip(titles, [*values, float(count)])) for name, values, count in averages})
        return told
    width = max([len(name) for name in names] + [len("weighted avg"), digits])
    lines = [" " * width + " " + "".join(f" {title:>9}" for title in titles), ""]

    def line(name, values, count):
        return f"{name:>{width}} " + "".join(f" {value:>9.{digits}f}" for value in values) + f" {count:>9}"

    lines += [line(*row) for row in rows]
    lines += ["", f"{'accuracy':>{width}} " + " " * 20 + f" {accuracy:>9.{digits}f} {total:>9}"]
    lines += [line(*row) for row in averages]
    return "\n".join(lines) + "\n"


def roc_auc_score(y_true, y_score):
    """How often a true case is scored above a false one; ties count half."""
    a, b = _pair(y_true, y_score)
    a, b = a.ravel().astype(bool), b.ravel()
    above, below = b[a], b[~a]
    if len(above) == 0 or len(below) == 0:
        return float("nan")
    order = np.argsort(np.argsort(np.concatenate([below, above]), kind="stable"), kind="stable") + 1.0
    values, places = np.unique(np.concatenate([below, above]), return_inverse=True)
    ranks = np.array([np.mean(order[places == i]) for i in range(len(values))])[places]
    wins = np.sum(ranks[len(below) :]) - len(above) * (len(above) + 1) / 2
    return float(wins / (len(above) * len(below)))


def log_loss(y_true, y_pred):
    """The mean of -log of the probability that was given to what is true."""
    a, b = _pair(y_true, y_pred)
    b = np.clip(b.astype(np.float64), np.finfo(np.float64).eps, 1 - np.finfo(np.float64).eps)
    if b.ndim == 1 or b.shape[1] == 1:
        b = np.stack([1 - b.ravel(), b.ravel()], axis=1)
    kinds = list(np.unique(a))
    return float(np.mean([-np.log(row[kinds.index(kind)] / np.sum(row)) for kind, row in zip(a, b)]))
