# type: ignore
"""Distributions that few scripts draw from."""

import math

import torch
import torch.distributions.constraints as constraints
from torch.distributions.continuous import Cauchy, Gamma
from torch.distributions.discrete import Bernoulli, OfProbabilities
from torch.distributions.distribution import Distribution, tensors

_EULER = 0.57721566490153286060


class Pareto(Distribution):
    """Of what has a least value, `scale`: the share above y falls as y ** -alpha."""

    has_rsample = True
    _shown = ("alpha", "scale")
    arg_constraints = {"alpha": constraints.positive, "scale": constraints.positive}

    def __init__(self, scale, alpha, validate_args=None):
        self.scale, self.alpha = tensors(scale, alpha)
        super().__init__(self.scale.size(), validate_args=validate_args)

    @property
    def support(self):
        return constraints.greater_than_eq(self.scale)

    @property
    def mean(self):
        a = self.alpha.clamp(min=1)
        return a * self.scale / (a - 1)

    @property
    def mode(self):
        return self.scale

    @property
    def variance(self):
        a = self.alpha.clamp(min=2)
        return self.scale.pow(2) * a / ((a - 1).pow(2) * (a - 2))

    def rsample(self, sample_shape=()):
        waited = torch.empty(self._extended_shape(sample_shape), dtype=self.scale.dtype).exponential_() / self.alpha
        return 0 + self.scale * waited.exp()

    def log_prob(self, value):
        self._validate_sample(value)
        times = (value / self.scale).log()
        return -self.scale.abs().log() - times + (self.alpha.log() - self.alpha * times)

    def entropy(self):
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())


class Weibull(Distribution):
    """Lifetimes of what ages: waiting times to the power of 1 / concentration."""

    has_rsample = True
    support = constraints.positive
    _shown = ("scale", "concentration")
    arg_constraints = {"scale": constraints.positive, "concentration": constraints.positive}

    def __init__(self, scale, concentration, validate_args=None):
        self.scale, self.concentration = tensors(scale, concentration)
        self.concentration_reciprocal = self.concentration.reciprocal()
        super().__init__(self.scale.size(), validate_args=validate_args)

    @property
    def mean(self):
        return self.scale * torch.exp(torch.lgamma(1 + self.concentration_reciprocal))

    @property
    def variance(self):
        once, twice = (torch.lgamma(1 + n * self.concentration_reciprocal) for n in (1, 2))
        return self.scale.pow(2) * (torch.exp(twice) - torch.exp(2 * once))

    def rsample(self, sample_shape=()):
        waited = torch.empty(self._extended_shape(sample_shape), dtype=self.scale.dtype).exponential_()
        return 0 + self.scale * waited.pow(self.concentration_reciprocal)

    def log_prob(self, value):
        self._validate_sample(value)
        power, lived = self.concentration_reciprocal, value / self.scale
        waited = lived.pow(1 / power)
        return -self.scale.abs().log() - (power * lived / waited).abs().log() - waited

    def entropy(self):
        return _EULER * (1 - self.concentration_reciprocal) + torch.log(self.scale * self.concentration_reciprocal) + 1


class InverseGamma(Distribution):
    """One over a draw of Gamma(concentration, rate)."""

    has_rsample = True
    support = constraints.positive
    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}

    def __init__(self, concentration, rate, validate_args=None):
        self.base_dist = Gamma(concentration, rate, validate_args=validate_args)
        super().__init__(self.base_dist.batch_shape, validate_args=validate_args)

    @property
    def concentration(self):
        return self.base_dist.concentration

    @property
    def rate(self):
        return self.base_dist.rate

    @property
    def mean(self):
        a = self.concentration
        return torch.where(a > 1, self.rate / (a - 1), torch.inf)

    @property
    def mode(self):
        return self.rate / (self.concentration + 1)

    @property
    def variance(self):
        a = self.concentration
        return torch.where(a > 2, self.rate.square() / ((a - 1).square() * (a - 2)), torch.inf)

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape).pow(-torch.ones((), dtype=self.rate.dtype))

    def log_prob(self, value):
        self._validate_sample(value)
        inverse = value.pow(-1)
        return -(-value / inverse).abs().log() + self.base_dist.log_prob(inverse)

    def entropy(self):
        a = self.concentration
        return a + self.rate.log() + a.lgamma() - (1 + a) * a.digamma()


class HalfCauchy(Distribution):
    """The absolute value of Cauchy(0, scale)."""

    has_rsample = True
    support = constraints.nonnegative
    arg_constraints = {"scale": constraints.positive}

    def __init__(self, scale, validate_args=None):
        self.base_dist = Cauchy(0, scale, validate_args=False)
        super().__init__(self.base_dist.batch_shape, validate_args=validate_args)
        if self._validate_args:
            self.check("scale", self.scale, self.scale > 0, constraints.positive)

    @property
    def scale(self):
        return self.base_dist.scale

    @property
    def mean(self):
        return torch.full(self._extended_shape(), math.inf, dtype=self.scale.dtype)

    variance = mean

    @property
    def mode(self):
        return torch.zeros_like(self.scale)

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape).abs()

    def log_prob(self, value):
        self._validate_sample(value)
        value = torch.as_tensor(value, dtype=self.scale.dtype)
        inside = self.base_dist.log_prob(value) + math.log(2)
        return torch.where(value >= 0, inside, -math.inf)

    def entropy(self):
        return self.base_dist.entropy() - math.log(2)


class NegativeBinomial(OfProbabilities):
    """How many succeed, each with probability `probs`, until `total_count` have failed."""

    support = constraints.nonnegative_integer

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        value = self._given(probs, logits)
        self.total_count, value = torch.broadcast_tensors(torch.as_tensor(total_count).type_as(value), value)
        if logits is None:
            self._probs = value
            self.check("probs", value, (value >= 0) & (value < 1), "HalfOpenInterval(lower_bound=0.0, upper_bound=1.0)")
        else:
            self._logits = value
        super().__init__(value.size(), validate_args=validate_args)
        self.check("total_count", self.total_count, self.total_count >= 0, "GreaterThanEq(lower_bound=0)")

    probs, logits = Bernoulli.probs, Bernoulli.logits

    @property
    def _shown(self):
        return ["total_count", *super()._shown]

    @property
    def mean(self):
        return self.total_count * torch.exp(self.logits)

    @property
    def variance(self):
        return self.mean / torch.sigmoid(-self.logits)

    def sample(self, sample_shape=()):
        with torch.no_grad():
            rates = Gamma(self.total_count, torch.exp(-self.logits), validate_args=False)
            return torch.poisson(rates.sample(sample_shape))

    def log_prob(self, value):
        self._validate_sample(value)
        n, logits = self.total_count, self.logits
        tried = n * torch.nn.functional.logsigmoid(-logits) + value * torch.nn.functional.logsigmoid(logits)
        ways = -torch.lgamma(n + value) + torch.lgamma(1.0 + value) + torch.lgamma(n)
        return tried - ways.masked_fill(n + value == 0.0, 0.0)
