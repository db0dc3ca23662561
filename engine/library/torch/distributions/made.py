# type: ignore
"""torch.distributions that are made of others: transformed, mixed, relaxed."""

import math

import torch
import torch.distributions.constraints as constraints
from torch.distributions.discrete import Categorical, OfProbabilities
from torch.distributions.distribution import Distribution, tensors
from torch.nn.functional import softplus


class Transform:
    """A function with an inverse; `log_abs_det_jacobian(x, y)` says how it stretches."""

    event_dim = 0
    bijective = True
    domain = codomain = constraints.real

    def __init__(self, cache_size=0):
        self.cache_size, self._last = cache_size, (None, None)

    def __call__(self, x):
        if self.cache_size and self._last[0] is x:
            return self._last[1]
        y = self._call(x)
        self._last = (x, y) if self.cache_size else (None, None)
        return y

    def inverse(self, y):
        if self.cache_size and self._last[1] is y:
            return self._last[0]
        x = self._inverse(y)
        self._last = (x, y) if self.cache_size else (None, None)
        return x

    @property
    def inv(self):
        return _Inverse(self)

    def __repr__(self):
        return f"{type(self).__name__}()"


class _Inverse(Transform):
    def __init__(self, forward):
        super().__init__()
        self.forward, self.event_dim = forward, forward.event_dim
        self.domain, self.codomain = forward.codomain, forward.domain

    def _call(self, x):
        return self.forward.inverse(x)

    def _inverse(self, y):
        return self.forward(y)

    def log_abs_det_jacobian(self, x, y):
        return -self.forward.log_abs_det_jacobian(y, x)


class ExpTransform(Transform):
    codomain = constraints.positive

    def _call(self, x):
        return x.exp()

    def _inverse(self, y):
        return y.log()

    def log_abs_det_jacobian(self, x, y):
        return x


class SigmoidTransform(Transform):
    codomain = constraints.unit_interval

    def _call(self, x):
        limits = torch.finfo(x.dtype)
        return torch.clamp(torch.sigmoid(x), min=limits.tiny, max=1.0 - limits.eps)

    def _inverse(self, y):
        limits = torch.finfo(y.dtype)
        y = y.clamp(min=limits.tiny, max=1.0 - limits.eps)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x, y):
        return -softplus(-x) - softplus(x)


class TanhTransform(Transform):
    codomain = constraints.interval(-1.0, 1.0)

    def _call(self, x):
        return x.tanh()

    def _inverse(self, y):
        return torch.atanh(y)

    def log_abs_det_jacobian(self, x, y):
        return 2.0 * (math.log(2.0) - x - softplus(-2.0 * x))


class AffineTransform(Transform):
    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__(cache_size)
        self.loc, self.scale, self.event_dim = loc, scale, event_dim

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        scale = self.scale
        stretch = torch.abs(scale).log() if isinstance(scale, torch.Tensor) else math.log(abs(scale))
        result = stretch if isinstance(stretch, torch.Tensor) else torch.full_like(x, stretch)
        if self.event_dim:
            shape = result.size()[: -self.event_dim]
            return result.view((*shape, -1)).sum(-1).expand(x.shape[: -self.event_dim])
        return result.expand(x.shape)


class ComposeTransform(Transform):
    def __init__(self, parts, cache_size=0):
        super().__init__(cache_size)
        self.parts = list(parts)
        if self.parts:
            self.domain, self.codomain = self.parts[0].domain, self.parts[-1].codomain

    def _call(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def _inverse(self, y):
        for part in reversed(self.parts):
            y = part.inverse(y)
        return y

    def log_abs_det_jacobian(self, x, y):
        total = 0
        for part in self.parts:
            after = part(x)
            total = total + part.log_abs_det_jacobian(x, after)
            x = after
        return total


class TransformedDistribution(Distribution):
    """What a draw becomes after transforms."""

    has_rsample = True

    def __init__(self, base_distribution, transforms, validate_args=None):
        self.base_dist = base_distribution
        if not isinstance(transforms, (Transform, list)):
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        if isinstance(transforms, list) and not all(isinstance(each, Transform) for each in transforms):
            raise ValueError("transforms must be a Transform or a list of Transforms")
        self.transforms = [transforms] if isinstance(transforms, Transform) else list(transforms)
        super().__init__(base_distribution.batch_shape, base_distribution.event_shape, validate_args=validate_args)

    @property
    def support(self):
        found = self.transforms[-1].codomain if self.transforms else self.base_dist.support
        more = len(self.event_shape) - found.event_dim
        return constraints.independent(found, more) if more > 0 else found

    def _through(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return self._through(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape=()):
        return self._through(self.base_dist.rsample(sample_shape))

    def log_prob(self, value):
        self._validate_sample(value)
        result, events = 0.0, len(self.event_shape)
        for transform in reversed(self.transforms):
            before = transform.inverse(value)
            stretch = transform.log_abs_det_jacobian(before, value)
            more = events - transform.event_dim
            result = result - (stretch.sum(list(range(-more, 0))) if more > 0 else stretch)
            value = before
        return result + self.base_dist.log_prob(value)


class LogNormal(TransformedDistribution):
    """The exponential of Normal(loc, scale)."""

    def __init__(self, loc, scale, validate_args=None):
        from torch.distributions import Normal

        super().__init__(Normal(loc, scale, validate_args), ExpTransform(), validate_args)

    @property
    def loc(self):
        return self.base_dist.loc

    @property
    def scale(self):
        return self.base_dist.scale

    @property
    def mean(self):
        return (self.loc + self.scale.pow(2) / 2).exp()

    @property
    def mode(self):
        return (self.loc - self.scale.square()).exp()

    @property
    def variance(self):
        squared = self.scale.pow(2)
        return squared.expm1() * (2 * self.loc + squared).exp()

    def entropy(self):
        return self.base_dist.entropy() + self.loc


class MixtureSameFamily(Distribution):
    """A draw of one of several distributions, chosen by `mixture_distribution`."""

    has_rsample = False

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(" The Mixture distribution needs to be an  instance of torch.distributions.Categorical")
        if not isinstance(component_distribution, Distribution):
            raise ValueError("The Component distribution needs to be an instance of torch.distributions.Distribution")
        self.mixture_distribution, self.component_distribution = mixture_distribution, component_distribution
        self._events = len(component_distribution.event_shape)
        shape = component_distribution.batch_shape[:-1]
        ways, parts = mixture_distribution.logits.shape[-1], component_distribution.batch_shape[-1]
        if ways != parts:
            raise ValueError(
                f"`mixture_distribution component` ({ways}) does not equal `component_distribution.batch_shape[-1]`"
                f" ({parts})"
            )
        super().__init__(shape, component_distribution.event_shape, validate_args=validate_args)

    @property
    def support(self):
        found = self.component_distribution.support
        return constraints.Constraint(f"MixtureSameFamilyConstraint({found})", found.check, found.event_dim)

    def _weights(self):
        probs = self.mixture_distribution.probs
        return probs.reshape(probs.shape + (1,) * self._events)

    @property
    def mean(self):
        return torch.sum(self._weights() * self.component_distribution.mean, dim=-1 - self._events)

    @property
    def variance(self):
        weights, dim = self._weights(), -1 - self._events
        inner = torch.sum(weights * self.component_distribution.variance, dim=dim)
        away = self.component_distribution.mean - self.mean.unsqueeze(dim)
        return inner + torch.sum(weights * away.pow(2.0), dim=dim)

    def log_prob(self, value):
        self._validate_sample(value)
        each = self.component_distribution.log_prob(value.unsqueeze(-1 - self._events))
        weights = torch.log_softmax(self.mixture_distribution.logits, dim=-1)
        return torch.logsumexp(each + weights, dim=-1)

    def sample(self, sample_shape=()):
        with torch.no_grad():
            batch = len(sample_shape) + len(self.batch_shape)
            chosen = self.mixture_distribution.sample(sample_shape)
            drawn = self.component_distribution.sample(sample_shape)
            index = chosen.reshape(chosen.shape + (1,) * (self._events + 1))
            index = index.repeat((1,) * len(chosen.shape) + (1,) + tuple(self.event_shape))
            return torch.gather(drawn, batch, index).squeeze(batch)

    def __repr__(self):
        return f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"


def _inside(probs):
    tiny = torch.finfo(probs.dtype).eps
    return probs.clamp(min=tiny, max=1 - tiny)


class RelaxedBernoulli(OfProbabilities):
    """Near 0 or 1, with gradients: the colder, the nearer."""

    support = constraints.unit_interval

    _shown = ()

    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        super().__init__(self._given(probs, logits).size(), validate_args=validate_args)

    @property
    def probs(self):
        if self._probs is None:
            with torch.enable_grad():
                self._probs = torch.sigmoid(self._logits)
        return self._probs

    @property
    def logits(self):
        if self._logits is None:
            with torch.enable_grad():
                inside = _inside(self._probs)
                self._logits = torch.log(inside) - torch.log1p(-inside)
        return self._logits

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        probs, drawn = _inside(self.probs.expand(shape)), _inside(torch.rand(shape, dtype=self.probs.dtype))
        drawn = (drawn.log() - (-drawn).log1p() + probs.log() - (-probs).log1p()) / self.temperature
        return SigmoidTransform()(drawn)

    def log_prob(self, value):
        self._validate_sample(value)
        before = SigmoidTransform().inverse(value)
        away = self.logits - before.mul(self.temperature)
        inner = self.temperature.log() + away - 2 * away.exp().log1p()
        return inner - SigmoidTransform().log_abs_det_jacobian(before, value)


class RelaxedOneHotCategorical(Distribution):
    """Near a one among zeros, with gradients: the colder, the nearer."""

    support = constraints.simplex

    has_rsample = True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature, self._categorical = temperature, Categorical(probs, logits)
        super().__init__(self._categorical.batch_shape, self._categorical.probs.shape[-1:], validate_args=validate_args)

    @property
    def probs(self):
        return self._categorical.probs

    @property
    def logits(self):
        return self._categorical.logits

    def rsample(self, sample_shape=()):
        drawn = _inside(torch.rand(self._extended_shape(sample_shape), dtype=self.logits.dtype))
        scores = (self.logits + -((-(drawn.log())).log())) / self.temperature
        return (scores - scores.logsumexp(dim=-1, keepdim=True)).exp()

    def log_prob(self, value):
        self._validate_sample(value)
        count, before = self.event_shape[0], value.log()
        (temperature,) = tensors(self.temperature)
        scale = torch.full_like(temperature, float(count)).lgamma() - temperature.log().mul(-(count - 1))
        score = self.logits - before.mul(temperature)
        score = (score - score.logsumexp(dim=-1, keepdim=True)).sum(-1)
        return score + scale - before.sum(-1)
