# type: ignore
"""secrets: a script's chances are those of its run, so that it can be played again; none of them is a secret."""

import random as _random

_source = _random.Random(20)


def token_bytes(nbytes=None):
    return bytes([_source.randrange(256) for _ in range(32 if nbytes is None else nbytes)])


def token_hex(nbytes=None):
    return token_bytes(nbytes).hex()


def token_urlsafe(nbytes=None):
    from base64 import urlsafe_b64encode

    return urlsafe_b64encode(token_bytes(nbytes)).rstrip(b"=").decode("ascii")


def choice(sequence):
    return _source.choice(sequence)


def randbelow(exclusive_upper_bound):
    if exclusive_upper_bound <= 0:
        raise ValueError("Upper bound must be positive.")
    return _source.randrange(exclusive_upper_bound)


def randbits(k):
    return _source.getrandbits(k)


def compare_digest(a, b):
    return type(a) is type(b) and a == b
