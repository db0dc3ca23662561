# type: ignore
"""json: what is not in surface/text.py."""


def dump(obj, fp, **options):
    from json import dumps

    fp.write(dumps(obj, **options))


def load(fp, **options):
    from json import loads

    return loads(fp.read(), **options)


class JSONEncoder:
    """A base for encoders that know more kinds of values: `default(value)` gives what can be written."""

    def __init__(self, **options):
        self.options = options

    def default(self, o):
        raise TypeError(f"Object of type {type(o).__name__} is not JSON serializable")

    def encode(self, o):
        from json import dumps

        return dumps(o, default=self.default)
