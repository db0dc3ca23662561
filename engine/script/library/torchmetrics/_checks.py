# type: ignore
"""What predictions and targets must be."""


def same_shape(preds, target):
    if preds.shape != target.shape:
        raise RuntimeError(
            f"Predictions and targets are expected to have the same shape, but got {preds.shape} and {target.shape}."
        )
