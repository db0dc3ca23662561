# type: ignore
"""sklearn.utils.class_weight: weights for classes of different sizes."""

import numpy as np


def compute_class_weight(class_weight, *, classes, y):
    """float64 (classes,): 1 (None), what a dict says, or samples / (classes * samples of the class) ("balanced")."""
    classes, y = np.asarray(classes), np.asarray(y)
    if class_weight == "balanced":
        counts = np.array([np.sum(y == each) for each in classes])
        return len(y) / (len(classes) * counts)
    given = class_weight or {}
    return np.array([given.get(each, 1.0) for each in classes.tolist()], dtype=np.float64)


def compute_sample_weight(class_weight, y):
    """float64 (samples,): the weight of each sample's class."""
    y = np.asarray(y)
    classes, places = np.unique(y, return_inverse=True)
    return compute_class_weight(class_weight, classes=classes, y=y)[places]
