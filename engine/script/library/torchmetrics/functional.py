# type: ignore
"""torchmetrics.functional: metrics of one batch."""

from torchmetrics import classification, regression


def _of(name):
    kind = getattr(classification, name)

    def score(preds, target, task, *args, **options):
        return kind(task, *args, **options)(preds, target)

    return score


accuracy, precision, recall, specificity = [_of(name) for name in ("Accuracy", "Precision", "Recall", "Specificity")]
f1_score, jaccard_index, confusion_matrix, auroc = [
    _of(name) for name in ("F1Score", "JaccardIndex", "ConfusionMatrix", "AUROC")
]

average_precision, matthews_corrcoef, cohen_kappa = [
    _of(n) for n in ("AveragePrecision", "MatthewsCorrCoef", "CohenKappa")
]


def pairwise_cosine_similarity(x, y=None, reduction=None, zero_diagonal=None):
    other = x if y is None else y
    found = x / x.norm(dim=1, keepdim=True) @ (other / other.norm(dim=1, keepdim=True)).T
    if y is None if zero_diagonal is None else zero_diagonal:
        found.fill_diagonal_(0)
    return found if reduction in (None, "none") else getattr(found, reduction)(-1)


def mean_squared_error(preds, target, squared=True, num_outputs=1):
    return regression.MeanSquaredError(squared)(preds, target)


def mean_absolute_error(preds, target, num_outputs=1):
    return regression.MeanAbsoluteError()(preds, target)


def mean_absolute_percentage_error(preds, target):
    return regression.MeanAbsolutePercentageError()(preds, target)


def r2_score(preds, target, **options):
    return regression.R2Score()(preds, target)


def pearson_corrcoef(preds, target):
    return regression.PearsonCorrCoef()(preds, target)
