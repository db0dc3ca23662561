# type: ignore
"""What hooks make of the objects that json.loads() has read."""


def hooked(value, hook, pairs_hook):
    """`value` with its objects as a hook makes them, the inner ones first."""
    if isinstance(value, list):
        return [hooked(each, hook, pairs_hook) for each in value]
    if not isinstance(value, tuple):  # an object, as its pairs
        return value
    pairs = [(key, hooked(each, hook, pairs_hook)) for key, each in value]
    return pairs_hook(pairs) if pairs_hook is not None else hook(dict(pairs))
