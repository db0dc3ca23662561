# type: ignore
"""sklearn.decomposition: principal components."""

import numpy as np
from sklearn.utils import Estimator, table_of


class PCA(Estimator):
    """The directions in which the data vary most. `n_components`: how many, or which share of the variance they hold."""

    _options = {"n_components": None, "copy": True, "whiten": False, "svd_solver": "auto", "random_state": None}
    _placed = ("n_components",)

    def fit(self, X, y=None):
        X = table_of(X)
        count, width = X.shape
        self.mean_ = np.mean(X, axis=0)
        _, sizes, directions = np.linalg.svd(X - self.mean_, full_matrices=False)
        largest = np.argmax(np.abs(directions), axis=1)  # the sign of a direction: its largest part is positive
        directions = directions * np.sign(directions[np.arange(len(directions)), largest]).reshape(-1, 1)
        variances = sizes**2 / (count - 1)
        shares = variances / np.sum(variances)
        kept = min(count, width) if self.n_components is None else self.n_components
        if 0 < kept < 1:
            kept = int(np.searchsorted(np.cumsum(shares), kept, side="right")) + 1
        if kept > min(count, width):
            raise ValueError(
                f"n_components={kept} must be between 0 and min(n_samples, n_features)={min(count, width)} with "
                f"svd_solver='{'covariance_eigh' if width <= 1000 and count >= 10 * width else 'full'}'"
            )
        self.n_components_, self.n_samples_, self.n_features_in_ = kept, count, width
        self.components_, self.singular_values_ = directions[:kept], sizes[:kept]
        self.explained_variance_, self.explained_variance_ratio_ = variances[:kept], shares[:kept]
        self.noise_variance_ = float(np.mean(variances[kept:])) if kept < min(count, width) else 0.0
        return self

    def transform(self, X):
        made = np.dot(table_of(X) - self.mean_, self.components_.T)
        return made / np.sqrt(self.explained_variance_) if self.whiten else made

    def inverse_transform(self, X):
        X = np.asarray(X) * np.sqrt(self.explained_variance_) if self.whiten else np.asarray(X)
        return np.dot(X, self.components_) + self.mean_
