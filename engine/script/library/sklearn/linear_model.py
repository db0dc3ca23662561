# type: ignore
"""sklearn.linear_model: straight lines through data, of least squares, and between classes."""

import numpy as np
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import Estimator, table_of


class LinearRegression(Estimator):
    """y = X @ coef_ + intercept_, with the smallest sum of squares: where many coefficients have it, the smallest ones.

    Directions of X that are below `tol` of the largest are none (`rank_`, `singular_`). float32 stays float32.
    """

    _options = {"fit_intercept": True, "copy_X": True, "tol": 1e-6, "n_jobs": None, "positive": False}

    def fit(self, X, y, sample_weight=None):
        if self.positive:
            raise NotImplementedError("positive=True is not supported here")
        X, y, x_mean, y_mean = self._centred(X, y, sample_weight)
        found, _, self.rank_, self.singular_ = np.linalg.lstsq(X, y, rcond=self.tol)
        return self._keep(found, x_mean, y_mean)

    def _centred(self, X, y, weights):
        """(X, y, their means): without their means, each row times the root of its weight."""
        X = table_of(X)
        y = np.asarray(y).astype(X.dtype)
        self.n_features_in_, x_mean, y_mean = X.shape[1], 0.0, 0.0
        if weights is not None:
            weights = np.broadcast_to(np.asarray(weights, dtype=X.dtype), (len(X),))
        if self.fit_intercept:
            x_mean, y_mean = np.average(X, axis=0, weights=weights), np.average(y, axis=0, weights=weights)
            X, y = X - x_mean, y - y_mean
        if weights is not None:
            root = np.sqrt(weights)
            X, y = X * root[:, None], y * (root if y.ndim == 1 else root[:, None])
        return X, y, x_mean, y_mean

    def _keep(self, found, x_mean, y_mean):
        self.coef_ = found.T
        self.intercept_ = y_mean - np.dot(x_mean, found) if self.fit_intercept else 0.0
        return self

    def predict(self, X):
        return np.dot(table_of(X), self.coef_.T) + self.intercept_

    def score(self, X, y):
        return r2_score(y, self.predict(X))


class Ridge(LinearRegression):
    """LinearRegression with alpha times the squared coefficients added to what is made small."""

    _placed = ("alpha",)
    _options = {
        "alpha": 1.0, "fit_intercept": True, "copy_X": True, "max_iter": None, "tol": 1e-4, "solver": "auto",
        "positive": False, "random_state": None,
    }  # fmt: skip
    n_iter_ = None

    def fit(self, X, y, sample_weight=None):
        if self.positive:
            raise NotImplementedError("positive=True is not supported here")
        X, y, x_mean, y_mean = self._centred(X, y, sample_weight)
        curve = np.dot(X.T, X) + (self.alpha * np.eye(X.shape[1])).astype(X.dtype)
        return self._keep(np.linalg.solve(curve, np.dot(X.T, y)), x_mean, y_mean)


class ElasticNet(LinearRegression):
    """Least squares with alpha times both sums of the coefficients: of their sizes (l1_ratio of it), of their squares.

    One coefficient after the other is moved to where the loss is least, until the loss is nearer than `tol` to a bound
    below it. Friedman, Hastie and Tibshirani (2010); Kim and others (2007).
    """

    _placed = ("alpha",)
    _options = {
        "alpha": 1.0, "l1_ratio": 0.5, "fit_intercept": True, "precompute": False, "max_iter": 1000, "copy_X": True,
        "tol": 1e-4, "warm_start": False, "positive": False, "random_state": None, "selection": "cyclic",
    }  # fmt: skip

    def _ratio(self):
        return self.l1_ratio

    def fit(self, X, y, sample_weight=None):
        if self.selection != "cyclic" or self.precompute is not False:
            raise NotImplementedError("selection='cyclic' and precompute=False are all that is supported here")
        X, y, x_mean, y_mean = self._centred(X, y, sample_weight)
        if y.ndim == 2:
            rows = [self._descended(X, y[:, i], None) for i in range(y.shape[1])]
            found, self.n_iter_ = np.stack([row[0] for row in rows], 1), [row[2] for row in rows]
            self.dual_gap_ = np.array([row[1] for row in rows])
        else:
            before = self.coef_ if self.warm_start and hasattr(self, "coef_") else None
            found, self.dual_gap_, self.n_iter_ = self._descended(X, y, before)
        return self._keep(found, x_mean, y_mean)

    def _descended(self, X, y, before):
        """(coefficients, how far from the least loss at most, rounds)."""
        count, size = X.shape
        sizes, squares = self.alpha * self._ratio() * count, self.alpha * (1 - self._ratio()) * count
        where = np.zeros(size, dtype=X.dtype) if before is None else before.astype(X.dtype).copy()
        lengths = np.sum(X**2, axis=0)
        rest, columns = y - np.dot(X, where), [X[:, i] for i in range(size)]
        limit, gap = self.tol * np.dot(y, y), 0.0
        for round in range(self.max_iter):
            largest = moved = 0.0
            for i in range(size):
                if lengths[i] == 0.0:
                    continue
                old, column = where[i], columns[i]
                pull = np.dot(column, rest) + old * lengths[i]
                if self.positive and pull < 0:
                    new = 0.0
                else:
                    new = np.sign(pull) * max(abs(pull) - sizes, 0) / (lengths[i] + squares)
                if new != old:
                    rest = rest + column * (old - new)
                    where[i] = new
                moved, largest = max(moved, abs(new - old)), max(largest, abs(new))
            if largest == 0.0 or moved / largest <= self.tol or round == self.max_iter - 1:
                gap = self._gap(X, y, rest, where, sizes, squares)
                if gap <= limit:
                    break
        else:
            import warnings

            warnings.warn("Objective did not converge. You might want to increase the number of iterations.")
        return where, gap / count, round + 1

    def _gap(self, X, y, rest, where, sizes, squares):
        slopes = np.dot(X.T, rest) - squares * where
        steepest = np.max(slopes) if self.positive else np.max(np.abs(slopes))
        left, share = np.dot(rest, rest), 1.0
        if steepest > sizes:
            share = sizes / steepest
            gap = 0.5 * (left + left * share**2)
        else:
            gap = left
        gap += sizes * np.sum(np.abs(where)) - share * np.dot(rest, y)
        return gap + 0.5 * squares * (1 + share**2) * np.dot(where, where)


class Lasso(ElasticNet):
    """Least squares with alpha times the sizes of the coefficients: many of them are 0."""

    _options = {name: value for name, value in ElasticNet._options.items() if name != "l1_ratio"}

    def _ratio(self):
        return 1.0


class LogisticRegression(Estimator):
    """Classes by softmax(X @ coef_.T + intercept_): the weights of the least loss, C times the sum of -log(probability)
    and half of the squared coefficients. They are found by Newton's method to the end, whatever the `solver`, and so
    agree with scikit-learn's as far as its solver went (`tol`, `max_iter`)."""

    _options = {
        "penalty": "l2", "C": 1.0, "l1_ratio": 0.0, "dual": False, "tol": 1e-4, "fit_intercept": True,
        "intercept_scaling": 1, "class_weight": None, "random_state": None, "solver": "lbfgs", "max_iter": 100,
        "multi_class": "auto", "verbose": 0, "warm_start": False, "n_jobs": None,
    }  # fmt: skip

    def fit(self, X, y, sample_weight=None):
        X, y = table_of(X).astype(np.float64), np.asarray(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ValueError(
                "This solver needs samples of at least 2 classes in the data, but the data contains only one class: "
                f"{self.classes_[0]!r}"
            )
        weights = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        for label in self.classes_.tolist() if self.class_weight is not None else []:
            chosen = y == label
            even = len(y) / (len(self.classes_) * chosen.sum())
            weights[chosen] *= even if self.class_weight == "balanced" else self.class_weight.get(label, 1.0)
        targets = (y.reshape(-1, 1) == self.classes_).astype(np.float64)
        bound = self.solver == "liblinear"  # which holds the intercept small too
        parts = [targets[:, [1]]] if len(self.classes_) == 2 else [targets]
        if bound and len(self.classes_) > 2:
            parts = [targets[:, [i]] for i in range(len(self.classes_))]
        found = np.concatenate([self._weights(X, part, weights, bound) for part in parts])
        self.coef_ = found[:, :-1] if self.fit_intercept else found
        self.intercept_ = found[:, -1] if self.fit_intercept else np.zeros(len(found))
        self.n_features_in_ = X.shape[1]
        return self

    def _weights(self, X, targets, weights, bound):
        """(rows of weights, the intercept last): one row for a target of one column, else one for each."""
        if self.fit_intercept:
            X = np.concatenate([X, np.ones((len(X), 1))], axis=1)
        count, size = targets.shape[1], X.shape[1]
        held = np.full(size, 0.0 if self.penalty in (None, "none") else 1.0)
        if self.fit_intercept and not bound:
            held[-1] = 0.0
        held = np.tile(held, count)
        where = np.zeros(count * size)
        loss, slope, chances = self._loss(X, targets, weights, held, where)
        for _ in range(100):
            curve = np.zeros((count * size, count * size))
            for i in range(count):
                for j in range(count):
                    rate = self.C * weights * chances[:, i] * ((1.0 if i == j else 0.0) - chances[:, j])
                    curve[i * size : (i + 1) * size, j * size : (j + 1) * size] = np.dot(X.T * rate, X)
            curve[np.arange(len(curve)), np.arange(len(curve))] += held + 1e-10
            step, share = np.linalg.solve(curve, slope), 1.0
            while share > 1e-6:
                tried = self._loss(X, targets, weights, held, where - share * step)
                if tried[0] <= loss:
                    break
                share /= 2
            if share <= 1e-6:
                break
            where = where - share * step
            loss, slope, chances = tried
            if np.max(np.abs(slope)) < 1e-9:
                break
        return where.reshape(count, size)

    def _loss(self, X, targets, weights, held, where):
        """(loss, slope, probabilities of the targets) at the weights `where`."""
        scores = np.dot(X, where.reshape(targets.shape[1], -1).T)
        every = np.concatenate([np.zeros((len(X), 1)), scores], axis=1) if scores.shape[1] == 1 else scores
        top = np.max(every, axis=1, keepdims=True)
        total = np.log(np.sum(np.exp(every - top), axis=1, keepdims=True)) + top
        chances = np.exp(scores - total)
        lost = weights * (total[:, 0] - np.sum(targets * scores, axis=1))
        slope = self.C * np.dot((weights.reshape(-1, 1) * (chances - targets)).T, X).ravel() + held * where
        return self.C * np.sum(lost) + 0.5 * np.sum(held * where**2), slope, chances

    def decision_function(self, X):
        scores = np.dot(table_of(X), self.coef_.T) + self.intercept_
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X):
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else np.argmax(scores, axis=1)]

    def predict_proba(self, X):
        scores = self.decision_function(X)
        if scores.ndim == 1:
            chance = 1 / (1 + np.exp(-scores))
            return np.stack([1 - chance, chance], axis=1)
        if self.solver == "liblinear":
            chances = 1 / (1 + np.exp(-scores))
        else:
            chances = np.exp(scores - np.max(scores, axis=1, keepdims=True))
        return chances / np.sum(chances, axis=1, keepdims=True)

    def score(self, X, y):
        return accuracy_score(y, self.predict(X))
