# type: ignore
"""torch.distributions over real numbers, beside Normal, Uniform and Exponential."""

import math

import torch
import torch.distributions.constraints as constraints
import torch.distributions.gammas as gammas
from torch.distributions.distribution import Distribution, LocScale, noise, tensors


class Laplace(LocScale):
    """Two exponentials, back to back around `loc`."""

    def __init__(self, loc, scale, validate_args=None):
        self._stand(loc, scale, validate_args)

    @property
    def mean(self):
        return self.loc

    mode = mean

    @property
    def variance(self):
        return 2 * self.scale.pow(2)

    @property
    def stddev(self):
        return (2**0.5) * self.scale

    def rsample(self, sample_shape=()):
        shape, kind = self._extended_shape(sample_shape), self.loc.dtype
        drawn = torch.empty(shape, dtype=kind).uniform_(torch.finfo(kind).eps - 1, 1)
        return self.loc - self.scale * drawn.sign() * torch.log1p(-drawn.abs())

    def log_prob(self, value):
        self._validate_sample(value)
        return -torch.log(2 * self.scale) - torch.abs(value - self.loc) / self.scale

    def cdf(self, value):
        self._validate_sample(value)
        away = value - self.loc
        return 0.5 - 0.5 * away.sign() * torch.expm1(-away.abs() / self.scale)

    def entropy(self):
        return 1 + torch.log(2 * self.scale)


class Cauchy(LocScale):
    """A bell with tails so heavy that it has no mean."""

    def __init__(self, loc, scale, validate_args=None):
        self._stand(loc, scale, validate_args)

    @property
    def mean(self):
        return torch.full(self._extended_shape(), math.nan, dtype=self.loc.dtype)

    def rsample(self, sample_shape=()):
        drawn = torch.empty(self._extended_shape(sample_shape), dtype=self.loc.dtype).cauchy_()
        return self.loc + drawn * self.scale

    def log_prob(self, value):
        self._validate_sample(value)
        return -math.log(math.pi) - self.scale.log() - (((value - self.loc) / self.scale) ** 2).log1p()

    def entropy(self):
        return math.log(4 * math.pi) + self.scale.log()


class Gumbel(LocScale):
    """The largest of many draws."""

    def __init__(self, loc, scale, validate_args=None):
        self._stand(loc, scale, validate_args)

    @property
    def mean(self):
        return self.loc + self.scale * 0.57721566490153286060

    @property
    def variance(self):
        return self.stddev.pow(2)

    @property
    def stddev(self):
        return (math.pi / math.sqrt(6)) * self.scale

    def rsample(self, sample_shape=()):
        limits = torch.finfo(self.loc.dtype)
        drawn = torch.rand(self._extended_shape(sample_shape), dtype=self.loc.dtype)
        drawn = limits.tiny + drawn * ((1 - limits.eps) - limits.tiny)
        return self.loc + -self.scale * (-drawn.log()).log()

    def log_prob(self, value):
        self._validate_sample(value)
        away = (self.loc - value) / self.scale
        return (away - away.exp()) - self.scale.log()

    def entropy(self):
        return self.scale.log() + (1 + 0.57721566490153286060)


class HalfNormal(Distribution):
    """The absolute value of Normal(0, scale)."""

    support = constraints.nonnegative

    has_rsample = True
    _shown = ()
    arg_constraints = {"scale": constraints.positive}

    def __init__(self, scale, validate_args=None):
        (self.scale,) = tensors(scale)
        super().__init__(self.scale.size(), validate_args=validate_args)

    @property
    def mean(self):
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self):
        return self.scale.pow(2) * (1 - 2 / math.pi)

    def rsample(self, sample_shape=()):
        shape, kind = self._extended_shape(sample_shape), self.scale.dtype
        return (noise(shape, kind) * self.scale).abs()

    def log_prob(self, value):
        self._validate_sample(value)
        value = torch.as_tensor(value, dtype=self.scale.dtype)
        inside = -(value**2) / (2 * self.scale**2) - self.scale.log() - math.log(math.sqrt(2 * math.pi)) + math.log(2)
        return torch.where(value >= 0, inside, torch.full_like(inside, -math.inf))

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + torch.log(self.scale) - math.log(2)


class Gamma(Distribution):
    """Waiting times for several events; `rate` is one over the scale."""

    support = constraints.nonnegative

    has_rsample = True
    _shown = ("concentration", "rate")

    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = tensors(concentration, rate)
        super().__init__(self.concentration.size(), validate_args=validate_args)
        for name in ("concentration", "rate"):
            self.check(name, getattr(self, name), getattr(self, name) > 0, "GreaterThan(lower_bound=0.0)")

    @property
    def mean(self):
        return self.concentration / self.rate

    @property
    def variance(self):
        return self.concentration / self.rate.pow(2)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        return gammas.StandardGamma.apply(self.concentration.expand(shape)) / self.rate.expand(shape)

    def log_prob(self, value):
        value = torch.as_tensor(value, dtype=self.rate.dtype)
        self._validate_sample(value)
        return (
            torch.xlogy(self.concentration, self.rate)
            + torch.xlogy(self.concentration - 1, value)
            - self.rate * value
            - torch.lgamma(self.concentration)
        )

    def entropy(self):
        a = self.concentration
        return a - torch.log(self.rate) + torch.lgamma(a) + (1.0 - a) * torch.digamma(a)


class Chi2(Gamma):
    """The sum of `df` squared draws of Normal(0, 1)."""

    _shown = ()

    def __init__(self, df, validate_args=None):
        (df,) = tensors(df)
        super().__init__(0.5 * df, torch.tensor(0.5), validate_args=validate_args)

    @property
    def df(self):
        return self.concentration * 2


class StudentT(Distribution):
    """A bell with heavier tails, the heavier the smaller `df`."""

    support = constraints.real

    has_rsample = True
    _shown = ("df", "loc", "scale")

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        self.df, self.loc, self.scale = tensors(df, loc, scale)
        super().__init__(self.df.size(), validate_args=validate_args)
        self._chi2 = Chi2(self.df)

    @property
    def mean(self):
        return torch.where(self.df > 1, self.loc, torch.full_like(self.loc, math.nan))

    def rsample(self, sample_shape=()):
        shape, kind = self._extended_shape(sample_shape), self.df.dtype
        x = noise(shape, kind)
        return self.loc + self.scale * (x * torch.rsqrt(self._chi2.rsample(sample_shape) / self.df))

    def log_prob(self, value):
        self._validate_sample(value)
        away = (value - self.loc) / self.scale
        norm = (
            self.scale.log()
            + 0.5 * self.df.log()
            + 0.5 * math.log(math.pi)
            + torch.lgamma(0.5 * self.df)
            - torch.lgamma(0.5 * (self.df + 1.0))
        )
        return -0.5 * (self.df + 1.0) * torch.log1p(away**2.0 / self.df) - norm

    @property
    def variance(self):
        made = torch.where(self.df > 2, self.scale.pow(2) * self.df / (self.df - 2), torch.full_like(self.df, math.inf))
        return torch.where(self.df <= 1, torch.full_like(self.df, math.nan), made)

    def entropy(self):
        beta = torch.lgamma(0.5 * self.df) + math.lgamma(0.5) - torch.lgamma(0.5 * (self.df + 1))
        half = 0.5 * (self.df + 1)
        return (
            self.scale.log() + half * (torch.digamma(half) - torch.digamma(0.5 * self.df)) + 0.5 * self.df.log() + beta
        )


class _Dirichlet(torch.autograd.Function):
    """Draws for the concentrations along the last dimension, as shares of their sum."""

    @staticmethod
    def forward(ctx, concentration):
        parts, limits = gammas.drawn(concentration, torch.float64), torch.finfo(concentration.dtype)
        shares = parts / parts.sum(-1, keepdim=True)
        shares = shares.to(concentration.dtype).clamp(limits.tiny, 1 - limits.eps / 2)
        ctx.save_for_backward(shares, concentration)
        return shares

    @staticmethod
    def backward(ctx, grad):
        shares, concentration = ctx.saved_tensors
        slope = gammas.share_slope(shares, concentration, concentration.sum(-1, True).expand_as(concentration))
        return slope.to(grad.dtype) * (grad - (shares * grad).sum(-1, True))


class Dirichlet(Distribution):
    """Shares that sum to one."""

    support = constraints.simplex

    has_rsample = True
    _shown = ("concentration",)

    def __init__(self, concentration, validate_args=None):
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args=validate_args)
        self.check(
            "concentration", concentration, concentration > 0, "IndependentConstraint(GreaterThan(lower_bound=0.0), 1)"
        )

    @property
    def mean(self):
        return self.concentration / self.concentration.sum(-1, True)

    @property
    def variance(self):
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape=()):
        return _Dirichlet.apply(self.concentration.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        self._validate_sample(value)
        a = self.concentration
        return torch.xlogy(a - 1.0, value).sum(-1) + torch.lgamma(a.sum(-1)) - torch.lgamma(a).sum(-1)

    def entropy(self):
        a, total = self.concentration, self.concentration.sum(-1)
        return (
            torch.lgamma(a).sum(-1)
            - torch.lgamma(total)
            - (a.size(-1) - total) * torch.digamma(total)
            - ((a - 1.0) * torch.digamma(a)).sum(-1)
        )


class Beta(Distribution):
    """A share between 0 and 1."""

    support = constraints.unit_interval

    has_rsample = True
    _shown = ()

    def __init__(self, concentration1, concentration0, validate_args=None):
        self._dirichlet = Dirichlet(torch.stack(tensors(concentration1, concentration0), -1), validate_args)
        super().__init__(self._dirichlet.batch_shape, validate_args=validate_args)

    @property
    def concentration1(self):
        return self._dirichlet.concentration[..., 0]

    @property
    def concentration0(self):
        return self._dirichlet.concentration[..., 1]

    @property
    def mean(self):
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def variance(self):
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape=()):
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def log_prob(self, value):
        self._validate_sample(value)
        return self._dirichlet.log_prob(torch.stack([value, 1.0 - value], -1))

    def entropy(self):
        return self._dirichlet.entropy()


def _mahalanobis(tril, away):
    solved = torch.linalg.solve_triangular(tril, away.unsqueeze(-1), upper=False)
    return solved.squeeze(-1).pow(2).sum(-1)


class MultivariateNormal(Distribution):
    """A bell in several dimensions, given by one of three matrices."""

    support = constraints.real_vector

    has_rsample = True

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        given = {
            "covariance_matrix": covariance_matrix,
            "precision_matrix": precision_matrix,
            "scale_tril": scale_tril,
        }
        given = {name: matrix for name, matrix in given.items() if matrix is not None}
        if len(given) != 1:
            raise ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        ((self._name, matrix),) = given.items()
        if matrix.dim() < 2:
            raise ValueError(f"{self._name} must be at least two-dimensional, with optional leading batch dimensions")
        batch = torch.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        self._matrix = matrix.expand(batch + matrix.shape[-2:])
        self.loc = loc.expand(batch + loc.shape[-1:])
        super().__init__(batch, self.loc.shape[-1:], validate_args=validate_args)
        self.check("loc", self.loc, self.loc == self.loc, "IndependentConstraint(Real(), 1)")
        if self._name == "scale_tril":
            self._tril = matrix
            fine = (matrix.tril() == matrix).all() & (matrix.diagonal(dim1=-2, dim2=-1) > 0).all()
            self.check("scale_tril", matrix, fine, "LowerCholesky()")
        elif self._name == "covariance_matrix":
            self._tril = self._factor(matrix)
        else:
            flipped = torch.linalg.cholesky(torch.flip(matrix, (-2, -1)))
            upper = torch.transpose(torch.flip(flipped, (-2, -1)), -2, -1)
            self._tril = torch.linalg.solve_triangular(
                upper, torch.eye(matrix.shape[-1], dtype=matrix.dtype), upper=False
            )

    def _factor(self, matrix):
        try:
            made = torch.linalg.cholesky(matrix)
            fine = torch.isclose(matrix, matrix.mT, atol=1e-6).all()
        except RuntimeError:
            made, fine = None, torch.tensor(False)
        self.check("covariance_matrix", matrix, fine, "PositiveDefinite()")
        return made

    @property
    def _shown(self):
        return ("loc", self._name)

    @property
    def mean(self):
        return self.loc

    mode = mean

    @property
    def scale_tril(self):
        return self._tril.expand(self._batch_shape + self._event_shape + self._event_shape)

    @property
    def covariance_matrix(self):
        if self._name == "covariance_matrix":
            return self._matrix
        return torch.matmul(self._tril, self._tril.mT).expand(self._batch_shape + self._event_shape + self._event_shape)

    @property
    def precision_matrix(self):
        if self._name == "precision_matrix":
            return self._matrix
        return torch.cholesky_inverse(self._tril).expand(self._batch_shape + self._event_shape + self._event_shape)

    @property
    def variance(self):
        return self._tril.pow(2).sum(-1).expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape=()):
        shape, kind = self._extended_shape(sample_shape), self.loc.dtype
        drawn = noise(shape, kind)
        return self.loc + torch.matmul(self._tril, drawn.unsqueeze(-1)).squeeze(-1)

    def _half_log_det(self):
        return self._tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def log_prob(self, value):
        self._validate_sample(value)
        distance = _mahalanobis(self._tril, value - self.loc)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + distance) - self._half_log_det()

    def entropy(self):
        half = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._half_log_det()
        return half if len(self._batch_shape) == 0 else half.expand(self._batch_shape)
