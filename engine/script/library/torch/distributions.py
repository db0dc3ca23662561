# type: ignore
"""torch.distributions: the distributions that training scripts draw from."""

import math

import torch


def _tensors(*values):
    """The parameters as tensors of one shape."""
    made = [value if isinstance(value, torch.Tensor) else torch.tensor(float(value)) for value in values]
    return torch.broadcast_tensors(*made)


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

    def _check(self, name, value, valid, constraint):
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


class Normal(Distribution):
    """A bell around `loc` with standard deviation `scale`."""

    has_rsample = True
    _shown = ("loc", "scale")

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = _tensors(loc, scale)
        super().__init__(self.loc.size())
        self._check("scale", self.scale, self.scale > 0, "GreaterThan(lower_bound=0.0)")

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
        noise = torch.normal(torch.zeros(shape, dtype=self.loc.dtype), torch.ones(shape, dtype=self.loc.dtype))
        return self.loc + noise * self.scale

    def log_prob(self, value):
        variance = self.scale**2
        return -((value - self.loc) ** 2) / (2 * variance) - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value):
        return 0.5 * (1 + torch.erf((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))

    def icdf(self, value):
        return self.loc + self.scale * torch.erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + torch.log(self.scale)


class Uniform(Distribution):
    """Every number from `low` up to `high` alike."""

    has_rsample = True
    _shown = ("low", "high")

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = _tensors(low, high)
        super().__init__(self.low.size())

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
        inside = self.low.le(value).type_as(self.low) * self.high.gt(value).type_as(self.low)
        return torch.log(inside) - torch.log(self.high - self.low)

    def entropy(self):
        return torch.log(self.high - self.low)


class Exponential(Distribution):
    """Waiting times at a `rate`."""

    has_rsample = True
    _shown = ("rate",)

    def __init__(self, rate, validate_args=None):
        (self.rate,) = _tensors(rate)
        super().__init__(self.rate.size())

    @property
    def mean(self):
        return self.rate.reciprocal()

    @property
    def variance(self):
        return self.rate.pow(-2)

    def rsample(self, sample_shape=()):
        return torch.empty(self._extended_shape(sample_shape), dtype=self.rate.dtype).exponential_() / self.rate

    def log_prob(self, value):
        return self.rate.log() - self.rate * value

    def entropy(self):
        return 1.0 - torch.log(self.rate)


class _OfProbabilities(Distribution):
    """Given by probabilities or by logits: the other is computed when it is asked for."""

    def _given(self, probs, logits):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        self._probs = self._logits = None
        (value,) = _tensors(probs if logits is None else logits)
        if logits is None:
            self._probs = value
        else:
            self._logits = value
        return value

    @property
    def _shown(self):
        return [name for name in ("probs", "logits") if getattr(self, "_" + name) is not None]


class Bernoulli(_OfProbabilities):
    """1 with probability `probs`, else 0."""

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(self._given(probs, logits).size())
        if probs is not None:
            inside = (self.probs >= 0) & (self.probs <= 1)
            self._check("probs", self.probs, inside, "Interval(lower_bound=0.0, upper_bound=1.0)")

    @property
    def probs(self):
        if self._probs is None:
            self._probs = torch.sigmoid(self._logits)
        return self._probs

    @property
    def logits(self):
        if self._logits is not None:
            return self._logits
        tiny = torch.finfo(self._probs.dtype).eps
        clamped = self._probs.clamp(min=tiny, max=1 - tiny)
        self._logits = torch.log(clamped) - torch.log1p(-clamped)
        return self._logits

    @property
    def mean(self):
        return self.probs

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return torch.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        logits, value = torch.broadcast_tensors(self.logits, value)
        return -torch.nn.functional.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self):
        return torch.nn.functional.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")


class Categorical(_OfProbabilities):
    """A number below the size of the last dimension, each with its probability."""

    def __init__(self, probs=None, logits=None, validate_args=None):
        value = self._given(probs, logits)
        if value.dim() < 1:
            name = "logits" if probs is None else "probs"
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        super().__init__(value.size()[:-1])
        if probs is not None:
            self._probs = value / value.sum(-1, keepdim=True)
            self._check("probs", self._probs, (self._probs >= 0) & torch.isfinite(self._probs), "Simplex()")
        else:
            self._logits = value - value.logsumexp(dim=-1, keepdim=True)
        self._num_events = value.size()[-1]

    @property
    def probs(self):
        if self._probs is None:
            self._probs = torch.softmax(self._logits, dim=-1)
        return self._probs

    @property
    def logits(self):
        if self._logits is not None:
            return self._logits
        tiny = torch.finfo(self._probs.dtype).eps
        self._logits = torch.log(self._probs.clamp(min=tiny, max=1 - tiny))
        return self._logits

    @property
    def mode(self):
        return self.probs.argmax(dim=-1)

    def sample(self, sample_shape=()):
        shape = torch.Size(sample_shape)
        count = shape.numel()
        drawn = torch.multinomial(self.probs.detach().reshape(-1, self._num_events), count, True).T
        return drawn.reshape(self._extended_shape(shape))

    def log_prob(self, value):
        value = value.long().unsqueeze(-1)
        value, logits = torch.broadcast_tensors(value, self.logits)
        return logits.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        logits = torch.clamp(self.logits, min=torch.finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)


class Independent(Distribution):
    """Some batch dimensions taken as part of the event."""

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        self.base_dist, self._count = base_distribution, reinterpreted_batch_ndims
        shape = base_distribution.batch_shape
        cut = len(shape) - reinterpreted_batch_ndims
        super().__init__(shape[:cut], (*shape[cut:], *base_distribution.event_shape))

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
        return value.sum(list(range(-self._count, 0))) if self._count else value

    def log_prob(self, value):
        return self._summed(self.base_dist.log_prob(value))

    def entropy(self):
        return self._summed(self.base_dist.entropy())

    def __repr__(self):
        return f"Independent({self.base_dist}, {self._count})"


def kl_divergence(p, q):
    """How far q is from p, in nats."""
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
    if isinstance(p, Independent) and isinstance(q, Independent):
        return p._summed(kl_divergence(p.base_dist, q.base_dist))
    raise NotImplementedError(
        f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
    )
