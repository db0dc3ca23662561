# type: ignore
"""torch.distributions over whole numbers."""

import _likely
import torch
import torch.distributions.constraints as constraints
from torch.distributions.distribution import Distribution, tensors

_NO_SIZES = torch.Size()


class OfProbabilities(Distribution):
    """Given by probabilities or by logits: the other is computed when it is asked for, and recorded also where that is
    under no_grad(): it is kept for whoever asks next."""

    def _given(self, probs, logits):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        self._probs = self._logits = None
        (value,) = tensors(probs if logits is None else logits)
        if logits is None:
            self._probs = value
        else:
            self._logits = value
        return value

    def _check_logits(self, constraint="Real()"):
        self.check("logits", self._logits, self._logits == self._logits, constraint)  # nan is not what it is

    @property
    def _shown(self):
        return [name for name in ("probs", "logits") if getattr(self, "_" + name) is not None]


class Bernoulli(OfProbabilities):
    """1 with probability `probs`, else 0."""

    support = constraints.boolean

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(self._given(probs, logits).size(), validate_args=validate_args)
        if probs is not None:
            inside = (self.probs >= 0) & (self.probs <= 1)
            self.check("probs", self.probs, inside, "Interval(lower_bound=0.0, upper_bound=1.0)")
        else:
            self._check_logits()

    @property
    def probs(self):
        if self._probs is None:
            with torch.enable_grad():
                self._probs = torch.sigmoid(self._logits)
        return self._probs

    @property
    def logits(self):
        if self._logits is not None:
            return self._logits
        tiny = torch.finfo(self._probs.dtype).eps
        with torch.enable_grad():
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
        self._validate_sample(value)
        logits, value = torch.broadcast_tensors(self.logits, value)
        return -torch.nn.functional.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self):
        return torch.nn.functional.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")


class Categorical(OfProbabilities):
    """A number below the size of the last dimension, each with its probability."""

    def __init__(self, probs=None, logits=None, validate_args=None):
        made = _likely.shares(probs, logits) if type(self) is Categorical and validate_args is None else None
        if made is not None:
            value, self._batch_shape, self._num_events, fine = made
            self._event_shape = _NO_SIZES
            if probs is None:
                self._probs, self._logits = None, value
            else:
                self._probs, self._logits = value, None
            if not fine and self._validate_args:
                shown = "IndependentConstraint(Real(), 1)" if probs is None else "Simplex()"
                self.check("logits" if probs is None else "probs", value, torch.zeros(1), shown)
            return
        given = logits if probs is None else probs
        if given is not None and not isinstance(given, torch.Tensor):
            raise AttributeError(f"'{type(given).__name__}' object has no attribute 'dim'")
        value = self._given(probs, logits)
        if value.dim() < 1:
            name = "logits" if probs is None else "probs"
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        super().__init__(value.size()[:-1], validate_args=validate_args)
        if probs is not None:
            self._probs = value / value.sum(-1, keepdim=True)
            self.check("probs", self._probs, (self._probs >= 0) & torch.isfinite(self._probs), "Simplex()")
        else:
            self._logits = value - value.logsumexp(dim=-1, keepdim=True)
            self._check_logits("IndependentConstraint(Real(), 1)")
        self._num_events = value.size()[-1]

    @property
    def support(self):
        return constraints.integer_interval(0, self._num_events - 1)

    @property
    def probs(self):
        if self._probs is None:
            with torch.enable_grad():
                self._probs = torch.softmax(self._logits, dim=-1)
        return self._probs

    @property
    def logits(self):
        if self._logits is not None:
            return self._logits
        tiny = torch.finfo(self._probs.dtype).eps
        with torch.enable_grad():
            self._logits = torch.log(self._probs.clamp(min=tiny, max=1 - tiny))
        return self._logits

    @property
    def mean(self):
        return torch.full(self._extended_shape(), float("nan"), dtype=self.probs.dtype)

    @property
    def variance(self):
        return self.mean

    @property
    def mode(self):
        return self.probs.argmax(dim=-1)

    def sample(self, sample_shape=()):
        if type(self) is Categorical and isinstance(sample_shape, tuple) and not sample_shape:
            drawn = _likely.drawn(self.probs)
            if drawn is not None:
                return drawn
        shape = torch.Size(sample_shape)
        count = shape.numel()
        drawn = torch.multinomial(self.probs.detach().reshape(-1, self._num_events), count, True).T
        return drawn.reshape(self._extended_shape(shape))

    def log_prob(self, value):
        if type(self) is Categorical and _likely.numbers(value, self._num_events, self._batch_shape):
            found = _likely.share_of(value, self.logits)
            if found is not None:
                return found
        self._validate_sample(value)
        value = value.long().unsqueeze(-1)
        value, logits = torch.broadcast_tensors(value, self.logits)
        return logits.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        logits = torch.clamp(self.logits, min=torch.finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)


class OneHotCategorical(Distribution):
    """A one among zeros, each place with its probability."""

    support = constraints.one_hot

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits)
        super().__init__(self._categorical.batch_shape, self._categorical.probs.shape[-1:], validate_args=validate_args)

    @property
    def probs(self):
        return self._categorical.probs

    @property
    def logits(self):
        return self._categorical.logits

    @property
    def mean(self):
        return self.probs

    @property
    def mode(self):
        return torch.nn.functional.one_hot(self.probs.argmax(dim=-1), self.event_shape[0]).to(self.probs)

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        drawn = self._categorical.sample(sample_shape)
        return torch.nn.functional.one_hot(drawn, self.event_shape[0]).to(self.probs)

    def log_prob(self, value):
        self._validate_sample(value)
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self):
        return self._categorical.entropy()


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """Draws as OneHotCategorical; gradients pass as if the probabilities had been given."""

    has_rsample = True

    def rsample(self, sample_shape=()):
        return self.sample(sample_shape) + (self.probs - self.probs.detach())


class Poisson(Distribution):
    """How often something happens that happens at a `rate`."""

    support = constraints.nonnegative_integer

    _shown = ("rate",)

    def __init__(self, rate, validate_args=None):
        (self.rate,) = tensors(rate)
        super().__init__(self.rate.size(), validate_args=validate_args)
        self.check("rate", self.rate, self.rate >= 0, "GreaterThanEq(lower_bound=0.0)")

    @property
    def mean(self):
        return self.rate

    @property
    def variance(self):
        return self.rate

    def sample(self, sample_shape=()):
        with torch.no_grad():
            return torch.poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        self._validate_sample(value)
        rate, value = torch.broadcast_tensors(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()


class Geometric(OfProbabilities):
    """How often it fails before the first success."""

    support = constraints.nonnegative_integer

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(self._given(probs, logits).size(), validate_args=validate_args)
        if self._validate_args and probs is not None:
            inside = (self._probs >= 0) & (self._probs <= 1)
            self.check("probs", self._probs, inside, "Interval(lower_bound=0.0, upper_bound=1.0)")
            if not (self._probs > 0).all():
                raise ValueError(
                    f"Expected parameter probs (Tensor of shape {tuple(self._probs.shape)}) of distribution {self!r} to"
                    f" be positive but found invalid values:\n{self._probs[~(self._probs > 0)]}"
                )

    probs, logits = Bernoulli.probs, Bernoulli.logits

    @property
    def mean(self):
        return 1.0 / self.probs - 1.0

    @property
    def variance(self):
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape=()):
        with torch.no_grad():
            tiny = torch.finfo(self.probs.dtype).tiny
            drawn = torch.empty(self._extended_shape(sample_shape), dtype=self.probs.dtype).uniform_(tiny, 1)
            return (drawn.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value):
        self._validate_sample(value)
        value, probs = torch.broadcast_tensors(value, self.probs)
        probs = probs.masked_fill((probs == 1) & (value == 0), 0)
        return value * (-probs).log1p() + self.probs.log()

    def entropy(self):
        bce = torch.nn.functional.binary_cross_entropy_with_logits
        return bce(self.logits, self.probs, reduction="none") / self.probs


class Multinomial(Distribution):
    """How often each of some things happens in `total_count` draws, each with its probability."""

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._categorical = Categorical(probs, logits)
        super().__init__(self._categorical.batch_shape, self._categorical.probs.shape[-1:], validate_args=validate_args)

    @property
    def support(self):
        return constraints.multinomial(self.total_count)

    @property
    def probs(self):
        return self._categorical.probs

    @property
    def logits(self):
        return self._categorical.logits

    @property
    def mean(self):
        return self.probs * self.total_count

    @property
    def variance(self):
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        drawn = self._categorical.sample((self.total_count, *sample_shape)).movedim(0, -1)
        counts = torch.zeros(self._extended_shape(sample_shape), dtype=torch.int64)
        return counts.scatter_add_(-1, drawn, torch.ones_like(drawn)).type_as(self.probs)

    def log_prob(self, value):
        self._validate_sample(value)
        logits, value = torch.broadcast_tensors(self.logits, value)
        logits = logits.masked_fill((value == 0) & (logits == -float("inf")), 0)
        return torch.lgamma(value.sum(-1) + 1) - torch.lgamma(value + 1).sum(-1) + (logits * value).sum(-1)


class Binomial(OfProbabilities):
    """How often something of probability `probs` happens in `total_count` trials."""

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        value = self._given(probs, logits)
        self.total_count, value = torch.broadcast_tensors(torch.as_tensor(total_count).type_as(value), value)
        if logits is None:
            self._probs = value
            self.check("probs", value, (value >= 0) & (value <= 1), "Interval(lower_bound=0.0, upper_bound=1.0)")
        else:
            self._logits = value
        super().__init__(value.size(), validate_args=validate_args)
        whole = constraints.nonnegative_integer
        self.check("total_count", self.total_count, whole.check(self.total_count), whole)

    probs, logits = Bernoulli.probs, Bernoulli.logits

    @property
    def support(self):
        return constraints.integer_interval(0, self.total_count)

    @property
    def _shown(self):
        return ["total_count", *super()._shown]

    @property
    def mean(self):
        return self.total_count * self.probs

    @property
    def variance(self):
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value):
        self._validate_sample(value)
        n, logits = self.total_count, self.logits
        above = (logits.clamp(min=0) + logits - logits.clamp(max=0)) / 2
        whole = n * above + n * torch.log1p(torch.exp(-torch.abs(logits))) - torch.lgamma(n + 1)
        return value * logits - torch.lgamma(value + 1) - torch.lgamma(n - value + 1) - whole
