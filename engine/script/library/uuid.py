# type: ignore
"""uuid: names that no two calls of a run share; they are the same in every run, and draw from no random stream."""

from hashlib import md5

_given = [0]


class UUID:
    def __init__(self, hex):
        self.hex = hex.replace("-", "")
        if len(self.hex) != 32:
            raise ValueError("badly formed hexadecimal UUID string")
        self.int = int(self.hex, 16)

    def __str__(self):
        ends = (0, 8, 12, 16, 20, 32)
        return "-".join([self.hex[start:end] for start, end in zip(ends, ends[1:])])

    def __repr__(self):
        return f"UUID({str(self)!r})"

    def __eq__(self, other):
        return isinstance(other, UUID) and self.hex == other.hex

    def __hash__(self):
        return hash(self.hex)


def uuid4():
    _given[0] += 1
    made = md5(str(_given[0]).encode()).hexdigest()
    return UUID(made[:12] + "4" + made[13:16] + "89ab"[int(made[16], 16) % 4] + made[17:])


uuid1 = uuid4
