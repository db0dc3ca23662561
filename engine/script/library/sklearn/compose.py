# type: ignore
"""sklearn.compose: different columns, transformed differently."""

import numpy as np


class ColumnTransformer:
    """`transformers`: [(name, estimator or "passthrough", columns), ...]; what they make stands side by side."""

    def __init__(self, transformers, *, remainder="drop", **options):
        self.transformers, self.remainder = transformers, remainder

    def _of(self, X, columns):
        if hasattr(X, "iloc"):
            return X[columns] if not columns or isinstance(columns[0], str) else X.iloc[:, columns]
        return np.asarray(X)[:, columns]

    def _parts(self, X):
        used = [each for _, _, columns in self.transformers for each in columns]
        parts = [(step, columns) for _, step, columns in self.transformers]
        if self.remainder == "passthrough":
            every = list(X.columns) if hasattr(X, "iloc") else range(np.asarray(X).shape[1])
            parts.append(("passthrough", [each for each in every if each not in used]))
        return [(step, self._of(X, columns)) for step, columns in parts if step != "drop"]

    def _joined(self, parts):
        return np.concatenate([np.asarray(part) for part in parts], axis=1)

    def fit_transform(self, X, y=None):
        return self._joined(
            [part if step == "passthrough" else step.fit_transform(part) for step, part in self._parts(X)]
        )

    def fit(self, X, y=None):
        self.fit_transform(X)
        return self

    def transform(self, X):
        return self._joined([part if step == "passthrough" else step.transform(part) for step, part in self._parts(X)])
