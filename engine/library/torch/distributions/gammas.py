# type: ignore
"""Draws of gamma distributions and of shares made of them, which have gradients: how far a draw moves with the
parameters of its distribution, where the number that it stands for in the cumulative distribution stays.

The gradients are approximations, PyTorch's with its coefficients: series near the ends, an expansion around the saddle
point where parameters are large (Rice), and quotients of polynomials that were fitted between.
"""

import math

import torch


def _gamma(alpha):
    """One draw of the standard gamma distribution, by the method of Marsaglia and Tsang."""
    scale = 1.0
    if alpha < 1:
        if alpha == 0:
            return 0.0
        scale = (1 - _uniform()) ** (1.0 / alpha)
        alpha += 1.0
    d = alpha - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = _normal()
        y = 1.0 + c * x
        if y <= 0:
            continue
        v = y * y * y
        u = 1 - _uniform()
        if u < 1.0 - 0.0331 * x**4 or math.log(u) < 0.5 * x * x + d * (1.0 - v + math.log(v)):
            return scale * d * v


def _uniform():
    return torch.rand((), dtype=torch.float64).item()


def _normal():
    return torch.randn((), dtype=torch.float64).item()


def drawn(concentration, dtype):
    """A draw for each concentration, in another dtype."""
    limits = torch.finfo(dtype)
    numbers = [max(_gamma(alpha), limits.tiny) for alpha in concentration.reshape(-1).tolist()]
    return torch.tensor(numbers, dtype=dtype).reshape(concentration.shape)


class StandardGamma(torch.autograd.Function):
    """A draw for each concentration; the rate is 1."""

    @staticmethod
    def forward(ctx, concentration):
        found = drawn(concentration, concentration.dtype)
        ctx.save_for_backward(concentration, found)
        return found

    @staticmethod
    def backward(ctx, grad):
        concentration, found = ctx.saved_tensors
        return grad * gamma_slope(concentration, found).to(grad.dtype)


# -- of gamma distributions --------------------------------------------------------------------------------------------


def gamma_slope(alpha, x):
    """dx / dalpha of draws `x` of the standard gamma distribution with concentration `alpha`, with 64 bits."""
    alpha, x = alpha.double(), x.double()
    between = torch.where(alpha > 8, _saddle_of_gamma(alpha, x), _fitted_gamma(alpha, x))
    return torch.where(x < 0.8, _small_gamma(alpha, x), between)


def _small_gamma(alpha, x):
    term, total, squared = torch.ones_like(x), 1 / alpha, 1 / alpha**2
    for i in range(1, 6):
        term = term * -x / i
        total = total + term / (alpha + i)
        squared = squared + term / (alpha + i) ** 2
    slope = x * x.exp() * (squared - (x.log() - torch.digamma(alpha)) * total)
    return slope.masked_fill(slope.isnan(), 0)


def _saddle_of_gamma(alpha, x):
    polynomial = 1440 * alpha**2 + 6 * x * (53 - 120 * x) - 65 * x**2 / alpha + alpha * (107 + 3600 * x)
    at_it = (1 + 24 * alpha * (1 + 12 * alpha)) * polynomial / (1244160 * alpha**4)
    away, ratio, root = alpha - x, (x / alpha).log(), (8 * alpha).sqrt()
    bent = (x - alpha - alpha * ratio) ** -1.5
    slopes = ratio * (root / away + torch.where(away > 0, -bent, bent))
    slopes = slopes - (2 / alpha).sqrt() * (alpha + x) / away**2
    stirling = 1 + 1 / (12 * alpha) * (1 + 1 / (24 * alpha))
    return torch.where((0.9 * alpha <= x) & (x <= 1.1 * alpha), at_it, -stirling * x * slopes / root)


_GAMMA = (
    ((0.16009398, 0.53487893, 0.040121004), (1.0, 0.16639465, 0.017050642)),
    ((-0.094634809, 0.1298071, -0.0065914022), (0.32668115, 0.020070113, -0.0021309326)),
    ((0.025146376, 0.065735949, -0.0026286047), (0.10406089, -0.0035938915, 0.00085092367)),
    ((-0.0030648343, -0.0015649758, -0.0013441777), (0.0014179084, -0.00058392623, -1.5247877e-07)),
)


def _fitted_gamma(alpha, x):
    u, v = (x / alpha).log(), alpha.log()
    above, below = (_polynomial([_polynomial(row[part], u) for row in _GAMMA], v) for part in (0, 1))
    return (above / below).exp()


def _polynomial(factors, x):
    """The sum of factors[i] * x ** i."""
    total = 0.0
    for each in reversed(factors):
        total = total * x + each
    return total


# -- of shares ---------------------------------------------------------------------------------------------------------


def share_slope(x, alpha, total):
    """(dx / dalpha) / (1 - x) of draws `x` of Beta(alpha, total - alpha), with 64 bits."""
    x, alpha, total = x.double(), alpha.double(), total.double()
    beta, room = total - alpha, total * x * (1 - x)
    slope = torch.where((alpha > 6) & (beta > 6), _saddle_of_share(x, alpha, beta), _fitted_share(x, alpha, total))
    slope = torch.where((x >= 0.5) & (room < 0.75), -_share_near_one(1 - x, beta, alpha), slope)
    return torch.where((x <= 0.5) & (room < 2.5), _share_near_zero(x, alpha, beta), slope)


def _share_near_zero(x, alpha, beta):
    factor = torch.digamma(alpha) - torch.digamma(alpha + beta) - x.log()
    term, series = torch.ones_like(x), (factor + 1 / alpha) / alpha
    for i in range(1, 11):
        term = term * (i - beta) * x / i
        series = series + term / (alpha + i) * (factor + 1 / (alpha + i))
    slope = x * (1 - x) ** -beta * series
    return slope.masked_fill(slope.isnan(), 0)


def _share_near_one(x, alpha, beta):
    """With respect to beta, for `x` near 0: what is left of the share."""
    factor = torch.digamma(alpha + beta) - torch.digamma(beta)
    term = product = torch.ones_like(x)
    slope_of_product, series = torch.zeros_like(x), factor / alpha
    for i in range(1, 9):
        term = term * -x / i
        slope_of_product = slope_of_product * (beta - i) + product
        product = product * (beta - i)
        series = series + term / (alpha + i) * (slope_of_product + factor * product)
    slope = -((1 - x) ** (1 - beta)) * series
    return slope.masked_fill(slope.isnan(), 0)


def _saddle_of_share(x, alpha, beta):
    total = alpha + beta
    mean, spread = alpha / total, (alpha * beta / (total + 1)).sqrt() / total
    factors = (
        47 * x * beta**4,
        (43 + 20 * (16 + 27 * beta) * x) * beta**3,
        3 * (59 + 180 * beta - 90 * x) * beta**2,
        (453 + 1620 * beta * (1 - x) - 455 * x) * beta,
        8 * (1 - x) * (135 * beta - 11),
    )
    at_it = (1 + 12 * alpha) * (1 + 12 * beta) / total**2 / (1 - x) * _polynomial(factors, alpha)
    at_it = at_it / (12960 * alpha**3 * beta**2 * (1 + 12 * total))
    stirling = _stirling(alpha) * _stirling(beta) / _stirling(total)
    away, ratio = alpha * (x - 1) + beta * x, (alpha / (total * x)).log()
    first = 2 * alpha**2 * (x - 1) + alpha * beta * (x - 1) - x * beta**2
    first = first / ((2 * alpha / beta).sqrt() * total**1.5 * away**2)
    bent = (beta * (beta / (total * (1 - x))).log() + alpha * ratio) ** -1.5
    second = 0.5 * ratio * ((8 * alpha * beta / total).sqrt() / away + torch.where(x < mean, bent, -bent))
    slope = -stirling * x / (2 * alpha * beta / total).sqrt() * (first + second)
    return torch.where((mean - 0.1 * spread <= x) & (x <= mean + 0.1 * spread), at_it, slope)


def _stirling(x):
    return 1 + 1 / (12 * x) + 1 / (288 * x * x)


_ABOVE = (
    (
        (1.003668233, -0.01061107488, -0.0657888334, 0.01201642863),
        (0.6336835991, -0.3557432599, 0.05486251648, -0.001465281033),
        (-0.03276231906, 0.004474107445, 0.002429354597, -0.0001557569013),
    ),
    (
        (0.221950385, -0.3187676331, 0.01799915743, 0.01074823814),
        (-0.2951249643, 0.06219954479, 0.01535556598, 0.001550077057),
        (0.02155310298, 0.004170831599, 0.001292462449, 6.976601077e-05),
    ),
    (
        (-0.05980841433, 0.008441916499, 0.01085618172, 0.002319392565),
        (0.02911413504, 0.01400243777, -0.002721828457, 0.000751041181),
        (0.005900514878, -0.001936558688, -9.495446725e-06, 5.385558597e-05),
    ),
)
_BELOW = (
    (
        (1.0, -0.02924021934, -0.04438342661, 0.007285809825),
        (0.6357567472, -0.3473456711, 0.05454656494, -0.002407477521),
        (-0.03301322327, 0.004845219414, 0.00231480583, -0.0002307248149),
    ),
    (
        (0.5925320577, -0.1757678135, 0.01505928619, 0.000564515273),
        (0.1014815858, -0.06589186703, 0.01272886114, -0.0007316646956),
        (-0.007258481865, 0.001096195486, 0.0003934994223, -4.12701925e-05),
    ),
    (
        (0.06469649321, -0.0236701437, 0.002902096474, -5.896963079e-05),
        (0.001925008108, -0.002869809258, 0.0008000589141, -6.063713228e-05),
        (-0.0003477407336, 6.959756487e-05, 1.097287507e-05, -1.650964693e-06),
    ),
)


def _fitted_share(x, alpha, total):
    u = x.log()
    a = alpha.log() - u
    b = total.log() - a

    def fitted(table):
        return _polynomial([_polynomial([_polynomial(row, b) for row in rows], a) for rows in table], u)

    approximate = x * (torch.digamma(total) - torch.digamma(alpha)) / (total - alpha)
    return fitted(_ABOVE) / fitted(_BELOW) * approximate
