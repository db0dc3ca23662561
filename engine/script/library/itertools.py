# type: ignore
"""itertools, what is not in surface/collections.py."""


def groupby(iterable, key=None):
    group = []
    for item in iterable:
        value = item if key is None else key(item)
        if group and value != last:
            yield last, iter(group)
            group = []
        last = value
        group.append(item)
    if group:
        yield last, iter(group)


def pairwise(iterable):
    items = iter(iterable)
    for before in items:
        for item in items:
            yield before, item
            before = item


def compress(data, selectors):
    for item, wanted in zip(data, selectors):
        if wanted:
            yield item


def filterfalse(function, iterable):
    for item in iterable:
        if not (item if function is None else function(item)):
            yield item


def tee(iterable, n=2):
    items = list(iterable)
    return tuple(iter(list(items)) for _ in range(n))
