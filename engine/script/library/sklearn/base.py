# type: ignore
"""sklearn.base: what estimators of a script's own are made from."""

import copy
import inspect

_AS_GIVEN = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class BaseEstimator:
    """Options are the parameters of __init__, kept as attributes of the same names."""

    def _defaults(self):
        try:
            found = inspect.signature(type(self).__init__).parameters.values()
        except (AttributeError, TypeError, ValueError):  # it has none of its own
            return {}
        listed = [each for each in found if each.name != "self" and each.kind not in _AS_GIVEN]
        return {each.name: each.default for each in sorted(listed, key=lambda each: each.name)}

    def get_params(self, deep=True):
        found = {}
        for name in self._defaults():
            value = getattr(self, name)
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                found.update({f"{name}__{inner}": held for inner, held in value.get_params().items()})
            found[name] = value
        return found

    def set_params(self, **params):
        for name, value in params.items():
            outer, _, inner = name.partition("__")
            if outer not in self._defaults():
                known = sorted(self._defaults())
                raise ValueError(
                    f"Invalid parameter {outer!r} for estimator {self!r}. Valid parameters are: {known!r}."
                )
            if inner:
                getattr(self, outer).set_params(**{inner: value})
            else:
                setattr(self, outer, value)
        return self

    def __repr__(self):
        changed = [
            f"{name}={getattr(self, name)!r}"
            for name, default in self._defaults().items()
            if repr(getattr(self, name)) != repr(default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"


class TransformerMixin:
    """fit_transform() of what has fit() and transform()."""

    def fit_transform(self, X, y=None, **fit_params):
        fitted = self.fit(X, **fit_params) if y is None else self.fit(X, y, **fit_params)
        return fitted.transform(X)


class ClassifierMixin:
    """score() of what predicts classes: the share of right ones."""

    def score(self, X, y):
        from sklearn.metrics import accuracy_score

        return accuracy_score(y, self.predict(X))


class RegressorMixin:
    """score() of what predicts numbers: R squared."""

    def score(self, X, y):
        from sklearn.metrics import r2_score

        return r2_score(y, self.predict(X))


def clone(estimator, *, safe=True):
    """One of the same class with the same options that has seen no data."""
    if isinstance(estimator, (list, tuple, set)):
        return type(estimator)([clone(each, safe=safe) for each in estimator])
    if not hasattr(estimator, "get_params") or isinstance(estimator, type):
        if not safe:
            return copy.deepcopy(estimator)
        raise TypeError(
            f"Cannot clone object '{estimator!r}' (type {type(estimator)}): it does not seem to be a scikit-learn "
            "estimator as it does not implement a 'get_params' method."
        )
    given = estimator.get_params(deep=False)
    return type(estimator)(**{name: clone(value, safe=False) for name, value in given.items()})
