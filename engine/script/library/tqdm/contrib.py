# type: ignore
"""tqdm.contrib: enumerate, zip and map, whose bars are not drawn."""


def tenumerate(iterable, start=0, total=None, tqdm_class=None, **options):
    return enumerate(iterable, start)


def tzip(iterable, *more, **options):
    return zip(iterable, *more)


def tmap(function, *sequences, **options):
    return map(function, *sequences)
