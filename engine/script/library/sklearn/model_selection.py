# type: ignore
"""sklearn.model_selection: train_test_split and folds."""

import math
from itertools import product

import numpy as np
from sklearn.utils import Estimator, check_random_state, take


def _sizes(count, test_size, train_size):
    """(train, test): how many of `count` each gets."""
    for name, size in (("test_size", test_size), ("train_size", train_size)):
        if size is None:
            continue
        whole = isinstance(size, (int, np.integer))
        if (whole and not 0 < size < count) or (not whole and not 0 < size < 1):
            raise ValueError(
                f"{name}={size} should be either positive and smaller than the number of samples {count} or a float in "
                "the (0, 1) range"
            )
    if test_size is None and train_size is None:
        test_size = 0.25
    train = test = None
    if test_size is not None:
        test = math.ceil(test_size * count) if isinstance(test_size, float) else int(test_size)
    if train_size is not None:
        train = math.floor(train_size * count) if isinstance(train_size, float) else int(train_size)
    if train is None:
        train = count - test
    if test is None:
        test = count - train
    if train + test > count:
        raise ValueError(
            f"The sum of train_size and test_size = {train + test}, should be smaller than the number of samples "
            f"{count}. Reduce test_size and/or train_size."
        )
    if train == 0:
        raise ValueError(
            f"With n_samples={count}, test_size={test_size} and train_size={train_size}, the resulting train set will "
            "be empty. Adjust any of the aforementioned parameters."
        )
    return train, test


def _shared_out(counts, draws, generator):
    """`draws` shared among classes by their counts, rounded so that the sum is right; ties are drawn."""
    exact = counts / counts.sum() * draws
    whole = np.floor(exact)
    missing = int(draws - whole.sum())
    rest = exact - whole
    for value in np.sort(np.unique(rest))[::-1]:
        if missing <= 0:
            break
        tied = np.where(rest == value)[0]
        chosen = generator.choice(tied, size=min(len(tied), missing), replace=False)
        whole[chosen] += 1
        missing -= len(chosen)
    return whole.astype(np.int64)


def _by_class(labels, n_train, n_test, generator):
    """Places for training and for testing in which every class has its share."""
    kinds, numbers, counts = np.unique(np.asarray(labels), return_inverse=True, return_counts=True)
    if counts.min() < 2:
        few = kinds[counts < 2].tolist()
        raise ValueError(
            "The least populated classes in y have only 1 member, which is too few. The minimum number of groups for "
            f"any class cannot be less than 2. Classes with too few members are: {few}"
        )
    for name, size in (("train_size", n_train), ("test_size", n_test)):
        if size < len(kinds):
            raise ValueError(f"The {name} = {size} should be greater or equal to the number of classes = {len(kinds)}")
    order = np.argsort(numbers, kind="stable")
    ends = np.cumsum(counts)
    for_train = _shared_out(counts, n_train, generator)
    for_test = _shared_out(counts - for_train, n_test, generator)
    train, test = [], []
    for i in range(len(kinds)):
        places = order[ends[i] - counts[i] : ends[i]][generator.permutation(counts[i])]
        train.extend(places[: for_train[i]])
        test.extend(places[for_train[i] : for_train[i] + for_test[i]])
    return generator.permutation(train), generator.permutation(test)


def train_test_split(*arrays, test_size=None, train_size=None, random_state=None, shuffle=True, stratify=None):
    """[a_train, a_test, b_train, b_test, ...], split at the same places."""
    if not arrays:
        raise ValueError("At least one array required as input")
    lengths = [len(array) for array in arrays]
    if len(set(lengths)) > 1:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {lengths}")
    n_train, n_test = _sizes(lengths[0], test_size, train_size)
    generator = check_random_state(random_state)
    if not shuffle:
        if stratify is not None:
            raise ValueError("Stratified train/test split is not implemented for shuffle=False")
        train, test = np.arange(n_train), np.arange(n_train, n_train + n_test)
    elif stratify is not None:
        train, test = _by_class(stratify, n_train, n_test, generator)
    else:
        order = generator.permutation(lengths[0])
        train, test = order[n_test : n_test + n_train], order[:n_test]
    return [part for array in arrays for part in (take(array, train), take(array, test))]


class KFold:
    """Every example is in the test part of one of `n_splits` folds."""

    def __init__(self, n_splits=5, *, shuffle=False, random_state=None):
        if not isinstance(n_splits, int) or n_splits < 2:
            raise ValueError(
                "k-fold cross-validation requires at least one train/test split by setting n_splits=2 or more, "
                f"got n_splits={n_splits}."
            )
        if not shuffle and random_state is not None:
            raise ValueError(
                "Setting a random_state has no effect since shuffle is False. You should leave random_state to its "
                "default (None), or set shuffle=True."
            )
        self.n_splits, self.shuffle, self.random_state = n_splits, shuffle, random_state

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.n_splits

    def _folds(self, count, y):
        """For every example the number of its fold."""
        order = np.arange(count)
        if self.shuffle:
            check_random_state(self.random_state).shuffle(order)
        folds, at = np.empty(count, dtype=np.int64), 0
        for number in range(self.n_splits):
            size = count // self.n_splits + (1 if number < count % self.n_splits else 0)
            folds[order[at : at + size]] = number
            at += size
        return folds

    def split(self, X, y=None, groups=None):
        count = len(X)
        if self.n_splits > count:
            raise ValueError(
                f"Cannot have number of splits n_splits={self.n_splits} greater than the number of samples: "
                f"n_samples={count}."
            )
        folds = self._folds(count, y)
        for number in range(self.n_splits):
            yield np.where(folds != number)[0], np.where(folds == number)[0]

    def __repr__(self):
        name = type(self).__name__
        return f"{name}(n_splits={self.n_splits}, random_state={self.random_state}, shuffle={self.shuffle})"


class StratifiedKFold(KFold):
    """KFold in which every class has its share of every fold."""

    def _folds(self, count, y):
        generator = check_random_state(self.random_state)
        _, first, numbers = np.unique(np.asarray(y), return_index=True, return_inverse=True)
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        numbers = rank[numbers]
        in_order, classes = np.sort(numbers), len(first)
        if np.bincount(numbers).max() < self.n_splits:
            raise ValueError(f"n_splits={self.n_splits} cannot be greater than the number of members in each class.")
        folds = np.empty(count, dtype=np.int64)
        shares = [np.bincount(in_order[i :: self.n_splits], minlength=classes) for i in range(self.n_splits)]
        for kind in range(classes):
            own = np.array([i for i in range(self.n_splits) for _ in range(int(shares[i][kind]))])
            if self.shuffle:
                generator.shuffle(own)
            folds[numbers == kind] = own
        return folds


class ShuffleSplit:
    """`n_splits` times a random share for training and one for the test."""

    def __init__(self, n_splits=10, *, test_size=None, train_size=None, random_state=None):
        self.n_splits, self.test_size, self.train_size = n_splits, test_size, train_size
        self.random_state = random_state

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.n_splits

    def _shares(self, count):
        return _sizes(
            count, 0.1 if self.test_size is None and self.train_size is None else self.test_size, self.train_size
        )

    def split(self, X, y=None, groups=None):
        train, test = self._shares(len(X))
        generator = check_random_state(self.random_state)
        for _ in range(self.n_splits):
            order = generator.permutation(len(X))
            yield order[test : test + train], order[:test]


class StratifiedShuffleSplit(ShuffleSplit):
    """ShuffleSplit in which every class has its share of both."""

    def split(self, X, y, groups=None):
        train, test = self._shares(len(X))
        generator = check_random_state(self.random_state)
        for _ in range(self.n_splits):
            yield _by_class(y, train, test, generator)


class GroupShuffleSplit(ShuffleSplit):
    """ShuffleSplit of groups: all examples of one are on the same side."""

    def __init__(self, n_splits=5, *, test_size=None, train_size=None, random_state=None):
        super().__init__(n_splits, test_size=test_size, train_size=train_size, random_state=random_state)

    def split(self, X, y=None, groups=None):
        if groups is None:
            raise ValueError("The 'groups' parameter should not be None.")
        kinds, numbers = np.unique(np.asarray(groups), return_inverse=True)
        usual = 0.2 if self.test_size is None and self.train_size is None else self.test_size
        train, test = _sizes(len(kinds), usual, self.train_size)
        generator = check_random_state(self.random_state)
        for _ in range(self.n_splits):
            order = generator.permutation(len(kinds))
            yield (
                np.flatnonzero(np.isin(numbers, order[test : test + train])),
                np.flatnonzero(np.isin(numbers, order[:test])),
            )


class GroupKFold(KFold):
    """KFold whose folds share no group: the largest group that is left goes to the fold with the fewest examples."""

    def split(self, X, y=None, groups=None):
        if groups is None:
            raise ValueError("The 'groups' parameter should not be None.")
        kinds, numbers, counts = np.unique(np.asarray(groups), return_inverse=True, return_counts=True)
        if self.n_splits > len(kinds):
            raise ValueError(
                f"Cannot have number of splits n_splits={self.n_splits} greater than the number of groups: {len(kinds)}."
            )
        if self.shuffle:
            order = check_random_state(self.random_state).permutation(len(kinds))
            fold_of = np.empty(len(kinds), dtype=np.int64)
            for number, part in enumerate(np.array_split(order, self.n_splits)):
                fold_of[part] = number
        else:
            held, fold_of = [0] * self.n_splits, np.empty(len(kinds), dtype=np.int64)
            for kind in np.argsort(counts)[::-1]:
                fold_of[kind] = fold = held.index(min(held))
                held[fold] += int(counts[kind])
        folds = fold_of[numbers]
        for number in range(self.n_splits):
            yield np.where(folds != number)[0], np.where(folds == number)[0]


class LeaveOneOut:
    """Each example alone is the test once."""

    def get_n_splits(self, X, y=None, groups=None):
        return len(X)

    def split(self, X, y=None, groups=None):
        places = np.arange(len(X))
        for i in range(len(X)):
            yield np.delete(places, i), np.array([i])


class TimeSeriesSplit:
    """Folds in their order: each is the test once, and all that comes before it is for training."""

    def __init__(self, n_splits=5, *, max_train_size=None, test_size=None, gap=0):
        self.n_splits, self.max_train_size, self.test_size, self.gap = n_splits, max_train_size, test_size, gap

    def get_n_splits(self, X=None, y=None, groups=None):
        return self.n_splits

    def split(self, X, y=None, groups=None):
        count, folds = len(X), self.n_splits + 1
        size = count // folds if self.test_size is None else self.test_size
        if folds > count:
            raise ValueError(f"Cannot have number of folds={folds} greater than the number of samples={count}.")
        if count - self.gap - size * self.n_splits <= 0:
            raise ValueError(
                f"Too many splits={self.n_splits} for number of samples={count} with test_size={size} and gap={self.gap}."
            )
        places = np.arange(count)
        for start in range(count - self.n_splits * size, count, size):
            end = start - self.gap
            first = max(end - self.max_train_size, 0) if self.max_train_size else 0
            yield places[first:end], places[start : start + size]


def _scorer(scoring):
    from sklearn import metrics

    if scoring is None or callable(scoring):
        return scoring or (lambda estimator, X, y: estimator.score(X, y))
    if scoring == "roc_auc":
        return lambda estimator, X, y: metrics.roc_auc_score(y, estimator.predict_proba(X)[:, 1])
    sign, name = (-1, scoring[4:]) if scoring.startswith("neg_") else (1, scoring)
    name, _, average = name.partition("_") if name[:2] == "f1" else (name, "", "")
    named = {"r2": "r2_score", "accuracy": "accuracy_score", "f1": "f1_score", "precision": "precision_score"}
    figure = getattr(metrics, named.get(name, "recall_score" if name == "recall" else name))
    options = {"average": average} if average else {}
    return lambda estimator, X, y: sign * figure(y, estimator.predict(X), **options)


def folds_of(estimator, X, y, cv, groups=None):
    """[(train, test), ...] as `cv` says: a number of folds, what splits, or the places themselves."""
    last = estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator
    classes = hasattr(last, "predict_proba") or type(last).__name__.endswith("Classifier")
    if cv is None or isinstance(cv, int):
        kind = StratifiedKFold if classes and y is not None and np.asarray(y).dtype.kind != "f" else KFold
        cv = kind(5 if cv is None else cv)
    return list(cv.split(X, y, groups) if hasattr(cv, "split") else cv)


def cross_val_score(estimator, X, y=None, *, scoring=None, cv=5, groups=None, **options):
    """The score of each fold, of a copy of the estimator that is fitted to all other folds."""
    from sklearn.base import clone

    score, found = _scorer(scoring), []
    for train, test in folds_of(estimator, X, y, cv, groups):
        fitted = clone(estimator)
        fitted.fit(take(X, train), take(y, train))
        found.append(score(fitted, take(X, test), take(y, test)))
    return np.array(found)


def cross_val_predict(estimator, X, y=None, *, cv=None, groups=None, method="predict", **options):
    """What is said of each example by a copy of the estimator that was fitted to the other folds."""
    from sklearn.base import clone

    said, places = [], []
    for train, test in folds_of(estimator, X, y, cv, groups):
        fitted = clone(estimator)
        fitted.fit(take(X, train), take(y, train))
        said.append(np.asarray(getattr(fitted, method)(take(X, test))))
        places.append(test)
    order = np.argsort(np.concatenate(places), kind="stable")
    return np.concatenate(said)[order]


class ParameterGrid:
    """Every combination of the values of a dict of lists, or of several such dicts."""

    def __init__(self, param_grid):
        self.param_grid = [param_grid] if hasattr(param_grid, "items") else list(param_grid)

    def __iter__(self):
        for grid in self.param_grid:
            names = sorted(grid)
            for values in product(*[grid[name] for name in names]):
                yield dict(zip(names, values))

    def __len__(self):
        return sum([math.prod([len(values) for values in grid.values()]) for grid in self.param_grid])


class GridSearchCV(Estimator):
    """Every combination of options, by the mean score of the folds; the best is fitted to all. How long fits took is
    not told."""

    _options = {
        "cv": None, "error_score": np.nan, "estimator": None, "n_jobs": None, "param_grid": None,
        "pre_dispatch": "2*n_jobs", "refit": True, "return_train_score": False, "scoring": None, "verbose": 0,
    }  # fmt: skip
    _placed = ("estimator", "param_grid")

    def fit(self, X, y=None, groups=None):
        from scipy.stats import rankdata
        from sklearn.base import clone

        score = _scorer(self.scoring)
        folds, candidates = folds_of(self.estimator, X, y, self.cv, groups), list(ParameterGrid(self.param_grid))
        if self.verbose > 0:
            fits = len(folds) * len(candidates)
            print(f"Fitting {len(folds)} folds for each of {len(candidates)} candidates, totalling {fits} fits")
        found = np.empty((len(candidates), len(folds)))
        for i, options in enumerate(candidates):
            for j, (train, test) in enumerate(folds):
                fitted = clone(self.estimator).set_params(**clone(options, safe=False))
                fitted.fit(take(X, train), take(y, train))
                found[i, j] = score(fitted, take(X, test), take(y, test))
        mean = found.mean(axis=1)
        ranks = np.asarray(rankdata(-mean, method="min")).astype(np.int32)
        self.cv_results_ = {"params": candidates}
        for name in sorted({name for options in candidates for name in options}):
            self.cv_results_[f"param_{name}"] = [options.get(name) for options in candidates]
        for j in range(len(folds)):
            self.cv_results_[f"split{j}_test_score"] = found[:, j]
        self.cv_results_.update(mean_test_score=mean, std_test_score=found.std(axis=1), rank_test_score=ranks)
        self.n_splits_, self.best_index_ = len(folds), ranks.argmin()
        self.best_score_, self.best_params_ = mean[self.best_index_], candidates[self.best_index_]
        if self.refit:
            self.best_estimator_ = clone(self.estimator).set_params(**clone(self.best_params_, safe=False))
            self.best_estimator_.fit(X, y)
        return self

    def score(self, X, y=None):
        return _scorer(self.scoring)(self.best_estimator_, X, y)

    def predict(self, X):
        return self.best_estimator_.predict(X)

    def predict_proba(self, X):
        return self.best_estimator_.predict_proba(X)

    def transform(self, X):
        return self.best_estimator_.transform(X)
