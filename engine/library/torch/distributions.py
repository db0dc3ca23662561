# type: ignore
"""torch.distributions: the distributions that training scripts draw from."""

import math

import torch
import torch.distributions.constraints as constraints
from torch.distributions.continuous import *
from torch.distributions.discrete import *
from torch.distributions.distribution import Distribution, LocScale, noise, tensors
from torch.distributions.made import *
from torch.distributions.seldom import *

_EULER = 0.57721566490153286060
_OF_A_BELL = 0.5 * (1 + math.log(2 * math.pi))


class Normal(LocScale):
    """A bell around `loc` with standard deviation `scale`."""

    def __init__(self, loc, scale, validate_args=None):
        self._stand(loc, scale, validate_args)

    @property
    def mean(self):
        return self.loc

    @property
    def mode(self):
        return self.loc

    @property
    def stddev(self):
        return self.scale

    @property
    def variance(self):
        return self.stddev.pow(2)

    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        return self.loc + noise(shape, self.loc.dtype) * self.scale

    def log_prob(self, value):
        self._validate_sample(value)
        variance = self.scale**2
        return -((value - self.loc) ** 2) / (2 * variance) - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value):
        self._validate_sample(value)
        return 0.5 * (1 + torch.erf((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))

    def icdf(self, value):
        return self.loc + self.scale * torch.erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + torch.log(self.scale)


class Uniform(Distribution):
    """Every number from `low` up to `high` alike."""

    has_rsample = True
    _shown = ("low", "high")

    @property
    def arg_constraints(self):
        return {"low": constraints.less_than(self.high), "high": constraints.greater_than(self.low)}

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = tensors(low, high)
        super().__init__(self.low.size(), validate_args=validate_args)

    @property
    def support(self):
        return constraints.interval(self.low, self.high)

    @property
    def mean(self):
        return (self.high + self.low) / 2

    @property
    def variance(self):
        return (self.high - self.low).pow(2) / 12

    def rsample(self, sample_shape=()):
        drawn = torch.rand(self._extended_shape(sample_shape), dtype=self.low.dtype)
        return self.low + drawn * (self.high - self.low)

    def log_prob(self, value):
        self._validate_sample(value)
        inside = self.low.le(value).type_as(self.low) * self.high.gt(value).type_as(self.low)
        return torch.log(inside) - torch.log(self.high - self.low)

    def cdf(self, value):
        self._validate_sample(value)
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def icdf(self, value):
        return value * (self.high - self.low) + self.low

    def entropy(self):
        return torch.log(self.high - self.low)


class Exponential(Distribution):
    """Waiting times at a `rate`."""

    support = constraints.nonnegative

    has_rsample = True
    _shown = ("rate",)
    arg_constraints = {"rate": constraints.positive}

    def __init__(self, rate, validate_args=None):
        (self.rate,) = tensors(rate)
        super().__init__(self.rate.size(), validate_args=validate_args)

    @property
    def mean(self):
        return self.rate.reciprocal()

    @property
    def variance(self):
        return self.rate.pow(-2)

    def rsample(self, sample_shape=()):
        return torch.empty(self._extended_shape(sample_shape), dtype=self.rate.dtype).exponential_() / self.rate

    def log_prob(self, value):
        self._validate_sample(value)
        return self.rate.log() - self.rate * value

    def cdf(self, value):
        self._validate_sample(value)
        return 1 - torch.exp(-self.rate * value)

    def icdf(self, value):
        return -torch.log1p(-value) / self.rate

    def entropy(self):
        return 1.0 - torch.log(self.rate)


class Independent(Distribution):
    """Some batch dimensions taken as part of the event."""

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        shape = base_distribution.batch_shape
        if reinterpreted_batch_ndims > len(shape):
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual"
                f" {reinterpreted_batch_ndims} vs {len(shape)}"
            )
        self.base_dist, self._count = base_distribution, reinterpreted_batch_ndims
        cut = len(shape) - reinterpreted_batch_ndims
        super().__init__(shape[:cut], (*shape[cut:], *base_distribution.event_shape), validate_args=validate_args)

    @property
    def support(self):
        base = self.base_dist.support
        return constraints.independent(base, self._count) if self._count else base

    @property
    def mean(self):
        return self.base_dist.mean

    @property
    def variance(self):
        return self.base_dist.variance

    def sample(self, sample_shape=()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape)

    def _summed(self, value):
        return value.reshape(value.shape[: -self._count] + (-1,)).sum(-1) if self._count else value

    def log_prob(self, value):
        return self._summed(self.base_dist.log_prob(value))

    def entropy(self):
        return self._summed(self.base_dist.entropy())

    def __repr__(self):
        return f"Independent({self.base_dist}, {self._count})"


_registered = {}


def register_kl(type_p, type_q):
    """Has kl_divergence() of the two types work out what the function decorated gives; the nearest types count."""

    def registered(function):
        _registered[type_p, type_q] = function
        return function

    return registered


def _found(p, q):
    fitting = [pair for pair in _registered if isinstance(p, pair[0]) and isinstance(q, pair[1])]
    if not fitting:
        return None
    first, second = type(p).__mro__, type(q).__mro__
    return _registered[min(fitting, key=lambda pair: (first.index(pair[0]), second.index(pair[1])))]


def kl_divergence(p, q):
    """How far q is from p, in nats."""
    if own := _found(p, q):
        return own(p, q)
    if isinstance(p, Normal) and isinstance(q, Normal):
        ratio = (p.scale / q.scale).pow(2)
        return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())
    if isinstance(p, Categorical) and isinstance(q, Categorical):
        terms = p.probs * (p.logits - q.logits)
        return torch.where(p.probs == 0, torch.zeros_like(terms), terms).sum(-1)
    if isinstance(p, Bernoulli) and isinstance(q, Bernoulli):
        softplus = torch.nn.functional.softplus
        one = p.probs * (softplus(-q.logits) - softplus(-p.logits))
        return one + (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    if isinstance(p, OneHotCategorical) and isinstance(q, OneHotCategorical):
        return kl_divergence(p._categorical, q._categorical)
    if isinstance(p, MultivariateNormal) and isinstance(q, MultivariateNormal):
        return _between_bells(p, q)
    if isinstance(p, Laplace) and isinstance(q, Laplace):
        ratio, away = p.scale / q.scale, (p.loc - q.loc).abs()
        return -ratio.log() + away / q.scale + ratio * torch.exp(-away / p.scale) - 1
    if isinstance(p, Exponential) and isinstance(q, Exponential):
        ratio = q.rate / p.rate
        return -ratio.log() + ratio - 1
    if isinstance(p, Poisson) and isinstance(q, Poisson):
        return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)
    if isinstance(p, Uniform) and isinstance(q, Uniform):
        result = ((q.high - q.low) / (p.high - p.low)).log()
        return torch.where((q.low > p.low) | (q.high < p.high), torch.full_like(result, math.inf), result)
    if isinstance(p, Gamma) and isinstance(q, Gamma):
        return (
            q.concentration * (p.rate / q.rate).log()
            + torch.lgamma(q.concentration)
            - torch.lgamma(p.concentration)
            + (p.concentration - q.concentration) * torch.digamma(p.concentration)
            + (q.rate - p.rate) * (p.concentration / p.rate)
        )
    if isinstance(p, Beta) and isinstance(q, Beta):
        return kl_divergence(p._dirichlet, q._dirichlet)
    if isinstance(p, Dirichlet) and isinstance(q, Dirichlet):
        a, b = p.concentration, q.concentration
        total = a.sum(-1)
        first = total.lgamma() - b.sum(-1).lgamma()
        second = (a.lgamma() - b.lgamma()).sum(-1)
        return first - second + ((a - b) * (a.digamma() - total.digamma().unsqueeze(-1))).sum(-1)
    if isinstance(p, HalfNormal) and isinstance(q, HalfNormal):
        ratio = (p.scale / q.scale).pow(2)
        return 0.5 * (ratio - 1 - ratio.log())
    if isinstance(p, LogNormal) and isinstance(q, LogNormal):
        return kl_divergence(p.base_dist, q.base_dist)
    if isinstance(p, Independent) and isinstance(q, Independent):
        return p._summed(kl_divergence(p.base_dist, q.base_dist))
    if isinstance(p, HalfCauchy) and isinstance(q, HalfCauchy):
        return kl_divergence(p.base_dist, q.base_dist)
    if isinstance(p, Pareto) and isinstance(q, Pareto):
        ratio = q.alpha / p.alpha
        found = q.alpha * (p.scale / q.scale).log() - ratio.log() + ratio - 1
        return torch.where(p.scale < q.scale, torch.full_like(found, math.inf), found)
    if isinstance(p, TransformedDistribution) and isinstance(q, TransformedDistribution):
        if p.transforms == q.transforms and p.event_shape == q.event_shape:
            kl, more = kl_divergence(p.base_dist, q.base_dist), len(p.event_shape) - len(p.base_dist.event_shape)
            return kl.sum(list(range(-more, 0))) if more else kl
        raise NotImplementedError
    if isinstance(p, Geometric) and isinstance(q, Geometric):
        return -p.entropy() - torch.log1p(-q.probs) / p.probs - q.logits
    if isinstance(p, Cauchy) and isinstance(q, Cauchy):
        apart = (p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)
        return apart.log() - (4 * p.scale * q.scale).log()
    if isinstance(p, Gumbel) and isinstance(q, Gumbel):
        ratio, away = p.scale / q.scale, (p.loc - q.loc) / q.scale
        return -ratio.log() + away + ratio * _EULER + torch.exp((1 + ratio).lgamma() - away) - (1 + _EULER)
    if isinstance(p, Binomial) and isinstance(q, Binomial):
        each = p.probs * (p.logits - q.logits) + torch.log1p(-p.probs) - torch.log1p(-q.probs)
        return torch.where(p.total_count > q.total_count, torch.full_like(each, math.inf), p.total_count * each)
    if isinstance(q, Normal) and isinstance(p, (Uniform, Exponential, Gamma, Beta, Laplace, Gumbel)):
        spread = (p.variance + (p.mean - q.loc).pow(2)) / (2 * q.scale.pow(2))
        return spread + q.scale.log() + 0.5 * math.log(2 * math.pi) - p.entropy()
    if isinstance(q, Exponential) and isinstance(p, (Gamma, Beta)):
        return q.rate * p.mean - q.rate.log() - p.entropy()
    if isinstance(p, Uniform) and isinstance(q, Beta):
        return _uniform_to_beta(p, q)
    if isinstance(p, Normal) and isinstance(q, Laplace):
        away = p.loc - q.loc
        near = math.sqrt(2 / math.pi) * p.scale * torch.exp(-0.5 * (away / p.scale).pow(2))
        spread = (near + away * torch.erf(math.sqrt(0.5) * (away / p.scale))) / q.scale
        return -torch.log(p.scale / q.scale) + spread - 0.5 * (1 + math.log(0.5 * math.pi))
    if isinstance(p, Normal) and isinstance(q, Gumbel):
        mine, own, ratio = p.loc / q.scale, q.loc / q.scale, (p.scale / q.scale).pow(2)
        return -(ratio.log() * 0.5) + (mine - own) + torch.exp(-mine + 0.5 * ratio + own) - _OF_A_BELL
    if isinstance(p, Exponential) and isinstance(q, Gamma):
        ratio, a = q.rate / p.rate, q.concentration
        return -a * torch.log(ratio) + ratio + a.lgamma() + a * _EULER - (1 + _EULER)
    if isinstance(p, Uniform) and isinstance(q, Exponential):
        found = q.rate * (p.high + p.low) / 2 - ((p.high - p.low) * q.rate).log()
        return torch.where(p.low < 0, torch.full_like(found, math.inf), found)
    if isinstance(p, Bernoulli) and isinstance(q, Poisson):
        return -p.entropy() - (p.probs * q.rate.log() - q.rate)
    if _reaches_further(p, q):
        return torch.full((p.mean + q.mean).shape, math.inf)
    raise NotImplementedError(
        f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
    )


def _uniform_to_beta(p, q):
    """The mean of log p - log q over p: that of log x is (h log h - l log l) / (h - l) - 1 between l and h."""
    width = p.high - p.low
    log_x = (torch.xlogy(p.high, p.high) - torch.xlogy(p.low, p.low)) / width - 1
    log_rest = (torch.xlogy(1 - p.low, 1 - p.low) - torch.xlogy(1 - p.high, 1 - p.high)) / width - 1
    a, b = q.concentration1, q.concentration0
    found = torch.lgamma(a) + torch.lgamma(b) - torch.lgamma(a + b) - width.log() - (a - 1) * log_x - (b - 1) * log_rest
    return torch.where((p.low < 0) | (p.high > 1), torch.full_like(found, math.inf), found)


def _reaches_further(p, q):
    """Whether p has values where q can have none."""
    everywhere, positive = isinstance(p, (Normal, Laplace, Gumbel)), isinstance(p, (Exponential, Gamma))
    bounded = isinstance(q, (Uniform, Beta))
    return everywhere and (bounded or isinstance(q, (Exponential, Gamma))) or positive and bounded


def _between_bells(p, q):
    size = p.event_shape[0]
    logs = q._half_log_det() - p._half_log_det()
    spread = torch.linalg.solve_triangular(q._tril, p._tril, upper=False).pow(2).sum((-2, -1))
    away = torch.linalg.solve_triangular(q._tril, (q.loc - p.loc).unsqueeze(-1), upper=False).pow(2).sum((-2, -1))
    return logs + 0.5 * (spread + away - size)
