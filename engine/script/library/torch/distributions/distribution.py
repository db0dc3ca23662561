# type: ignore
"""torch.distributions.distribution: what all distributions share."""

import torch


def tensors(*values):
    """The parameters as tensors of one shape."""
    made = [value if isinstance(value, torch.Tensor) else torch.tensor(float(value)) for value in values]
    return torch.broadcast_tensors(*made)


def noise(shape, dtype):
    """Draws of Normal(0, 1)."""
    return torch.normal(torch.zeros(shape, dtype=dtype), torch.ones(shape, dtype=dtype))


class Distribution:
    """`batch_shape`: of independent distributions; `event_shape`: of one draw of one of them."""

    has_rsample = False
    _shown = ()

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        self._batch_shape, self._event_shape = torch.Size(batch_shape), torch.Size(event_shape)

    @property
    def batch_shape(self):
        return self._batch_shape

    @property
    def event_shape(self):
        return self._event_shape

    @property
    def stddev(self):
        return self.variance.sqrt()

    def _extended_shape(self, sample_shape=()):
        return torch.Size([*sample_shape, *self._batch_shape, *self._event_shape])

    def rsample(self, sample_shape=()):
        raise NotImplementedError

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return self.rsample(sample_shape)

    def log_prob(self, value):
        raise NotImplementedError

    def entropy(self):
        raise NotImplementedError

    def perplexity(self):
        return torch.exp(self.entropy())

    def check(self, name, value, valid, constraint):
        if not valid.all():
            raise ValueError(
                f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution "
                f"{self!r} to satisfy the constraint {constraint}, but found invalid values:\n{value}"
            )

    def __repr__(self):
        parts = []
        for name in self._shown:
            value = getattr(self, name)
            parts.append(f"{name}: {value if value.numel() == 1 else value.size()}")
        return f"{type(self).__name__}({', '.join(parts)})"


class LocScale(Distribution):
    """What stands around `loc`, as wide as `scale`."""

    has_rsample = True
    _shown = ("loc", "scale")

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = tensors(loc, scale)
        super().__init__(self.loc.size())
        self.check("scale", self.scale, self.scale > 0, "GreaterThan(lower_bound=0.0)")
