# type: ignore
"""pandas.repeats: which of several things are there more than once."""


def repeated(things, keep="first"):
    """Whether each is there a second time: the first, the last or (keep=False) none of them is left out."""
    if keep not in ("first", "last", False):
        raise ValueError('keep must be either "first", "last" or False')
    things = ["\0none" if each is None or each != each else each for each in things]
    counts = {}
    for each in things:
        counts[each] = counts.get(each, 0) + 1
    if keep is False:
        return [counts[each] > 1 for each in things]
    seen, made = {}, []
    for place, each in enumerate(things):
        seen[each] = seen.get(each, 0) + 1
        made.append(seen[each] > 1 if keep == "first" else seen[each] < counts[each])
    return made
