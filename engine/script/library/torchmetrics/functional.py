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
