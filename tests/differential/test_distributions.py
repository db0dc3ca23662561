"""Which values distributions take, and the gradients of what they draw: what scripts print, or what is said of a value,
is what PyTorch's does."""

from __future__ import annotations

from typing import Any

import pytest

from tests.differential import oracle, scripts
from tests.engine.script.compare import in_interpreter

MADE = """
Normal(0., 1.)| Normal(torch.zeros(2), torch.ones(2))| Normal(0., -1., validate_args=False)| Uniform(0., 1.)
Uniform(torch.zeros(2), torch.ones(2))| Exponential(1.)| Laplace(0., 1.)| Cauchy(0., 1.)| Gumbel(0., 1.)
HalfNormal(1.)| Gamma(1., 1.)| Chi2(1.)| StudentT(1.)| Dirichlet(one)| Beta(1., 1.)| Beta(1., 1., validate_args=False)
Bernoulli(.5)| Categorical(one)| Categorical(logits=one)| OneHotCategorical(one)| Poisson(1.)| Geometric(.5)
Multinomial(3, one)| Binomial(3, torch.tensor(.5))| Binomial(torch.tensor([3, 4]), torch.tensor([.5, .4]))
LogNormal(0., 1.)| MultivariateNormal(one, torch.eye(3))| Independent(Normal(one, one), 1)
MixtureSameFamily(Categorical(one), Normal(one, one))| TransformedDistribution(Normal(0., 1.), [D.ExpTransform()])
TransformedDistribution(Normal(0., 1.), [D.SigmoidTransform()])
TransformedDistribution(Normal(0., 1.), [D.AffineTransform(1., 2.), D.TanhTransform()])
TransformedDistribution(Independent(Normal(one, one), 1), [D.ExpTransform()])
TransformedDistribution(Normal(0., 1.), [])| RelaxedBernoulli(torch.tensor(1.), torch.tensor(.5))
RelaxedOneHotCategorical(torch.tensor(1.), one)| Weibull(1., 2.)| Weibull(-1., 2., validate_args=False)| Pareto(1., 2.)
InverseGamma(1., 1.)| HalfCauchy(1.)| NegativeBinomial(3, torch.tensor(.5))| Kumaraswamy(1., 2.)
TransformedDistribution(Normal(0., 1.), [D.SoftplusTransform()])
"""
EXPRESSIONS = [each.strip() for line in MADE.strip().splitlines() for each in line.split("|")]

SCRIPT = """
import torch, torch.distributions as D
from torch.distributions import *
one = torch.ones(3)
d = {made}
print(d, d.support, d.support.event_dim, d.support.is_discrete)
numbers = [5, torch.tensor(-1.), torch.tensor(.5), torch.tensor(2.), torch.tensor(float("nan"))]
for value in numbers + [one, torch.tensor([1., 0., 0.]), torch.tensor([.2, .3, .5]), torch.zeros(4), torch.zeros(2)]:
    try:
        print(d.log_prob(value))
    except (ValueError, TypeError) as error:
        print(type(error).__name__, error)
"""

CUMULATIVE = """
import torch
from torch.distributions import *
for d in (Normal(0., 1.), Uniform(1., 3.), Exponential(2.), Laplace(0., 1.)):
    print(d.cdf(torch.tensor(2.)))
    try:
        print(d.cdf(torch.tensor(float("nan"))))
    except ValueError as error:
        print(error)
print(Uniform(1., 3.).icdf(torch.tensor(.5)), Exponential(2.).icdf(torch.tensor(.5)))
Distribution.set_default_validate_args(False)
print(Exponential(1.).log_prob(torch.tensor(-1.)))
Distribution.set_default_validate_args(True)
print(Exponential(1.).log_prob(torch.tensor(-1.)))
"""

# What policies do at each step, which is quick for plain tensors (engine/ops/likely.py) and the same for any other.
ACTING = """
import torch
from torch.distributions import *
torch.manual_seed(0)
def names(node):
    return [] if node is None else [node.name(), *[n for each, _ in node.next_functions for n in names(each)]]
def act(d, *given):
    drawn = [d.sample() for _ in range(3)]
    print(d, drawn, d.batch_shape, d.event_shape)
    told = d.log_prob(drawn[0])
    print(told, names(told.grad_fn), names(d.entropy().grad_fn), told.dtype)
    (told.sum() + 0.1 * d.entropy().sum()).backward()
    print(*(each.grad for each in given), d)
class Choice(Categorical):
    def sample(self):
        return super().sample().unsqueeze(-1)
    def log_prob(self, value):
        return super().log_prob(value.squeeze(-1)).unsqueeze(-1)
class Few(Categorical):
    support = torch.distributions.constraints.boolean
def made(*values, dtype=torch.float64):
    return torch.tensor(values, dtype=dtype, requires_grad=True)
own = torch.nn.Parameter(torch.tensor([[[1.0, 3.0]]]).double())
for value in (made(1.0, 2.0, 3.0), made([1.0, 2.0], [0.5, 1.5]), own):
    for kind in (Categorical, Choice):
        for name in ("probs", "logits"):
            value.grad = None
            act(kind(**{name: value}), value)
    value.grad = None
    act(Bernoulli(logits=value), value)
    act(Normal(value, value.detach() ** 2), value)
    act(Independent(Normal(value, 1.0), 1), value)
d = Categorical(torch.tensor([[0.25, 0.75], [0.5, 0.5]], dtype=torch.float64))
one, two = torch.tensor(1), torch.tensor([1, 0])
for value in (one, two, two.double(), torch.tensor([[1], [0], [1]]).expand(3, 2)):
    print(d.log_prob(value), d.expand((3, 2)).log_prob(value), d.sample((2,)).shape, d.sample([2, 1]).shape)
print(Few(torch.ones(4)).log_prob(torch.tensor(1)))
half = Categorical(torch.tensor([0.5, 1.5], dtype=torch.bfloat16))
print(half.log_prob(half.sample()).dtype, Categorical(torch.ones(2, 3)).sample().dtype)
nan = torch.tensor([1.0, float("nan")])
for wrong in (
    lambda: d.log_prob(torch.tensor(2)), lambda: d.log_prob(torch.tensor([0, -1])), lambda: d.log_prob(torch.ones(3)),
    lambda: d.log_prob(1), lambda: Categorical(nan), lambda: Categorical(logits=nan),
    lambda: Categorical(-torch.ones(2, 3)),
    lambda: Categorical(torch.tensor([-1.0, 3.0])), lambda: Categorical(torch.tensor(1.0)),
    lambda: Few(torch.ones(4)).log_prob(torch.tensor(2)),
    lambda: Categorical(), lambda: Categorical(nan, nan), lambda: Categorical([0.5, 0.5]), lambda: Normal(nan, 1.0),
    lambda: Normal(0.0, torch.zeros(2)), lambda: Normal(torch.zeros(2), torch.ones(3)),
    lambda: Exponential(torch.tensor(0.0)),
):
    try:
        print(wrong())
    except Exception as error:
        print(type(error).__name__, error)
Distribution.set_default_validate_args(False)
print(Categorical(nan), Categorical(-torch.ones(2, 3)).logits, d.log_prob(torch.tensor([1, 0])))
Distribution.set_default_validate_args(True)
"""

# With 64 bits: what is printed of them is the same on every processor.
DRAWN = """
import torch
from torch.distributions import *
torch.manual_seed(0)
def slopes(make, *values, shape=()):
    given = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in values]
    d = make(*given)
    x = d.rsample(shape)
    (x * torch.arange(1.0, x.numel() + 1, dtype=torch.float64).reshape(x.shape)).sum().backward()
    print(d, x, *(g.grad for g in given), x.requires_grad, d.sample().requires_grad)
slopes(Gamma, [0.3, 2.0, 9.0, 40.0], [1.0, 2.0, 3.0, 4.0])
slopes(Gamma, 0.5, 1.5, shape=(3, 2))
slopes(Chi2, [1.0, 5.0, 30.0], shape=(2,))
slopes(StudentT, [1.0, 5.0], [0.0, 1.0], [1.0, 2.0])
slopes(Dirichlet, [[0.3, 2.0, 9.0], [7.0, 8.0, 9.0]], shape=(2,))
slopes(Beta, [0.5, 2.0, 8.0, 1.0], [0.5, 3.0, 9.0, 20.0], shape=(2,))
a = torch.tensor([2.0, 3.0], dtype=torch.float64, requires_grad=True)
opt = torch.optim.Adam([a], lr=0.1)
for i in range(20):
    q = Beta(a[0], a[1])
    loss = ((q.rsample((16,)) - 0.8) ** 2).mean() + 0.01 * kl_divergence(q, Beta(a.new_tensor(2.0), a.new_tensor(2.0)))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss, a)
"""

RARER = """
import torch
from torch.distributions import *
torch.manual_seed(0)
two, some = torch.tensor([1.5, 3.0], dtype=torch.float64), torch.tensor([0.5, 0.9], dtype=torch.float64)
for d in (
    Weibull(two, two), Pareto(two, two), InverseGamma(two, two), HalfCauchy(two), NegativeBinomial(two, some),
    NegativeBinomial(3, logits=two), Kumaraswamy(two, two),
    TransformedDistribution(Gamma(two, two), PowerTransform(torch.tensor(2.0, dtype=torch.float64))),
):
    x = d.sample((2,))
    print(d, x, d.log_prob(x.abs()), d.has_rsample, d.expand((3, 2)).sample().shape)
    for name in ("mean", "variance", "mode"):
        try:
            print(name, getattr(d, name))
        except NotImplementedError:
            print("no", name)
    try:
        print(d.entropy())
    except NotImplementedError:
        print("no entropy")
a, b = (torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (1.5, 2.0))
for made in (Weibull, Pareto, InverseGamma, Kumaraswamy):
    a.grad = b.grad = None
    made(a, b).rsample((3,)).sum().backward()
    print(a.grad, b.grad)
print(HalfCauchy(two).cdf(two), HalfCauchy(two).icdf(some), AbsTransform()(-two), SoftplusTransform().inv(two))
for wrong in (
    lambda: Weibull(-1.0, 1.0), lambda: Pareto(1.0, -1.0), lambda: InverseGamma(-1.0, 1.0), lambda: HalfCauchy(-2.0),
    lambda: NegativeBinomial(3, 1.5), lambda: NegativeBinomial(-1, 0.5), lambda: NegativeBinomial(3),
    lambda: Kumaraswamy(0.0, 1.0),
):
    try:
        wrong()
    except ValueError as error:
        print(error)
"""

APART = """
import torch
from torch.distributions import *
from torch.distributions import kl
from torch.distributions.kl import kl_divergence, register_kl
one, two = torch.tensor([0.5, 1.5], dtype=torch.float64), torch.tensor([1.2, 0.7], dtype=torch.float64)
for p, q in (
    (Normal(one, two), Laplace(two, one)), (Normal(one, two), Gumbel(two, one)), (Exponential(one), Gamma(two, one)),
    (Uniform(one - 1, two + 1), Exponential(one)), (Bernoulli(one / 2), Poisson(two)),
    (HalfCauchy(one), HalfCauchy(two)),
    (Pareto(one, two), Pareto(two, one)), (Pareto(one, two), Pareto(one, one)),
):
    print(type(p).__name__, type(q).__name__, kl_divergence(p, q))


class Bell(Normal):
    pass


try:
    kl_divergence(Bell(0.0, 1.0), Cauchy(0.0, 1.0))
except NotImplementedError as error:
    print(error)
print(kl_divergence(Bell(0.0, 1.0), Normal(1.0, 1.0)))


@register_kl(Bell, Normal)
def bell_to_normal(p, q):
    return p.loc + 40


@register_kl(Bell, Bell)
def bell_to_bell(p, q):
    return "bells"


@kl.register_kl(Bell, Cauchy)
def bell_to_cauchy(p, q):
    return "found"


print(kl_divergence(Bell(0.0, 1.0), Cauchy(0.0, 1.0)), kl_divergence(Bell(2.0, 1.0), Normal(1.0, 1.0)))
print(kl_divergence(Bell(0.0, 1.0), Bell(0.0, 1.0)), kl_divergence(Normal(0.0, 1.0), Bell(1.0, 1.0)))
print(bell_to_bell(1, 2))
"""


def held_against(name: str, code: str) -> None:
    def ask(torch: Any) -> Any:
        found = scripts.run(code, torch)
        return [found["stdout"], found["error"]]

    ending = in_interpreter(code)
    error = None if ending.type is None else [ending.type, ending.message, ending.line]
    assert [ending.stdout, error] == oracle.answer("distributions", name, ask)


@pytest.mark.parametrize("made", EXPRESSIONS)
def test_values_that_cannot_be_are_refused(made: str) -> None:
    held_against(made, SCRIPT.format(made=made))


def test_cumulative_distributions_and_the_default() -> None:
    held_against("cumulative", CUMULATIVE)


def test_draws_of_gamma_distributions_and_shares_have_gradients() -> None:
    held_against("drawn", DRAWN)


def test_distributions_that_are_rarer() -> None:
    held_against("rarer", RARER)


def test_how_far_distributions_of_two_kinds_are_apart_and_kinds_of_ones_own() -> None:
    held_against("apart", APART)


def test_what_policies_do_at_each_step() -> None:
    held_against("acting", ACTING)
