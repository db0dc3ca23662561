# type: ignore
"""torch.distributions.constraints: which values a distribution can have."""

import _likely


class Constraint:
    """`check(value)` says of each event whether it is one that can be; an event has `event_dim` dimensions. `_kind`:
    what engine/ops/likely.py calls values that can be, where it knows them."""

    _kind = None

    def __init__(self, shown, check, event_dim=0, is_discrete=False):
        self._shown, self.check, self.event_dim, self.is_discrete = shown, check, event_dim, is_discrete

    def _within(self, value, *sizes):
        """Whether all of a tensor is known to be what can be."""
        return self._kind is not None and _likely.within(value, self._kind, *sizes)

    def __repr__(self):
        return self._shown


def greater_than(lower_bound):
    return Constraint(f"GreaterThan(lower_bound={lower_bound})", lambda value: lower_bound < value)


def greater_than_eq(lower_bound):
    return Constraint(f"GreaterThanEq(lower_bound={lower_bound})", lambda value: lower_bound <= value)


def less_than(upper_bound):
    return Constraint(f"LessThan(upper_bound={upper_bound})", lambda value: value < upper_bound)


def interval(lower_bound, upper_bound):
    return Constraint(
        f"Interval(lower_bound={lower_bound}, upper_bound={upper_bound})",
        lambda value: (lower_bound <= value) & (value <= upper_bound),
    )


def integer_interval(lower_bound, upper_bound):
    return Constraint(
        f"IntegerInterval(lower_bound={lower_bound}, upper_bound={upper_bound})",
        lambda value: (value % 1 == 0) & (lower_bound <= value) & (value <= upper_bound),
        is_discrete=True,
    )


def multinomial(upper_bound):
    return Constraint(
        "Multinomial()", lambda value: (value >= 0).all(-1) & (value.sum(-1) <= upper_bound), 1, is_discrete=True
    )


def independent(base_constraint, reinterpreted_batch_ndims):
    """Fulfilled where all of some last dimensions fulfil `base_constraint`."""

    def check(value):
        fine = base_constraint.check(value)
        return fine.reshape(fine.shape[: fine.dim() - reinterpreted_batch_ndims] + (-1,)).all(-1)

    return Constraint(
        f"IndependentConstraint({base_constraint}, {reinterpreted_batch_ndims})",
        check,
        base_constraint.event_dim + reinterpreted_batch_ndims,
        base_constraint.is_discrete,
    )


real = Constraint("Real()", lambda value: value == value)
real_vector = independent(real, 1)
positive, nonnegative, unit_interval = greater_than(0.0), greater_than_eq(0.0), interval(0.0, 1.0)
boolean = Constraint("Boolean()", lambda value: (value == 0) | (value == 1), is_discrete=True)
nonnegative_integer = Constraint(
    "IntegerGreaterThan(lower_bound=0)", lambda value: (value % 1 == 0) & (value >= 0), is_discrete=True
)
simplex = Constraint("Simplex()", lambda value: (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6), 1)
one_hot = Constraint(
    "OneHot()", lambda value: ((value == 0) | (value == 1)).all(-1) & (value.sum(-1) == 1), 1, is_discrete=True
)

for _kind, _each in (
    ("real", real),
    ("positive", positive),
    ("nonnegative", nonnegative),
    ("share", unit_interval),
    ("boolean", boolean),
    ("count", nonnegative_integer),
):
    _each._kind = _kind
