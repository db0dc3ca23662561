# type: ignore
"""sklearn.linear_model: straight lines through data, of least squares."""

import numpy as np
from sklearn.metrics import r2_score
from sklearn.utils import Estimator, table_of


class LinearRegression(Estimator):
    """y = X @ coef_ + intercept_, with the smallest sum of squares."""

    _options = {"fit_intercept": True, "copy_X": True, "tol": 1e-6, "n_jobs": None, "positive": False}

    def fit(self, X, y):
        X, y = table_of(X), np.asarray(y, dtype=np.float64)
        x_mean, y_mean = (np.mean(X, axis=0), np.mean(y, axis=0)) if self.fit_intercept else (0.0, 0.0)
        found = np.linalg.lstsq(X - x_mean, y - y_mean, rcond=None)[0]
        self.coef_ = found.T
        self.intercept_ = y_mean - np.dot(x_mean, found) if self.fit_intercept else 0.0
        return self

    def predict(self, X):
        return np.dot(table_of(X), self.coef_.T) + self.intercept_

    def score(self, X, y):
        return r2_score(y, self.predict(X))


class Ridge(LinearRegression):
    """LinearRegression with alpha times the squared coefficients added to what is made small."""

    _options, _placed = {"alpha": 1.0, "fit_intercept": True}, ("alpha",)

    def fit(self, X, y):
        X, y = table_of(X), np.asarray(y, dtype=np.float64)
        x_mean, y_mean = (np.mean(X, axis=0), np.mean(y, axis=0)) if self.fit_intercept else (0.0, 0.0)
        X, y = X - x_mean, y - y_mean
        found = np.linalg.solve(np.dot(X.T, X) + self.alpha * np.eye(X.shape[1]), np.dot(X.T, y))
        self.coef_ = found.T
        self.intercept_ = y_mean - np.dot(x_mean, found) if self.fit_intercept else 0.0
        return self
