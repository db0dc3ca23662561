# type: ignore
"""torchmetrics.classification: accuracy, precision, recall, F1, tables of confusion and areas under curves."""

import torch
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


def area(preds, target):
    """The area under the curve of one class against the others: the share of pairs that are in order."""
    order = preds.argsort()
    ranks = torch.empty(len(preds), dtype=torch.float64)
    ranks[order] = torch.arange(1, len(preds) + 1, dtype=torch.float64)
    kinds, where, counts = torch.unique(preds, return_inverse=True, return_counts=True)
    mean = torch.zeros(len(kinds), dtype=torch.float64).index_add(0, where, ranks) / counts
    many = target.sum()
    few = len(target) - many
    if not many or not few:
        return torch.tensor(0.0)
    total = mean[where][target == 1].sum() - many * (many + 1) / 2
    return (total / (many * few)).float()


class BinaryAUROC(Metric):
    def __init__(self, max_fpr=None, thresholds=None, ignore_index=None, validate_args=True, **options):
        super().__init__()
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
        return area(torch.cat(self.preds).flatten(), torch.cat(self.target).flatten())


class MulticlassAUROC(BinaryAUROC):
    def __init__(self, num_classes, average="macro", thresholds=None, ignore_index=None, validate_args=True, **options):
        super().__init__(ignore_index=ignore_index)
        self.num_classes, self.average = num_classes, average

    def compute(self):
        preds, target = torch.cat(self.preds), torch.cat(self.target)
        found = torch.stack([area(preds[:, i], (target == i).long()) for i in range(self.num_classes)])
        if self.average in (None, "none"):
            return found
        if self.average == "weighted":
            weights = torch.bincount(target, minlength=self.num_classes).float()
            return (found * weights / weights.sum()).sum()
        return found.mean()


class AUROC(Metric):
    def __new__(
        cls,
        task,
        thresholds=None,
        num_classes=None,
        num_labels=None,
        average="macro",
        max_fpr=None,
        ignore_index=None,
        validate_args=True,
        **options,
    ):
        kind = _task(task)
        if kind == "multilabel":
            raise NotImplementedError("AUROC of several labels does not exist here: make one for each label")
        if kind == "binary":
            return BinaryAUROC(ignore_index=ignore_index)
        return MulticlassAUROC(num_classes, average, ignore_index=ignore_index)
