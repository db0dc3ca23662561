# type: ignore
"""sklearn.metrics: figures that compare predictions with what is true."""

import numpy as np


def _pair(y_true, y_pred):
    a, b = np.asarray(y_true), np.asarray(y_pred)
    if len(a) != len(b):
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{len(a)}, {len(b)}]")
    return a, b


def accuracy_score(y_true, y_pred, *, normalize=True):
    """The share (or number) of predictions that are right: of several labels per row, rows of which all are right."""
    a, b = _pair(y_true, y_pred)
    several = a.ndim == 2 and a.shape[1] > 1 and a.shape == b.shape
    right = np.all(a == b, axis=1) if several else a.ravel() == b.ravel()
    return float(np.mean(right)) if normalize else int(np.sum(right))


def confusion_matrix(y_true, y_pred, *, labels=None, normalize=None):
    """How often class i (row) was taken for class j (column). `normalize`: as shares of rows ("true"), columns ("pred")
    or all."""
    a, b = _pair(y_true, y_pred)
    kinds = np.unique(np.concatenate([a.ravel(), b.ravel()])) if labels is None else np.asarray(labels)
    counts = np.array([[int(np.sum((a.ravel() == i) & (b.ravel() == j))) for j in kinds] for i in kinds])
    if normalize is None:
        return counts
    sums = {"true": counts.sum(axis=1, keepdims=True), "pred": counts.sum(axis=0, keepdims=True), "all": counts.sum()}
    return np.nan_to_num(counts / np.where(sums[normalize] == 0, 1, sums[normalize]))


class ConfusionMatrixDisplay:
    """A confusion matrix as a picture."""

    def __init__(self, confusion_matrix, *, display_labels=None):
        self.confusion_matrix, self.display_labels = confusion_matrix, display_labels

    @classmethod
    def from_predictions(cls, y_true, y_pred, *, labels=None, display_labels=None, normalize=None, **how):
        found = confusion_matrix(y_true, y_pred, labels=labels, normalize=normalize)
        return cls(found, display_labels=display_labels).plot(**how)

    def plot(self, *, cmap="viridis", ax=None, **how):
        import matplotlib.pyplot as plt

        if ax is None:
            _, ax = plt.subplots()
        ax.imshow(self.confusion_matrix, cmap=cmap)
        ax.set(xlabel="Predicted label", ylabel="True label")
        self.ax_ = ax
        return self


def _errors(y_true, y_pred):
    """Both as columns of figures, one for each output."""
    a, b = [each.reshape(-1, 1) if each.ndim == 1 else each for each in _pair(y_true, y_pred)]
    if a.shape[1] != b.shape[1]:
        raise ValueError(f"y_true and y_pred have different number of output ({a.shape[1]}!={b.shape[1]})")
    return a.astype(np.float64) if a.dtype.kind != "f" else a, b.astype(np.float64) if b.dtype.kind != "f" else b


def mean_squared_error(y_true, y_pred):
    a, b = _errors(y_true, y_pred)
    return float(np.mean(np.mean((a - b) ** 2, axis=0)))


def root_mean_squared_error(y_true, y_pred):
    a, b = _errors(y_true, y_pred)
    return float(np.mean(np.sqrt(np.mean((a - b) ** 2, axis=0))))


def mean_absolute_error(y_true, y_pred):
    a, b = _errors(y_true, y_pred)
    return float(np.mean(np.mean(np.abs(a - b), axis=0)))


def mean_absolute_percentage_error(y_true, y_pred):
    a, b = _errors(y_true, y_pred)
    return float(np.mean(np.mean(np.abs(b - a) / np.maximum(np.abs(a), np.finfo(np.float64).eps), axis=0)))


def median_absolute_error(y_true, y_pred):
    a, b = _errors(y_true, y_pred)
    return float(np.mean(np.median(np.abs(b - a), axis=0)))


def max_error(y_true, y_pred):
    a, b = _errors(y_true, y_pred)
    return float(np.max(np.abs(a - b)))


def r2_score(y_true, y_pred, *, sample_weight=None):
    """1 - (what is left) / (what there was to explain)."""
    a, b = _errors(y_true, y_pred)
    weight = np.ones(len(a)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    mean = np.average(a, axis=0, weights=None if sample_weight is None else weight)
    weight = weight[:, None]
    return float(np.mean(1 - np.sum(weight * (a - b) ** 2, axis=0) / np.sum(weight * (a - mean) ** 2, axis=0)))


def explained_variance_score(y_true, y_pred):
    """1 - (the variance of what is left) / (the variance that there was)."""
    a, b = _errors(y_true, y_pred)
    left = np.mean((a - b - np.mean(a - b, axis=0)) ** 2, axis=0)
    return float(np.mean(1 - left / np.mean((a - np.mean(a, axis=0)) ** 2, axis=0)))


def _several(y_true, y_pred):
    """Whether each row has several labels of its own: tables of 0 and 1."""
    a, b = _pair(y_true, y_pred)
    return a.ndim == 2 and a.shape[1] > 1 and a.shape == b.shape


def _counts(y_true, y_pred, kinds):
    """Of each class (or column of labels): how often it was rightly said, said, and true."""
    a, b = _pair(y_true, y_pred)
    if _several(a, b):
        a, b = a[:, kinds] != 0, b[:, kinds] != 0
        return [np.sum(each, axis=0).tolist() for each in (a & b, b, a)]
    a, b = a.ravel(), b.ravel()
    right = [int(np.sum((a == kind) & (b == kind))) for kind in kinds]
    return right, [int(np.sum(b == kind)) for kind in kinds], [int(np.sum(a == kind)) for kind in kinds]


def _kinds(y_true, y_pred):
    a, b = _pair(y_true, y_pred)
    return np.arange(a.shape[1]) if _several(a, b) else np.unique(np.concatenate([a.ravel(), b.ravel()]))


def _ratio(part, whole, empty=0.0):
    return part / whole if whole else float(empty)


def _precision(right, said, true, empty=0.0):
    return _ratio(right, said, empty)


def _recall(right, said, true, empty=0.0):
    return _ratio(right, true, empty)


def _f1(right, said, true, empty=0.0):
    return _ratio(2 * right, said + true, empty)


def _score(figure, y_true, y_pred, labels, pos_label, average, zero_division=0):
    kinds = _kinds(y_true, y_pred) if labels is None else np.asarray(labels)
    several = _several(y_true, y_pred)
    empty = 0.0 if zero_division == "warn" else zero_division
    if average == "binary":
        if several or len(kinds) > 2:
            kind, samples = ("multilabel-indicator", ", 'samples'") if several else ("multiclass", "")
            raise ValueError(
                f"Target is {kind} but average='binary'. Please choose another average setting, one of [None,"
                f" 'micro', 'macro', 'weighted'{samples}]."
            )
        kinds = [pos_label]
    if average == "samples" and several:
        a, b = [each[:, kinds] != 0 for each in _pair(y_true, y_pred)]
        rows = zip(np.sum(a & b, axis=1).tolist(), np.sum(b, axis=1).tolist(), np.sum(a, axis=1).tolist())
        return float(np.mean([figure(*counts, empty) for counts in rows]))
    right, said, true = _counts(y_true, y_pred, kinds)
    if average == "micro":
        return float(figure(sum(right), sum(said), sum(true), empty))
    each = [figure(*counts, empty) for counts in zip(right, said, true)]
    if average == "binary":
        return float(each[0])
    if average == "macro":
        return float(np.mean(each))
    if average == "weighted":
        return float(np.average(each, weights=true))
    return np.array(each)


def precision_score(y_true, y_pred, *, labels=None, pos_label=1, average="binary", zero_division="warn"):
    return _score(_precision, y_true, y_pred, labels, pos_label, average, zero_division)


def recall_score(y_true, y_pred, *, labels=None, pos_label=1, average="binary", zero_division="warn"):
    return _score(_recall, y_true, y_pred, labels, pos_label, average, zero_division)


def f1_score(y_true, y_pred, *, labels=None, pos_label=1, average="binary", zero_division="warn"):
    return _score(_f1, y_true, y_pred, labels, pos_label, average, zero_division)


def classification_report(
    y_true, y_pred, *, labels=None, target_names=None, digits=2, output_dict=False, zero_division="warn"
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
    empty = 0.0 if zero_division == "warn" else zero_division
    three = (_precision, _recall, _f1)
    figures = [[figure(*counts, empty) for counts in zip(right, said, true)] for figure in three]
    total = sum(true)
    titles = ["precision", "recall", "f1-score", "support"]
    rows = [(name, [part[i] for part in figures], true[i]) for i, name in enumerate(names)]
    averages = [
        ("macro avg", [float(np.mean(part)) for part in figures], total),
        ("weighted avg", [float(np.average(part, weights=true)) for part in figures], total),
    ]
    accuracy = accuracy_score(y_true, y_pred)
    several = _several(y_true, y_pred)
    if several:

        def averaged(kind):
            return [_score(figure, y_true, y_pred, kinds, 1, kind, empty) for figure in three]

        averages = [("micro avg", averaged("micro"), total), *averages, ("samples avg", averaged("samples"), total)]
    if output_dict:
        told = {name: dict(zip(titles, [*values, float(count)])) for name, values, count in rows}
        if not several:
            told["accuracy"] = accuracy
        told.update({name: dict(zip(titles, [*values, float(count)])) for name, values, count in averages})
        return told
    width = max([len(name) for name in names] + [len("weighted avg"), digits])
    lines = [" " * width + " " + "".join(f" {title:>9}" for title in titles), ""]

    def line(name, values, count):
        return f"{name:>{width}} " + "".join(f" {value:>9.{digits}f}" for value in values) + f" {count:>9}"

    lines += [line(*row) for row in rows]
    lines.append("")
    if not several:
        lines.append(f"{'accuracy':>{width}} " + " " * 20 + f" {accuracy:>9.{digits}f} {total:>9}")
    lines += [line(*row) for row in averages]
    return "\n".join(lines) + "\n"


def precision_recall_fscore_support(
    y_true, y_pred, *, beta=1.0, labels=None, pos_label=1, average=None, zero_division="warn"
):
    """(precision, recall, f, support), as precision_score() and the others give them."""
    given = y_true, y_pred, labels, pos_label, average, zero_division
    fbeta = lambda right, said, true, empty: _ratio((1 + beta**2) * right, said + beta**2 * true, empty)
    kinds = _kinds(y_true, y_pred) if labels is None else np.asarray(labels)
    support = np.array(_counts(y_true, y_pred, kinds)[2]) if average is None else None
    return _score(_precision, *given), _score(_recall, *given), _score(fbeta, *given), support


def fbeta_score(y_true, y_pred, *, beta, labels=None, pos_label=1, average="binary", zero_division="warn"):
    given = {"labels": labels, "pos_label": pos_label, "average": average, "zero_division": zero_division}
    return precision_recall_fscore_support(y_true, y_pred, beta=beta, **given)[2]


def balanced_accuracy_score(y_true, y_pred):
    """The mean of the recalls of the classes that are true."""
    counts = confusion_matrix(y_true, y_pred)
    true = counts.sum(axis=1)
    return float(np.mean(np.diag(counts)[true > 0] / true[true > 0]))


def matthews_corrcoef(y_true, y_pred):
    """The correlation of what is said and what is true."""
    counts = confusion_matrix(y_true, y_pred).astype(np.float64)
    true, said, total = counts.sum(axis=1), counts.sum(axis=0), counts.sum()
    both = np.trace(counts) * total - np.dot(true, said)
    spread = (total**2 - np.dot(said, said)) * (total**2 - np.dot(true, true))
    return float(both / np.sqrt(spread)) if spread else 0.0


def _steps(y_true, y_score, pos_label):
    """(false, true, thresholds): how many of each class are scored at least so high, at every score that occurs."""
    a, b = _pair(y_true, y_score)
    positive = a.ravel() == (1 if pos_label is None else pos_label)
    order = np.argsort(b.ravel(), kind="stable")[::-1]
    scores, positive = b.ravel()[order], positive[order]
    ends = np.append(np.where(np.diff(scores))[0], len(scores) - 1)
    right = np.cumsum(positive)[ends].astype(np.float64)
    return 1 + ends - right, right, scores[ends]


def roc_curve(y_true, y_score, *, pos_label=None, drop_intermediate=True):
    """(false positive rates, true positive rates, thresholds); without points on a straight line."""
    wrong, right, scores = _steps(y_true, y_score, pos_label)
    if drop_intermediate and len(wrong) > 2:
        bends = np.logical_or(np.diff(wrong, 2), np.diff(right, 2))
        kept = np.where(np.concatenate([[True], bends, [True]]))[0]
        wrong, right, scores = wrong[kept], right[kept], scores[kept]
    wrong, right = np.append(0.0, wrong), np.append(0.0, right)
    return wrong / wrong[-1], right / right[-1], np.append(np.inf, scores)


def auc(x, y):
    """The area under a curve, by trapezoids."""
    x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    area = np.trapezoid(y, x)
    return float(-area if len(x) > 1 and x[1] < x[0] else area)


def precision_recall_curve(y_true, y_score, *, pos_label=None):
    """(precisions, recalls, thresholds) at every score that occurs, the lowest first."""
    wrong, right, scores = _steps(y_true, y_score, pos_label)
    precision, recall = right / (right + wrong), right / right[-1]
    return np.append(precision[::-1], 1.0), np.append(recall[::-1], 0.0), scores[::-1]


def average_precision_score(y_true, y_score):
    """Precisions, weighted by how much recall each adds."""
    precision, recall, _ = precision_recall_curve(y_true, y_score)
    return float(max(0.0, -np.sum(np.diff(recall) * precision[:-1])))


def roc_auc_score(y_true, y_score, *, average="macro", multi_class="raise", labels=None):
    """The area under roc_curve(); of several classes (multi_class="ovr") the mean over each against the rest."""
    a, b = _pair(y_true, y_score)
    kinds = np.unique(a)
    if b.ndim > 1 and b.shape[1] > 1:
        if multi_class != "ovr":
            raise ValueError(
                "multi_class must be in ('ovo', 'ovr')" if multi_class == "raise" else "only 'ovr' is here"
            )
        areas = [roc_auc_score(a == kind, b[:, i]) for i, kind in enumerate(kinds)]
        weights = [np.sum(a == kind) for kind in kinds] if average == "weighted" else None
        return float(np.average(areas, weights=weights))
    if len(kinds) < 2:
        return float("nan")
    return auc(*roc_curve(a, b, pos_label=kinds[-1])[:2])


def log_loss(y_true, y_pred):
    """The mean of -log of the probability that was given to what is true."""
    a, b = _pair(y_true, y_pred)
    b = np.clip(b.astype(np.float64), np.finfo(np.float64).eps, 1 - np.finfo(np.float64).eps)
    if b.ndim == 1 or b.shape[1] == 1:
        b = np.stack([1 - b.ravel(), b.ravel()], axis=1)
    kinds = list(np.unique(a))
    return float(np.mean([-np.log(row[kinds.index(kind)] / np.sum(row)) for kind, row in zip(a, b)]))


def silhouette_score(X, labels, *, metric="euclidean", sample_size=None, random_state=None):
    """How much nearer rows are to their own cluster than to the next one, on average: (b - a) / max(a, b), where a is
    the mean distance to the others of the cluster, b the least mean distance to another cluster (Rousseeuw, 1987)."""
    from sklearn.metrics.pairwise import cosine_distances, euclidean_distances, manhattan_distances

    distances = {"euclidean": euclidean_distances, "cosine": cosine_distances, "manhattan": manhattan_distances}
    far = distances.get(metric, manhattan_distances)(X)
    kinds, numbers, counts = np.unique(np.asarray(labels), return_inverse=True, return_counts=True)
    if not 1 < len(kinds) < len(far):
        raise ValueError(f"Number of labels is {len(kinds)}. Valid values are 2 to n_samples - 1 (inclusive)")
    sums = np.stack([np.sum(far[:, numbers == i], axis=1) for i in range(len(kinds))], axis=1)
    places = np.arange(len(far))
    own = sums[places, numbers] / np.maximum(counts[numbers] - 1, 1)
    means = sums / counts
    means[places, numbers] = np.inf
    next_one = np.min(means, axis=1)
    found = (next_one - own) / np.maximum(own, next_one)
    return np.mean(np.where(counts[numbers] == 1, 0.0, found))
