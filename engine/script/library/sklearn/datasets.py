# type: ignore
"""sklearn.datasets: makers of toy data that draw the numbers scikit-learn draws for the same random_state, and the data
sets that come with it."""

import numpy as np
from sklearn.datasets.tables import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.utils import check_random_state, shuffle

_SEVERAL = (list, tuple, np.ndarray)


def _halves(n_samples):
    """Samples of the outer and of the inner shape."""
    if isinstance(n_samples, _SEVERAL):
        if len(n_samples) != 2:
            raise ValueError("`n_samples` can be either an int or a two-element tuple.")
        return n_samples
    return n_samples // 2, n_samples - n_samples // 2


def _two_shapes(outer, inner, mixed, noise, generator):
    X = np.concatenate([outer, inner])
    y = np.concatenate([np.zeros(len(outer), dtype=np.int64), np.ones(len(inner), dtype=np.int64)])
    if mixed:
        X, y = shuffle(X, y, random_state=generator)
    if noise is not None:
        X = X + generator.normal(scale=noise, size=X.shape)
    return X, y


def make_moons(n_samples=100, *, shuffle=True, noise=None, random_state=None):
    """Two half circles that reach into each other: points (n, 2) and their classes (n,)."""
    n_outer, n_inner = _halves(n_samples)
    generator = check_random_state(random_state)
    a, b = np.linspace(0, np.pi, n_outer), np.linspace(0, np.pi, n_inner)
    outer = np.stack([np.cos(a), np.sin(a)], axis=1)
    inner = np.stack([1 - np.cos(b), 1 - np.sin(b) - 0.5], axis=1)
    return _two_shapes(outer, inner, shuffle, noise, generator)


def make_circles(n_samples=100, *, shuffle=True, noise=None, random_state=None, factor=0.8):
    """A circle inside a circle: points (n, 2) and their classes (n,)."""
    n_outer, n_inner = _halves(n_samples)
    generator = check_random_state(random_state)
    a = np.linspace(0, 2 * np.pi, n_outer, endpoint=False)
    b = np.linspace(0, 2 * np.pi, n_inner, endpoint=False)
    outer = np.stack([np.cos(a), np.sin(a)], axis=1)
    inner = np.stack([np.cos(b) * factor, np.sin(b) * factor], axis=1)
    return _two_shapes(outer, inner, shuffle, noise, generator)


def make_blobs(
    n_samples=100,
    n_features=2,
    *,
    centers=None,
    cluster_std=1.0,
    center_box=(-10.0, 10.0),
    shuffle=True,
    random_state=None,
    return_centers=False,
):
    """Round clouds of points around centers: points (n, n_features) and the number of the cloud (n,)."""
    generator = check_random_state(random_state)
    sizes = list(n_samples) if isinstance(n_samples, _SEVERAL) else None
    if centers is None:
        centers = 3 if sizes is None else len(sizes)
    if isinstance(centers, _SEVERAL):
        centers = np.array(centers)
    else:
        centers = generator.uniform(center_box[0], center_box[1], size=(centers, n_features))
    count = len(centers)
    if sizes is None:
        sizes = [n_samples // count + (i < n_samples % count) for i in range(count)]
    elif len(sizes) != count:
        raise ValueError(
            "Length of `n_samples` not consistent with number of centers. "
            f"Got n_samples = {n_samples} and centers = {centers}"
        )
    spreads = list(cluster_std) if isinstance(cluster_std, _SEVERAL) else [cluster_std] * count
    if len(spreads) != count:
        raise ValueError(
            "Length of `clusters_std` not consistent with number of centers. "
            f"Got centers = {centers} and cluster_std = {cluster_std}"
        )
    parts = [
        generator.normal(loc=center, scale=spread, size=(size, centers.shape[1]))
        for center, spread, size in zip(centers, spreads, sizes)
    ]
    X, y = np.concatenate(parts), np.repeat(np.arange(count), sizes)
    if shuffle:
        X, y = _shuffled(X, y, generator)
    return (X, y, centers) if return_centers else (X, y)


def _shuffled(X, y, generator):
    return shuffle(X, y, random_state=generator)


def make_regression(
    n_samples=100,
    n_features=100,
    *,
    n_informative=10,
    n_targets=1,
    bias=0.0,
    effective_rank=None,
    tail_strength=0.5,
    noise=0.0,
    shuffle=True,
    coef=False,
    random_state=None,
):
    """y = X @ coefficients + bias + noise, where only `n_informative` coefficients are not 0."""
    if effective_rank is not None:
        raise ValueError("make_regression(effective_rank=...) is not supported here: leave it out")
    n_informative = min(n_features, n_informative)
    generator = check_random_state(random_state)
    X = generator.standard_normal(size=(n_samples, n_features))
    truth = np.zeros((n_features, n_targets))
    truth[:n_informative, :] = 100 * generator.uniform(size=(n_informative, n_targets))
    y = np.dot(X, truth) + bias
    if noise > 0.0:
        y = y + generator.normal(scale=noise, size=y.shape)
    if shuffle:
        X, y = _shuffled(X, y, generator)
        order = np.arange(n_features)
        generator.shuffle(order)
        X, truth = X[:, order], truth[order]
    y = np.squeeze(y)
    return (X, y, np.squeeze(truth)) if coef else (X, y)


def _corners(count, dimensions, generator):
    """`count` different corners of a cube, as rows of 0 and 1."""
    if dimensions > 30:
        left = generator.randint(2, size=(count, dimensions - 30))
        return np.concatenate([left, _corners(count, 30, generator)], axis=1)
    numbers = _without_replacement(2**dimensions, count, generator)
    return (np.array(numbers).reshape(-1, 1) >> np.arange(dimensions - 1, -1, -1)) & 1


def _without_replacement(population, count, generator):
    """`count` different numbers below `population`, drawn in the way that suits their share."""
    if count > population:
        raise ValueError(
            f"n_population should be greater or equal than n_samples, got n_samples > n_population ({count} > {population})"
        )
    share = count / population
    if 0.01 < share < 0.99:
        return list(generator.permutation(population)[:count])
    chosen = list(range(count))
    if share >= 0.2:
        for i in range(count, population):
            j = generator.randint(0, i + 1)
            if j < count:
                chosen[j] = i
        return chosen
    seen = set()
    for i in range(count):
        j = generator.randint(population)
        while j in seen:
            j = generator.randint(population)
        seen.add(j)
        chosen[i] = j
    return chosen


def make_classification(
    n_samples=100,
    n_features=20,
    *,
    n_informative=2,
    n_redundant=2,
    n_repeated=0,
    n_classes=2,
    n_clusters_per_class=2,
    weights=None,
    flip_y=0.01,
    class_sep=1.0,
    hypercube=True,
    shift=0.0,
    scale=1.0,
    shuffle=True,
    random_state=None,
):
    """Clouds around the corners of a cube, a few to each class, with features that repeat, mix or mean nothing."""
    generator = check_random_state(random_state)
    used = n_informative + n_redundant + n_repeated
    if used > n_features:
        raise ValueError(
            "Number of informative, redundant and repeated features must sum to less than the number of total features"
        )
    clusters = n_classes * n_clusters_per_class
    if n_informative < np.log2(clusters):
        raise ValueError(
            f"n_classes({n_classes}) * n_clusters_per_class({n_clusters_per_class}) must be smaller or equal "
            f"2**n_informative({n_informative})={2**n_informative}"
        )
    shares = [1.0 / n_classes] * n_classes if weights is None else list(weights)
    if len(shares) == n_classes - 1:
        shares = [*shares, 1.0 - sum(shares)]
    if len(shares) != n_classes:
        raise ValueError("Weights specified but incompatible with number of classes.")
    sizes = [int(n_samples * shares[k % n_classes] / n_clusters_per_class) for k in range(clusters)]
    for i in range(n_samples - sum(sizes)):
        sizes[i % clusters] += 1

    centers = _corners(clusters, n_informative, generator) * (2.0 * class_sep) - class_sep
    if not hypercube:
        centers = centers * generator.uniform(size=(clusters, 1))
        centers = centers * generator.uniform(size=(1, n_informative))
    X, y = np.zeros((n_samples, n_features)), np.zeros(n_samples, dtype=np.int64)
    X[:, :n_informative] = generator.standard_normal(size=(n_samples, n_informative))
    start = 0
    for k in range(clusters):
        stop = start + sizes[k]
        y[start:stop] = k % n_classes
        mixing = 2 * generator.uniform(size=(n_informative, n_informative)) - 1
        X[start:stop, :n_informative] = np.dot(X[start:stop, :n_informative], mixing) + centers[k]
        start = stop
    known = n_informative + n_redundant
    if n_redundant > 0:
        mixing = 2 * generator.uniform(size=(n_informative, n_redundant)) - 1
        X[:, n_informative:known] = np.dot(X[:, :n_informative], mixing)
    if n_repeated > 0:
        which = ((known - 1) * generator.uniform(size=n_repeated) + 0.5).astype(np.int64)
        X[:, known:used] = X[:, which]
    if n_features > used:
        X[:, used:] = generator.standard_normal(size=(n_samples, n_features - used))
    if flip_y >= 0.0:
        flipped = generator.uniform(size=n_samples) < flip_y
        y[flipped] = generator.randint(n_classes, size=int(flipped.sum()))
    if shift is None:
        shift = (2 * generator.uniform(size=n_features) - 1) * class_sep
    X = X + np.array(shift)
    if scale is None:
        scale = 1 + 100 * generator.uniform(size=n_features)
    X = X * np.array(scale)
    if shuffle:
        X, y = _shuffled(X, y, generator)
        order = np.arange(n_features)
        generator.shuffle(order)
        X = X[:, order]
    return X, y


def make_multilabel_classification(
    n_samples=100,
    n_features=20,
    *,
    n_classes=5,
    n_labels=2,
    length=50,
    allow_unlabeled=True,
    sparse=False,
    return_indicator="dense",
    return_distributions=False,
    random_state=None,
):
    """Texts as counts of their words (n, n_features), each about a few topics: (n, n_classes) with a 1 for each of its."""
    if sparse or return_indicator == "sparse":
        raise ValueError("make_multilabel_classification() makes dense arrays only here")
    generator = check_random_state(random_state)
    topics = generator.uniform(size=n_classes)
    topics = topics / topics.sum()
    words = generator.uniform(size=(n_features, n_classes))
    words = words / np.sum(words, axis=0)
    upto = np.cumsum(topics)
    X, Y = np.zeros((n_samples, n_features)), np.zeros((n_samples, n_classes), dtype=np.int64)
    of_each = []
    for i in range(n_samples):
        many = generator.poisson(n_labels)
        while many > n_classes or (many == 0 and not allow_unlabeled):
            many = generator.poisson(n_labels)
        chosen = set()
        while len(chosen) != many:
            chosen.update(np.searchsorted(upto, generator.uniform(size=many - len(chosen))).tolist())
        chosen = sorted(chosen)
        long = generator.poisson(length)
        while long == 0:
            long = generator.poisson(length)
        if chosen:
            likely = np.cumsum(np.sum(words[:, chosen], axis=1))
            drawn = np.searchsorted(likely / likely[-1], generator.uniform(size=long))
        else:
            drawn = generator.randint(n_features, size=long)
        X[i] = np.bincount(drawn, minlength=n_features)
        Y[i, chosen] = 1
        of_each.append(list(np.array(chosen, dtype=np.int64)))
    Y = Y if return_indicator else of_each
    return (X, Y, topics, words) if return_distributions else (X, Y)


def make_gaussian_quantiles(
    *, mean=None, cov=1.0, n_samples=100, n_features=2, n_classes=3, shuffle=True, random_state=None
):
    """One round cloud, cut into rings of equal size, a class each."""
    generator = check_random_state(random_state)
    mean = np.zeros(n_features) if mean is None else np.array(mean)
    X = generator.multivariate_normal(mean, cov * np.identity(n_features), (n_samples,))
    X = X[np.argsort(np.sum((X - mean) ** 2, axis=1))]
    step = n_samples // n_classes
    y = np.concatenate([np.repeat(np.arange(n_classes), step), np.repeat(n_classes - 1, n_samples - step * n_classes)])
    return _shuffled(X, y, generator) if shuffle else (X, y)


def make_swiss_roll(n_samples=100, *, noise=0.0, random_state=None, hole=False):
    """A rolled up sheet in space: points (n, 3) and how far along the roll they are (n,)."""
    generator = check_random_state(random_state)
    if hole:
        raise ValueError("make_swiss_roll(hole=True) is not supported here: leave it out")
    t = 1.5 * np.pi * (1 + 2 * generator.uniform(size=n_samples))
    y = 21 * generator.uniform(size=n_samples)
    X = np.stack([t * np.cos(t), y, t * np.sin(t)])
    X = X + noise * generator.standard_normal(size=(3, n_samples))
    return X.T, t


def make_s_curve(n_samples=100, *, noise=0.0, random_state=None):
    """A sheet bent to an S: points (n, 3) and how far along it they are (n,)."""
    generator = check_random_state(random_state)
    t = 3 * np.pi * (generator.uniform(size=(1, n_samples)) - 0.5)
    X = np.empty((n_samples, 3))
    X[:, 0] = np.sin(t)
    X[:, 1] = 2.0 * generator.uniform(size=n_samples)
    X[:, 2] = np.sign(t) * (np.cos(t) - 1)
    X = X + noise * generator.standard_normal(size=(3, n_samples)).T
    return X, np.squeeze(t)


def make_friedman1(n_samples=100, n_features=10, *, noise=0.0, random_state=None):
    """10 sin(pi a b) + 20 (c - 0.5)^2 + 10 d + 5 e + noise, of the first five features."""
    generator = check_random_state(random_state)
    X = generator.uniform(size=(n_samples, n_features))
    y = 10 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 20 * (X[:, 2] - 0.5) ** 2 + 10 * X[:, 3] + 5 * X[:, 4]
    return X, y + noise * generator.standard_normal(size=(n_samples))


def _fetched(name):
    def fetch(*args, **keywords):
        raise NotImplementedError(
            f"sklearn.datasets.{name}() does not exist here: scripts have no network; load_diabetes() and"
            " make_regression() need none"
        )

    fetch.__name__ = name
    return fetch


fetch_20newsgroups = _fetched("fetch_20newsgroups")
fetch_california_housing = _fetched("fetch_california_housing")
fetch_covtype = _fetched("fetch_covtype")
fetch_lfw_people = _fetched("fetch_lfw_people")
fetch_olivetti_faces = _fetched("fetch_olivetti_faces")
fetch_openml = _fetched("fetch_openml")
