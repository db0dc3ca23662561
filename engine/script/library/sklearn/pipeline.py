# type: ignore
"""sklearn.pipeline: steps one after another."""

from sklearn.utils import Bunch


class Pipeline:
    """`steps`: [(name, estimator), ...]; all but the last transform."""

    def __init__(self, steps):
        self.steps = steps

    @property
    def named_steps(self):
        return Bunch(**dict(self.steps))

    def __getitem__(self, key):
        return dict(self.steps)[key] if isinstance(key, str) else self.steps[key][1]

    def _before(self, X, y, fitting):
        for _, step in self.steps[:-1]:
            X = step.fit_transform(X, y) if fitting else step.transform(X)
        return X

    def fit(self, X, y=None):
        self.steps[-1][1].fit(self._before(X, y, True), y)
        return self

    def fit_transform(self, X, y=None):
        return self.steps[-1][1].fit_transform(self._before(X, y, True), y)

    def transform(self, X):
        return self.steps[-1][1].transform(self._before(X, None, False))

    def predict(self, X):
        return self.steps[-1][1].predict(self._before(X, None, False))

    def predict_proba(self, X):
        return self.steps[-1][1].predict_proba(self._before(X, None, False))

    def get_params(self, deep=True):
        found = {"steps": self.steps}
        for name, step in self.steps if deep else []:
            found[name] = step
            found.update({f"{name}__{inner}": value for inner, value in step.get_params().items()})
        return found

    def set_params(self, **params):
        for name, value in params.items():
            step, _, inner = name.partition("__")
            self[step].set_params(**{inner: value})
        return self

    def score(self, X, y):
        return self.steps[-1][1].score(self._before(X, None, False), y)

    def inverse_transform(self, X):
        for _, step in reversed(self.steps):
            X = step.inverse_transform(X)
        return X


def make_pipeline(*steps):
    """A Pipeline whose steps are called after their classes."""
    return Pipeline([(type(step).__name__.lower(), step) for step in steps])
