# type: ignore
"""Scores of counts, by the names that they have."""

from torchmetrics._counted import averaged, share


def _of_parts(part):
    """A score that is a share: `part` gives both numbers of it from tp, fp, tn, fn."""

    def score(counts, average, kind, top_k=1):
        if kind == "binary":
            return share(*part(*counts))
        if average == "micro":
            return share(*part(*[each.sum() for each in counts]))
        tp, fp, _, fn = counts
        return averaged(share(*part(*counts)), average, tp, fp, fn, kind == "multilabel", top_k)

    return score


def accuracy(counts, average, kind, top_k=1):
    tp, fp, tn, fn = counts
    if kind == "binary":
        return share(tp + tn, tp + tn + fp + fn)
    if average == "micro":
        tp, fp, tn, fn = [each.sum() for each in counts]
        return share(tp + tn, tp + tn + fp + fn) if kind == "multilabel" else share(tp, tp + fn)
    scores = share(tp + tn, tp + tn + fp + fn) if kind == "multilabel" else share(tp, tp + fn)
    return averaged(scores, average, tp, fp, fn, kind == "multilabel", top_k)


def fbeta(beta):
    squared = beta**2
    return _of_parts(lambda tp, fp, tn, fn: ((1 + squared) * tp, (1 + squared) * tp + squared * fn + fp))


SCORES = {
    "Accuracy": accuracy,
    "Precision": _of_parts(lambda tp, fp, tn, fn: (tp, tp + fp)),
    "Recall": _of_parts(lambda tp, fp, tn, fn: (tp, tp + fn)),
    "Specificity": _of_parts(lambda tp, fp, tn, fn: (tn, tn + fp)),
    "F1Score": fbeta(1.0),
    "JaccardIndex": _of_parts(lambda tp, fp, tn, fn: (tp, tp + fp + fn)),
}
