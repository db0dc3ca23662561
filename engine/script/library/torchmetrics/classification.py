# type: ignore
"""torchmetrics.classification: accuracy, precision, recall, F1, tables of confusion and areas under curves."""

import torch
from torchmetrics._curves import area, mean_precision
from torchmetrics._counted import binary, classes, of_binary, of_classes, of_labels, share, table
from torchmetrics._scores import SCORES
from torchmetrics.metric import Metric


class _Counts(Metric):
    """Counts of all batches, and a score of them."""

    kind, score = "binary", None

    def _begin(self, size):
        for name in ("tp", "fp", "tn", "fn"):
            self.add_state(name, torch.zeros(size, dtype=torch.long) if size else torch.tensor(0), "sum")

    def _add(self, counts):
        self._updates += 1
        for name, each in zip(("tp", "fp", "tn", "fn"), counts):
            setattr(self, name, getattr(self, name) + each)

    def compute(self):
        return self.score(
            (self.tp, self.fp, self.tn, self.fn), getattr(self, "average", None), self.kind, getattr(self, "top_k", 1)
        )


class _Binary(_Counts):
    def __init__(self, threshold=0.5, multidim_average="global", ignore_index=None, validate_args=True, **options):
        super().__init__()
        self.threshold, self.ignore_index = threshold, ignore_index
        self._begin(0)

    def update(self, preds, target):
        self._add(of_binary(preds, target, self.threshold, self.ignore_index))


class _Multiclass(_Counts):
    kind = "multiclass"

    def __init__(
        self,
        num_classes,
        top_k=1,
        average="macro",
        multidim_average="global",
        ignore_index=None,
        validate_args=True,
        **options,
    ):
        super().__init__()
        if average not in ("micro", "macro", "weighted", "none", None):
            raise ValueError(
                f"Expected argument `average` to be one of ('micro', 'macro', 'weighted', 'none', None), but got {average}"
            )
        self.num_classes, self.top_k, self.average, self.ignore_index = num_classes, top_k, average, ignore_index
        self._begin(0 if average == "micro" else num_classes)

    def update(self, preds, target):
        self._add(of_classes(preds, target, self.num_classes, self.average, self.top_k, self.ignore_index))


class _Multilabel(_Counts):
    kind = "multilabel"

    def __init__(
        self,
        num_labels,
        threshold=0.5,
        average="macro",
        multidim_average="global",
        ignore_index=None,
        validate_args=True,
        **options,
    ):
        super().__init__()
        self.num_labels, self.threshold, self.average, self.ignore_index = num_labels, threshold, average, ignore_index
        self._begin(num_labels)

    def update(self, preds, target):
        self._add(of_labels(preds, target, self.threshold, self.ignore_index))


def _task(task):
    names = ("binary", "multiclass", "multilabel")
    if str(task).lower() not in names:
        shown = str([each.upper() for each in names])
        raise ValueError(f"Invalid Classification: expected one of {shown}, but got {task}.")
    return str(task).lower()


def _chosen(
    name, task, threshold=0.5, num_classes=None, num_labels=None, average="micro", multidim_average="global",
    top_k=1, ignore_index=None, validate_args=True, **options,
):  # fmt: skip
    """The metric of one of the three kinds."""
    kind, (of_binary, of_classes, of_labels) = _task(task), _KINDS[name]
    rest = {"ignore_index": ignore_index, **options}
    if kind == "binary":
        return of_binary(threshold=threshold, **rest)
    if kind == "multiclass":
        if not isinstance(num_classes, int):
            raise ValueError(f"`num_classes` is expected to be `int` but `{type(num_classes)} was passed.`")
        return of_classes(num_classes=num_classes, top_k=top_k or 1, average=average, **rest)
    if not isinstance(num_labels, int):
        raise ValueError(f"`num_labels` is expected to be `int` but `{type(num_labels)} was passed.`")
    return of_labels(num_labels=num_labels, threshold=threshold, average=average, **rest)


_KINDS = {}


def _made(name):
    score = SCORES[name]
    body = {"score": staticmethod(score), "higher_is_better": True, "is_differentiable": False}
    kinds = [
        type(f"{title}{name}", (base,), dict(body))
        for title, base in (("Binary", _Binary), ("Multiclass", _Multiclass), ("Multilabel", _Multilabel))
    ]
    _KINDS[name] = kinds
    return kinds


BinaryAccuracy, MulticlassAccuracy, MultilabelAccuracy = _made("Accuracy")
BinaryPrecision, MulticlassPrecision, MultilabelPrecision = _made("Precision")
BinaryRecall, MulticlassRecall, MultilabelRecall = _made("Recall")
BinarySpecificity, MulticlassSpecificity, MultilabelSpecificity = _made("Specificity")
BinaryF1Score, MulticlassF1Score, MultilabelF1Score = _made("F1Score")
BinaryJaccardIndex, MulticlassJaccardIndex, MultilabelJaccardIndex = _made("JaccardIndex")


# Each has a __new__ of its own, which says its name where the task is missing.
class Accuracy(Metric):
    def __new__(cls, task, *args, **options):
        return _chosen("Accuracy", task, *args, **options)


class Precision(Metric):
    def __new__(cls, task, *args, **options):
        return _chosen("Precision", task, *args, **options)


class Recall(Metric):
    def __new__(cls, task, *args, **options):
        return _chosen("Recall", task, *args, **options)


class Specificity(Metric):
    def __new__(cls, task, *args, **options):
        return _chosen("Specificity", task, *args, **options)


class F1Score(Metric):
    def __new__(cls, task, *args, **options):
        return _chosen("F1Score", task, *args, **options)


class JaccardIndex(Metric):
    def __new__(cls, task, *args, **options):
        return _chosen("JaccardIndex", task, *args, **options)


def normalized(found, how):
    """A table of confusion as shares of rows, columns or all."""
    if how in (None, "none"):
        return found
    whole = {"true": lambda: found.sum(-1, keepdim=True), "pred": lambda: found.sum(-2, keepdim=True), "all": found.sum}
    return share(found, whole[how]())


class MulticlassConfusionMatrix(Metric):
    def __init__(self, num_classes, ignore_index=None, normalize=None, validate_args=True, **options):
        super().__init__()
        self.num_classes, self.ignore_index, self.normalize = num_classes, ignore_index, normalize
        self.add_state("confmat", torch.zeros(num_classes, num_classes, dtype=torch.long), "sum")

    def update(self, preds, target):
        self.confmat = self.confmat + table(preds, target, self.num_classes, self.ignore_index)

    def compute(self):
        return normalized(self.confmat, self.normalize)


class BinaryConfusionMatrix(MulticlassConfusionMatrix):
    def __init__(self, threshold=0.5, ignore_index=None, normalize=None, validate_args=True, **options):
        super().__init__(2, ignore_index, normalize)
        self.threshold = threshold

    def update(self, preds, target):
        self.confmat = self.confmat + table(*binary(preds, target, self.threshold, self.ignore_index), 2)


class ConfusionMatrix(Metric):
    def __new__(
        cls,
        task,
        threshold=0.5,
        num_classes=None,
        num_labels=None,
        normalize=None,
        ignore_index=None,
        validate_args=True,
        **options,
    ):
        kind = _task(task)
        if kind == "multilabel":
            raise NotImplementedError("ConfusionMatrix of several labels does not exist here: make one for each label")
        if kind == "binary":
            return BinaryConfusionMatrix(threshold, ignore_index, normalize)
        return MulticlassConfusionMatrix(num_classes, ignore_index, normalize)


class _Curve(Metric):
    """A figure of the order in which scores stand, for which all of them are kept."""

    of_one = staticmethod(area)

    def __init__(self, thresholds=None, ignore_index=None, validate_args=True, max_fpr=None, **options):
        super().__init__()
        if thresholds is not None or max_fpr is not None:
            raise NotImplementedError("thresholds=None and max_fpr=None are all that is supported here")
        self.ignore_index = ignore_index
        self.add_state("preds", [], "cat")
        self.add_state("target", [], "cat")

    def update(self, preds, target):
        if self.ignore_index is not None:
            kept = target != self.ignore_index
            preds, target = preds[kept], target[kept]
        self.preds.append(preds.detach())
        self.target.append(target)

    def compute(self):
        return self.of_one(torch.cat(self.preds).flatten(), torch.cat(self.target).flatten())


class _CurveOfClasses(_Curve):
    def __init__(self, num_classes, average="macro", **options):
        super().__init__(**options)
        self.num_classes, self.average = num_classes, average

    def _columns(self):
        preds, target = torch.cat(self.preds), torch.cat(self.target)
        return [(preds[:, i], (target == i).long()) for i in range(self.num_classes)]

    def compute(self):
        columns = self._columns()
        found = torch.stack([self.of_one(preds, target) for preds, target in columns])
        if self.average in (None, "none"):
            return found
        if self.average == "micro":
            return self.of_one(*[torch.cat(each) for each in zip(*columns)])
        there = ~found.isnan()
        if self.average == "weighted":
            weights = torch.stack([target.sum() for _, target in columns])[there].float()
            return (found[there] * weights / weights.sum()).sum()
        return found[there].mean()


class _CurveOfLabels(_CurveOfClasses):
    def __init__(self, num_labels, average="macro", **options):
        super().__init__(num_labels, average, **options)

    def _columns(self):
        preds, target = torch.cat(self.preds), torch.cat(self.target)
        return [(preds[:, i], target[:, i]) for i in range(self.num_classes)]


class BinaryAUROC(_Curve):
    pass


class MulticlassAUROC(_CurveOfClasses):
    pass


class MultilabelAUROC(_CurveOfLabels):
    pass


class BinaryAveragePrecision(_Curve):
    of_one = staticmethod(mean_precision)


class MulticlassAveragePrecision(_CurveOfClasses):
    of_one = staticmethod(mean_precision)


class MultilabelAveragePrecision(_CurveOfLabels):
    of_one = staticmethod(mean_precision)


def _curve(task, kinds, num_classes, num_labels, average, options):
    kind = _task(task)
    if kind == "binary":
        return kinds[0](**options)
    if kind == "multiclass":
        return kinds[1](num_classes, average, **options)
    return kinds[2](num_labels, average, **options)


class AUROC(Metric):
    def __new__(cls, task, thresholds=None, num_classes=None, num_labels=None, average="macro", **options):
        kinds = BinaryAUROC, MulticlassAUROC, MultilabelAUROC
        return _curve(task, kinds, num_classes, num_labels, average, {"thresholds": thresholds, **options})


class AveragePrecision(Metric):
    def __new__(cls, task, thresholds=None, num_classes=None, num_labels=None, average="macro", **options):
        kinds = BinaryAveragePrecision, MulticlassAveragePrecision, MultilabelAveragePrecision
        return _curve(task, kinds, num_classes, num_labels, average, {"thresholds": thresholds, **options})


class _OfTable(MulticlassConfusionMatrix):
    """A figure of the table of confusion."""

    def compute(self):
        return self.of(self.confmat.double()).float()


class _OfBinaryTable(BinaryConfusionMatrix):
    def compute(self):
        return self.of(self.confmat.double()).float()


def _matthews(found):
    rows, columns, total = found.sum(1), found.sum(0), found.sum()
    right = found.trace() * total - (rows * columns).sum()
    whole = (total**2 - (rows**2).sum()) * (total**2 - (columns**2).sum())
    return right / whole.sqrt() if whole > 0 else torch.tensor(0.0)


def _kappa(found):
    rows, columns, total = found.sum(1), found.sum(0), found.sum()
    by_chance = torch.outer(rows, columns) / total
    there = 1 - torch.eye(len(found), dtype=found.dtype)
    return 1 - (there * found).sum() / (there * by_chance).sum()


class BinaryMatthewsCorrCoef(_OfBinaryTable):
    of = staticmethod(_matthews)


class MulticlassMatthewsCorrCoef(_OfTable):
    of = staticmethod(_matthews)


class BinaryCohenKappa(_OfBinaryTable):
    of = staticmethod(_kappa)


class MulticlassCohenKappa(_OfTable):
    of = staticmethod(_kappa)


class MatthewsCorrCoef(Metric):
    def __new__(cls, task, threshold=0.5, num_classes=None, num_labels=None, **options):
        return BinaryMatthewsCorrCoef(threshold) if _task(task) == "binary" else MulticlassMatthewsCorrCoef(num_classes)


class CohenKappa(Metric):
    def __new__(cls, task, threshold=0.5, num_classes=None, **options):
        return BinaryCohenKappa(threshold) if _task(task) == "binary" else MulticlassCohenKappa(num_classes)
