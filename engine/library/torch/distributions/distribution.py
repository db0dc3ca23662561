# type: ignore
"""torch.distributions.distribution: what all distributions share."""

import _likely
import copy
import warnings

import torch
import torch.distributions.constraints as constraints


def tensors(*values):
    """The parameters as tensors of one shape."""
    made = _likely.together(values)
    if made is not None:
        return made
    if not all(isinstance(value, (torch.Tensor, int, float)) for value in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__."
        )
    made = [value if isinstance(value, torch.Tensor) else torch.tensor(float(value)) for value in values]
    return torch.broadcast_tensors(*made)


def noise(shape, dtype):
    """Draws of Normal(0, 1)."""
    return torch.normal(torch.zeros(shape, dtype=dtype), torch.ones(shape, dtype=dtype))


class Distribution:
    """`batch_shape`: of independent distributions; `event_shape`: of one draw of one of them."""

    has_rsample = False
    _shown = ()
    _validate_args = True
    arg_constraints = {}

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        if validate_args is not None:
            self._validate_args = validate_args
        self._batch_shape, self._event_shape = torch.Size(batch_shape), torch.Size(event_shape)
        for name, constraint in self.arg_constraints.items():
            if self._validate_args and name in vars(self) and not constraint._within(vars(self)[name]):
                self.check(name, vars(self)[name], constraint.check(vars(self)[name]), constraint)

    @property
    def batch_shape(self):
        return self._batch_shape

    @property
    def event_shape(self):
        return self._event_shape

    @property
    def mean(self):
        raise NotImplementedError

    @property
    def mode(self):
        raise NotImplementedError(f"{self.__class__} does not implement mode")

    @property
    def variance(self):
        raise NotImplementedError

    @property
    def stddev(self):
        return self.variance.sqrt()

    def _extended_shape(self, sample_shape=()):
        if isinstance(sample_shape, tuple) and not sample_shape:
            return self._batch_shape + self._event_shape
        return torch.Size([*torch.Size(sample_shape), *self._batch_shape, *self._event_shape])

    def rsample(self, sample_shape=()):
        raise NotImplementedError

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return self.rsample(sample_shape)

    def sample_n(self, n):
        warnings.warn("`sample_n(n)` will be deprecated. Use `sample((n,))` instead.", FutureWarning)
        return self.sample(torch.Size((n,)))

    def expand(self, batch_shape, _instance=None):
        """The same, once for every element of a larger batch."""
        whole = torch.Size(batch_shape)
        made = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, torch.Tensor):
                more = value.shape[len(self._batch_shape) :]
                setattr(made, name, value.expand(whole + more))
            elif isinstance(value, Distribution):
                more = value.batch_shape[len(self._batch_shape) :]
                setattr(made, name, value.expand(whole + more))
        made._batch_shape = whole
        return made

    def log_prob(self, value):
        raise NotImplementedError

    def cdf(self, value):
        raise NotImplementedError

    def icdf(self, value):
        raise NotImplementedError

    def entropy(self):
        raise NotImplementedError

    def perplexity(self):
        return torch.exp(self.entropy())

    @staticmethod
    def set_default_validate_args(value):
        if value not in [True, False]:
            raise ValueError
        Distribution._validate_args = value

    def _validate_sample(self, value):
        """Raises ValueError unless `value` can be drawn."""
        if not self._validate_args or self.support._within(value, self._batch_shape, self._event_shape):
            return
        if not isinstance(value, torch.Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        shape, event = value.size(), self._event_shape
        if shape[len(shape) - len(event) :] != event:
            raise ValueError(f"The right-most size of value must match event_shape: {shape} vs {event}.")
        whole = self._batch_shape + event
        if any(i != 1 and j != 1 and i != j for i, j in zip(reversed(shape), reversed(whole))):
            raise ValueError(f"Value is not broadcastable with batch_shape+event_shape: {shape} vs {whole}.")
        with torch.no_grad():
            fine = self.support.check(value).all()
        if not fine:
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(shape)}) to be within the support "
                f"({self.support!r}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    def check(self, name, value, valid, constraint):
        if self._validate_args and not valid.all():
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
    support = constraints.real
    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}

    def _stand(self, loc, scale, validate_args):
        self.loc, self.scale = tensors(loc, scale)
        Distribution.__init__(self, self.loc.size(), validate_args=validate_args)
