# type: ignore
"""Distributions that few scripts draw from, most of them made of others."""

import math

import torch
import torch.distributions.constraints as constraints
from torch.distributions.continuous import Cauchy, Gamma
from torch.distributions.discrete import Bernoulli, OfProbabilities
from torch.distributions.distribution import Distribution, tensors
from torch.distributions.made import AffineTransform, ExpTransform, Transform, TransformedDistribution
from torch.nn.functional import logsigmoid, softplus

_EULER = 0.57721566490153286060


class PowerTransform(Transform):
    """x ** exponent, of positive numbers."""

    domain = codomain = constraints.positive

    def __init__(self, exponent, cache_size=0):
        super().__init__(cache_size)
        (self.exponent,) = tensors(exponent)

    def _call(self, x):
        return x.pow(self.exponent)

    def _inverse(self, y):
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x, y):
        return (self.exponent * y / x).abs().log()


class AbsTransform(Transform):
    """|x|; of the two numbers that it could have come from, the inverse is the positive one."""

    bijective = False
    codomain = constraints.positive

    def _call(self, x):
        return x.abs()

    def _inverse(self, y):
        return y


class SoftplusTransform(Transform):
    """log(1 + exp(x))."""

    codomain = constraints.positive

    def _call(self, x):
        return softplus(x)

    def _inverse(self, y):
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x, y):
        return -softplus(-x)


class Weibull(TransformedDistribution):
    """Times until something fails, sooner or later with its age."""

    support = constraints.positive
    _shown = ("scale", "concentration")
    arg_constraints = {"scale": constraints.positive, "concentration": constraints.positive}

    def __init__(self, scale, concentration, validate_args=None):
        from torch.distributions import Exponential

        self.scale, self.concentration = tensors(scale, concentration)
        self.concentration_reciprocal = self.concentration.reciprocal()
        through = [PowerTransform(self.concentration_reciprocal), AffineTransform(0, self.scale)]
        super().__init__(Exponential(torch.ones_like(self.scale), validate_args), through, validate_args)

    @property
    def mean(self):
        return self.scale * torch.exp(torch.lgamma(1 + self.concentration_reciprocal))

    @property
    def mode(self):
        return self.scale * ((self.concentration - 1) / self.concentration) ** self.concentration_reciprocal

    @property
    def variance(self):
        second = torch.exp(torch.lgamma(1 + 2 * self.concentration_reciprocal))
        return self.scale.pow(2) * (second - torch.exp(2 * torch.lgamma(1 + self.concentration_reciprocal)))

    def entropy(self):
        reciprocal = self.concentration_reciprocal
        return _EULER * (1 - reciprocal) + torch.log(self.scale * reciprocal) + 1


class Pareto(TransformedDistribution):
    """What a few have most of: from `scale` on, with a tail of the power `alpha`."""

    _shown = ("alpha", "scale")
    arg_constraints = {"alpha": constraints.positive, "scale": constraints.positive}

    def __init__(self, scale, alpha, validate_args=None):
        from torch.distributions import Exponential

        self.scale, self.alpha = tensors(scale, alpha)
        through = [ExpTransform(), AffineTransform(0, self.scale)]
        super().__init__(Exponential(self.alpha, validate_args), through, validate_args)

    @property
    def support(self):
        return constraints.greater_than_eq(self.scale)

    @property
    def mean(self):
        alpha = self.alpha.clamp(min=1)
        return alpha * self.scale / (alpha - 1)

    @property
    def mode(self):
        return self.scale

    @property
    def variance(self):
        alpha = self.alpha.clamp(min=2)
        return self.scale.pow(2) * alpha / ((alpha - 1).pow(2) * (alpha - 2))

    def entropy(self):
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())


class Kumaraswamy(TransformedDistribution):
    """Shares between 0 and 1, much like Beta's."""

    support = constraints.unit_interval
    _shown = ("concentration1", "concentration0")
    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}

    def __init__(self, concentration1, concentration0, validate_args=None):
        from torch.distributions import Uniform

        self.concentration1, self.concentration0 = tensors(concentration1, concentration0)
        low, high = torch.full_like(self.concentration0, 0), torch.full_like(self.concentration0, 1)
        through = [
            PowerTransform(self.concentration0.reciprocal()),
            AffineTransform(1.0, -1.0),
            PowerTransform(self.concentration1.reciprocal()),
        ]
        super().__init__(Uniform(low, high, validate_args), through, validate_args)

    def _moment(self, n):
        first, last = 1 + n / self.concentration1, self.concentration0
        return last * torch.exp(torch.lgamma(first) + torch.lgamma(last) - torch.lgamma(first + last))

    @property
    def mean(self):
        return self._moment(1)

    @property
    def mode(self):
        one, zero = self.concentration1, self.concentration0
        found = zero.reciprocal() * (-zero).log1p() - (-zero * one).log1p()
        return found.masked_fill((zero < 1) | (one < 1), math.nan).exp()

    @property
    def variance(self):
        return self._moment(2) - torch.pow(self.mean, 2)

    def entropy(self):
        one, zero = self.concentration1, self.concentration0
        harmonic = torch.digamma(zero + 1) + _EULER
        return (1 - zero.reciprocal()) + (1 - one.reciprocal()) * harmonic - torch.log(one) - torch.log(zero)


class InverseGamma(TransformedDistribution):
    """One over a draw of Gamma(concentration, rate)."""

    support = constraints.positive

    def __init__(self, concentration, rate, validate_args=None):
        base = Gamma(concentration, rate, validate_args)
        super().__init__(base, PowerTransform(-base.rate.new_ones(())), validate_args)

    @property
    def concentration(self):
        return self.base_dist.concentration

    @property
    def rate(self):
        return self.base_dist.rate

    @property
    def mean(self):
        found = self.rate / (self.concentration - 1)
        return torch.where(self.concentration > 1, found, torch.full_like(found, math.inf))

    @property
    def mode(self):
        return self.rate / (self.concentration + 1)

    @property
    def variance(self):
        away = self.concentration - 1
        found = self.rate.square() / (away.square() * (self.concentration - 2))
        return torch.where(self.concentration > 2, found, torch.full_like(found, math.inf))

    def entropy(self):
        a = self.concentration
        return a + self.rate.log() + a.lgamma() - (1 + a) * a.digamma()


class HalfCauchy(Distribution):
    """The absolute value of Cauchy(0, scale)."""

    has_rsample = True
    support = constraints.nonnegative
    arg_constraints = {"scale": constraints.positive}

    def __init__(self, scale, validate_args=None):
        (self.scale,) = tensors(scale)
        self.base_dist = Cauchy(torch.zeros_like(self.scale), self.scale, False)
        super().__init__(self.scale.size(), validate_args=validate_args)

    @property
    def mean(self):
        return torch.full(self._extended_shape(), math.inf, dtype=self.scale.dtype)

    @property
    def mode(self):
        return torch.zeros_like(self.scale)

    variance = mean

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape).abs()

    def log_prob(self, value):
        self._validate_sample(value)
        value = torch.as_tensor(value, dtype=self.scale.dtype)
        found = self.base_dist.log_prob(value) + math.log(2)
        return torch.where(value >= 0, found, torch.full_like(found, -math.inf))

    def cdf(self, value):
        self._validate_sample(value)
        return 2 * (torch.atan(value / self.scale) / math.pi + 0.5) - 1

    def icdf(self, prob):
        return torch.tan(math.pi * ((prob + 1) / 2 - 0.5)) * self.scale

    def entropy(self):
        return self.base_dist.entropy() - math.log(2)


_BELOW_ONE = constraints.Constraint(
    "HalfOpenInterval(lower_bound=0.0, upper_bound=1.0)", lambda value: (value >= 0) & (value < 1)
)


class NegativeBinomial(OfProbabilities):
    """How often it succeeds, with `probs`, before it has failed `total_count` times."""

    support = constraints.nonnegative_integer
    arg_constraints = {"total_count": constraints.greater_than_eq(0)}

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        given = self._given(probs, logits)
        self.total_count, given = tensors(total_count, given)
        self.total_count = self.total_count.type_as(given)
        if logits is None:
            self._probs = given
        else:
            self._logits = given
        super().__init__(given.size(), validate_args=validate_args)
        if logits is None:
            self.check("probs", given, _BELOW_ONE.check(given), _BELOW_ONE)
        else:
            self._check_logits()

    @property
    def _shown(self):
        return ["total_count", *super()._shown]

    probs, logits = Bernoulli.probs, Bernoulli.logits

    @property
    def mean(self):
        return self.total_count * torch.exp(self.logits)

    @property
    def mode(self):
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self):
        return self.mean / torch.sigmoid(-self.logits)

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return torch.poisson(Gamma(self.total_count, torch.exp(-self.logits), False).sample(sample_shape))

    def log_prob(self, value):
        self._validate_sample(value)
        count, logits = self.total_count, self.logits
        ways = -torch.lgamma(count + value) + torch.lgamma(1.0 + value) + torch.lgamma(count)
        ways = ways.masked_fill(count + value == 0.0, 0.0)
        return count * logsigmoid(-logits) + value * logsigmoid(logits) - ways
