# type: ignore
"""pandas.merged: the rows of two tables side by side, by the values of columns or by their labels."""

import numpy as np
from pandas.alignment import same_labels
from pandas.errors import MergeError
from pandas.labels import Labels
from pandas.together import once, picked


def _check(how):
    """Refuse ways to join that are none, or none here."""
    if how not in ("left", "right", "inner", "outer"):
        raise ValueError(
            f"'{how}' is not a valid Merge type: left, right, inner, outer, left_anti, right_anti, cross, asof"
        )


def merge(
    left, right, how="inner", on=None, left_on=None, right_on=None, left_index=False, right_index=False, sort=False,
    suffixes=("_x", "_y"), copy=None, indicator=False, validate=None,
):  # fmt: skip
    """The rows of two tables that share the values of some columns, or labels, side by side; all with all where `how` is
    "cross"."""
    if hasattr(right, "to_frame"):
        right = right.to_frame()
    if left_index or right_index:
        return _by_index(left, right, how, left_on, right_on, left_index, right_index, suffixes)
    if how == "cross":
        if on is not None or left_on is not None or right_on is not None:
            raise MergeError("Can not pass on, right_on, left_on or set right_index=True or left_index=True")
        pairs = [(i, j) for i in range(len(left)) for j in range(len(right))]
        return _beside(left, right, pairs, suffixes, [])
    _check(how)
    if on is None and left_on is None:
        on = [name for name in left.columns if name in right]
        if not on:
            raise ValueError("No common columns to perform merge on.")
    ours = on if left_on is None else left_on
    theirs = on if right_on is None else right_on
    ours, theirs = [[keys] if isinstance(keys, str) else list(keys) for keys in (ours, theirs)]
    lost = [name for name in ours if name not in left] + [name for name in theirs if name not in right]
    if lost:
        raise KeyError(lost[0])
    a = list(zip(*[left[name].tolist() for name in ours]))
    b = list(zip(*[right[name].tolist() for name in theirs]))
    found = {}
    for place, key in enumerate(b):
        found.setdefault(key, []).append(place)
    if how == "right":
        mine = {}
        for place, key in enumerate(a):
            mine.setdefault(key, []).append(place)
        pairs = [(i, j) for j, key in enumerate(b) for i in mine.get(key, [None])]
    else:
        alone = [None] if how in ("left", "outer") else []
        pairs = [(i, j) for i, key in enumerate(a) for j in found.get(key, alone)]
    if how == "outer":
        known = set(a)
        pairs += [(None, j) for j, key in enumerate(b) if key not in known]
        pairs.sort(key=lambda pair: b[pair[1]] if pair[0] is None else a[pair[0]])
    shared = [name for name, other in zip(ours, theirs) if name == other]
    made = _beside(left, right, pairs, suffixes, shared)
    if indicator:
        made[indicator if isinstance(indicator, str) else "_merge"] = _sides(pairs)
    return made


def _sides(pairs):
    """Where each row comes from."""
    from pandas.categories import Categorical

    found = ["right_only" if i is None else "left_only" if j is None else "both" for i, j in pairs]
    return Categorical(found, ["left_only", "right_only", "both"])


def _by_index(left, right, how, left_on, right_on, left_index, right_index, suffixes):
    """merge() by the labels of one table or of both."""
    both = [name for name in left.columns if name in right]
    mine, theirs = ({name: f"{name}{suffix}" for name in both} for suffix in suffixes)
    left, right = left.rename(columns=mine), right.rename(columns=theirs)
    if left_index and right_index:
        return left.join(right, how=how)
    if right_index:
        return left.join(right, on=mine.get(left_on, left_on), how=how)
    made = right.join(left, on=theirs.get(right_on, right_on), how={"left": "right", "right": "left"}.get(how, how))
    return made[[*left.columns, *right.columns]]


def _beside(left, right, pairs, suffixes, shared):
    """Rows of two tables side by side, by their places; the columns of `shared` once."""
    from pandas.frame import DataFrame

    first, second = [i for i, _ in pairs], [j for _, j in pairs]
    made = {}
    for name, values in left._columns.items():
        if name in shared:
            mine, theirs = values.tolist(), right._columns[name].tolist()
            cells = [theirs[j] if i is None else mine[i] for i, j in pairs]
            made[name] = np.array(cells, dtype=values.dtype) if values.dtype.kind != "U" else cells
        else:
            made[f"{name}{suffixes[0]}" if name in right else name] = picked(values, first)
    for name, values in right._columns.items():
        if name not in shared:
            made[f"{name}{suffixes[1]}" if name in left else name] = picked(values, second)
    return DataFrame(made)


def joined_by_labels(left, right, on=None, how="left", lsuffix="", rsuffix=""):
    """DataFrame.join(): the columns of `right` beside those of `left`, where their labels are the same."""
    from pandas.frame import DataFrame

    if isinstance(right, (list, tuple)):
        raise NotImplementedError("join() of several tables is not supported in scripts here")
    if not hasattr(right, "_columns"):
        right = right.to_frame()
    _check(how)
    both = [name for name in left.columns if name in right]
    if both and not lsuffix and not rsuffix:
        raise ValueError(f"columns overlap but no suffix specified: {Labels(both)!r}")
    ours = list(left.index) if on is None else left[on].tolist()
    theirs = list(right.index)
    here, there = {}, {}
    for labels, known in ((ours, here), (theirs, there)):
        for place, label in enumerate(labels):
            known.setdefault(label, []).append(place)
    if how == "outer":
        labels = sorted({**here, **there})
        pairs = [(i, j) for label in labels for i in here.get(label, [None]) for j in there.get(label, [None])]
    elif how == "right":
        pairs = [(i, j) for j, label in enumerate(theirs) for i in here.get(label, [None])]
    else:
        pairs = [(i, j) for i, label in enumerate(ours) for j in there.get(label, [None] * (how == "left"))]
    first, second = [i for i, _ in pairs], [j for _, j in pairs]
    columns = [(f"{n}{lsuffix}" if n in both else n, picked(part, first)) for n, part in left._columns.items()]
    columns += [(f"{n}{rsuffix}" if n in both else n, picked(part, second)) for n, part in right._columns.items()]
    if on is not None and None not in first:
        return DataFrame(once(columns), index=left.index.at(first))
    if same_labels(left.index, right.index) and len(pairs) == len(left):
        return DataFrame(once(columns), index=left.index)
    name = right.index.name if how == "right" else left.index.name
    return DataFrame(once(columns), index=Labels([theirs[j] if i is None else ours[i] for i, j in pairs], name))
