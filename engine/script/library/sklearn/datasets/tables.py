# type: ignore
"""sklearn.datasets: the data sets that come with scikit-learn, with its numbers and names."""

import _tables

import numpy as np
from sklearn.preprocessing import scale
from sklearn.utils import Bunch

_CELLS = ["radius", "texture", "perimeter", "area", "smoothness", "compactness", "concavity", "concave points"]
_CELLS += ["symmetry", "fractal dimension"]
_WINE = ["alcohol", "malic_acid", "ash", "alcalinity_of_ash", "magnesium", "total_phenols", "flavanoids"]
_WINE += [
    "nonflavanoid_phenols",
    "proanthocyanins",
    "color_intensity",
    "hue",
    "od280/od315_of_diluted_wines",
    "proline",
]
_FROM = {"data_module": "sklearn.datasets.data"}


def _given(data, target, return_X_y, as_frame, **more):
    """What a loader returns: (data, target), or a Bunch in which they come first."""
    frame = None
    if as_frame:
        from pandas import DataFrame

        frame = DataFrame({**{name: data[:, i] for i, name in enumerate(more["feature_names"])}, "target": target})
        data, target = frame[list(more["feature_names"])], frame["target"]
    if return_X_y:
        return data, target
    return Bunch(data=data, target=target, frame=frame, **more)


def _classes(name):
    table = _tables.table(name)
    return np.ascontiguousarray(table[:, :-1]), table[:, -1].astype(np.int64)


def load_iris(*, return_X_y=False, as_frame=False):
    """150 flowers, 4 measurements in centimetres, 3 kinds."""
    data, target = _classes("iris")
    names = ["sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)"]
    text = "Iris (R. A. Fisher, 1936): 150 flowers of 3 kinds, 50 of each, with 4 measurements. UCI, CC BY 4.0."
    kinds = np.array(["setosa", "versicolor", "virginica"])
    more = {"target_names": kinds, "DESCR": text, "feature_names": names, "filename": "iris.csv", **_FROM}
    return _given(data, target, return_X_y, as_frame, **more)


def load_wine(*, return_X_y=False, as_frame=False):
    """178 wines from 3 growers, 13 measurements."""
    data, target = _classes("wine")
    text = "Wine (M. Forina and others): 178 wines of 3 growers, 13 chemical measurements. UCI, CC BY 4.0."
    kinds = np.array(["class_0", "class_1", "class_2"])
    more = {"target_names": kinds, "DESCR": text, "feature_names": list(_WINE)}
    return _given(data, target, return_X_y, as_frame, **more)


def load_breast_cancer(*, return_X_y=False, as_frame=False):
    """569 tumours, 30 measurements of their cells' nuclei; 0 is malignant, 1 benign."""
    data, target = _classes("breast_cancer")
    names = (
        [f"mean {each}" for each in _CELLS]
        + [f"{each} error" for each in _CELLS]
        + [f"worst {each}" for each in _CELLS]
    )
    text = (
        "Breast Cancer Wisconsin, Diagnostic (W. Wolberg and others): 569 tumours, 212 malignant (0) and 357 benign (1), "
        "with 30 measurements of the nuclei of their cells. UCI, CC BY 4.0."
    )
    more = {"target_names": np.array(["malignant", "benign"]), "DESCR": text, "feature_names": np.array(names)}
    return _given(data, target, return_X_y, as_frame, **more, filename="breast_cancer.csv", **_FROM)


def load_diabetes(*, return_X_y=False, as_frame=False, scaled=True):
    """442 patients: age, sex, body mass index, blood pressure and 6 blood values, and how the illness went on in a year.
    `scaled`: every feature has mean 0, and its squares add up to 1."""
    table = _tables.table("diabetes")
    data, target = np.ascontiguousarray(table[:, :-1]), table[:, -1]
    if scaled:
        data = scale(data) / len(data) ** 0.5
    text = (
        "Diabetes (B. Efron and others, Least Angle Regression, 2004): 442 patients, 10 features, and a measure of how the "
        "illness went on within a year."
    )
    names = ["age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6"]
    files = {"data_filename": "diabetes_data_raw.csv.gz", "target_filename": "diabetes_target.csv.gz", **_FROM}
    return _given(data, target, return_X_y, as_frame, DESCR=text, feature_names=names, **files)


def load_digits(*, n_class=10, return_X_y=False, as_frame=False):
    """1797 handwritten digits of 8 x 8 pixels from 0 to 16."""
    data, target = _classes("digits")
    if n_class < 10:
        data, target = data[target < n_class], target[target < n_class]
    text = (
        "Optical Recognition of Handwritten Digits (E. Alpaydin, C. Kaynak): 1797 digits of 8 x 8 pixels from 0 to 16, its "
        "test part. UCI, CC BY 4.0."
    )
    names = [f"pixel_{i}_{j}" for i in range(8) for j in range(8)]
    more = {"feature_names": names, "target_names": np.arange(10), "images": data.reshape(-1, 8, 8), "DESCR": text}
    return _given(data, target, return_X_y, as_frame, **more)
