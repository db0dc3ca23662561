"""Modules of torch that are written in the scripts' own language: functions of functions, distributions, sparse
matrices, the memory of tensors."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.script import shipped
from engine.script.modules import MODULES
from engine.script.surface import ScriptModule
from tests.engine.script.compare import in_interpreter

GAMMA = """tensor([[0.5601, 4.9023],
        [0.0589, 3.3425]])
"""
"""What PyTorch prints."""

HOLDS = {
    "a module that loads, saves and keeps more in a way of its own": """
class Renamed(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gain, self.taken = torch.nn.Parameter(torch.ones(2)), 0
    def _load_from_state_dict(self, state_dict, prefix, *rest):
        if prefix + "scale" in state_dict:
            state_dict[prefix + "gain"] = state_dict.pop(prefix + "scale")
        super()._load_from_state_dict(state_dict, prefix, *rest)
    def get_extra_state(self):
        return {"taken": self.taken}
    def set_extra_state(self, state):
        self.taken = state["taken"]
net = torch.nn.Sequential(Renamed(), torch.nn.Linear(2, 2))
net[0].taken = 5
state = net.state_dict()
state = {key.replace("gain", "scale"): 2 * state[key] if key == "0.gain" else state[key] for key in state}
other = torch.nn.Sequential(Renamed(), torch.nn.Linear(2, 2))
other.load_state_dict(state)
print(list(state)[:2] == ["0.scale", "0._extra_state"], other[0].gain.tolist() == [2, 2], other[0].taken == 5)
""",
    "modules that are asked for their state with a place and a prefix": """
class More(torch.nn.Linear):
    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "more"] = torch.zeros(1)
class Asked(torch.nn.Module):
    def state_dict(self, *args, **options):
        asked.append(options["prefix"])
        return super().state_dict(*args, **options)
asked, place = [], {}
net = torch.nn.Sequential(More(1, 1), Asked())
same = net.state_dict(destination=place, prefix="net.") is place
said = []
for wrong in ((1, "", False), ({}, "x" * 20000, False)):
    try:
        net._save_to_state_dict(*wrong)
    except (TypeError, ValueError) as error:
        said.append(type(error).__name__)
print(same, list(place) == ["net.0.weight", "net.0.bias", "net.0.more"], asked == ["net.1."] and len(said) == 2)
""",
    "the older names of torch.func, and a model as a function of its parameters": """
import functorch, warnings
warnings.simplefilter("ignore")
net = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2)).eval()
call, params, buffers = functorch.make_functional_with_buffers(net)
plain, own = functorch.make_functional(net[0])
x = torch.randn(4, 3)
plain(own, x).sum().backward()
each = functorch.vmap(functorch.grad(lambda p, x: plain(p, x).sum()), in_dims=(None, 0))(own, x)
print(torch.equal(call(params, buffers, x), net(x)), net[0].weight.grad is None,
      torch.allclose(each[0].sum(0), own[0].grad))
""",
    "what is computed again in backward() has the same gradients, and none without an input that has some": """
from torch.utils.checkpoint import checkpoint
net = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.Dropout(), torch.nn.Tanh())
x = torch.randn(5, 4, requires_grad=True)
grads = []
for how in (True, False):
    torch.manual_seed(1)
    x.grad = None
    net.zero_grad()
    checkpoint(net, x, use_reentrant=how).pow(2).sum().backward()
    grads.append((x.grad.clone(), net[0].weight.grad.clone(), torch.rand(1)))
print(all(torch.equal(a, b) for a, b in zip(*grads)), grads[0][0].abs().sum().item() > 0,
      not checkpoint(net, x.detach(), use_reentrant=True).requires_grad)
""",
    "the older names of mixed precision warn": """
import warnings
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    with torch.cuda.amp.autocast(): pass
    scaler = torch.cuda.amp.GradScaler()
print([each.category.__name__ for each in told] == ["FutureWarning", "UserWarning"] * 2,
      str(told[0].message).startswith("`torch.cuda.amp.autocast(args...)` is deprecated."), not scaler.is_enabled())
""",
    "a bias that is computed takes part": """
import torch.nn.utils.parametrize as parametrize
class Five(torch.nn.Module):
    def forward(self, x): return x * 0 + 5
a = torch.nn.Linear(2, 2)
before = a(torch.ones(1, 2)) - a.bias
parametrize.register_parametrization(a, "bias", Five())
print(torch.allclose(a(torch.ones(1, 2)), before + 5), "bias" in a.parametrizations, a.bias.tolist() == [5, 5])
""",
    "per-example gradients are the gradients of the examples": """
from torch.func import functional_call, grad, vmap
net = torch.nn.Linear(3, 1)
params = {k: v.detach() for k, v in net.named_parameters()}
def loss(p, x, y): return ((functional_call(net, p, (x,)) - y) ** 2).mean()
x, y = torch.randn(4, 3), torch.randn(4, 1)
each = vmap(grad(loss), in_dims=(None, 0, 0))(params, x, y)
((net(x[2:3]) - y[2:3]) ** 2).mean().backward()
print(torch.allclose(each["weight"][2], net.weight.grad), not each["weight"].requires_grad, net.weight.is_leaf)
""",
    "functional_call leaves the module as it was, also after an error": """
from torch.func import functional_call
net = torch.nn.Linear(2, 1)
before = net.weight
try: functional_call(net, {"weight": torch.ones(5, 5)}, (torch.ones(1, 2),))
except RuntimeError: print(net.weight is before, isinstance(net.weight, torch.nn.Parameter), True)
""",
    "derivatives of derivatives": """
from torch.func import grad, hessian, jacrev, jvp, vjp
x = torch.tensor([0.1, 0.4])
f = lambda t: (t ** 3).sum()
out, back = vjp(torch.sin, x)
print(torch.allclose(hessian(f)(x), torch.diag(6 * x)), grad(grad(lambda t: t ** 3))(torch.tensor(2.0)).item() == 12.0,
      torch.allclose(back(torch.ones(2))[0], x.cos()) and torch.allclose(jvp(torch.sin, (x,), (x,))[1], x * x.cos())
      and torch.allclose(jacrev(torch.sin)(x), torch.diag(x.cos())))
""",
    "what a function gives beside belongs to no graph of the transform": """
from torch.func import grad, jacrev, jvp, vjp
def f(t): return (t * t).sum(), {"twice": t * 2}
x = torch.tensor([1.0, 2.0])
beside = [vjp(f, x, has_aux=True)[2], jvp(f, (x,), (x,), has_aux=True)[2], jacrev(f, has_aux=True)(x)[1],
          grad(f, has_aux=True)(x)[1]]
w = torch.ones(2, requires_grad=True)
same = all(torch.equal(each["twice"], x * 2) for each in beside)
print(not any(each["twice"].requires_grad for each in beside), same,
      vjp(lambda t: ((t * w).sum(), t * w), x, has_aux=True)[2].requires_grad)
""",
    "how far one distribution is from another is the mean of what their densities differ by": """
import torch.distributions as D
D.Distribution.set_default_validate_args(False)
a, b = torch.tensor([0.3, 0.8]), torch.tensor([0.7, 1.5])
grid, counts = torch.linspace(-15, 45, 60001).double()[:, None], torch.arange(300.0)[:, None]
def far(p, q, x, step=1.0):
    log = p.log_prob(x)
    return (torch.where(log > -80, log.exp() * (log - q.log_prob(x)), 0.0) * step).sum(0).float()
same = [torch.allclose(D.kl_divergence(p, q).float(), far(p, q, *at), rtol=1e-3) for p, q, *at in [
    (D.Gumbel(a, b), D.Gumbel(b, b), grid, 1e-3), (D.Gamma(b + 1, a), D.Normal(a, b * 3), grid[15001:], 1e-3),
    (D.Uniform(a / 4, b / 2), D.Beta(b, b), grid[15010:16001], 1e-3),
    (D.Geometric(a / 2), D.Geometric(b / 4), counts), (D.Binomial(5, a / 2), D.Binomial(5, b / 4), counts[:6])]]
moved = D.TransformedDistribution(D.Independent(D.Normal(torch.zeros(2, 3), 1.0), 1), D.AffineTransform(0.0, 2.0))
print(all(same), D.kl_divergence(D.Normal(a, b), D.Uniform(a, b)).isinf().all().item(),
      D.kl_divergence(moved, moved).tolist() == [0, 0])
""",
    "densities sum to one": """
import torch.distributions as D
at = torch.linspace(1e-4, 40, 400_000, dtype=torch.float64)
step = at[1] - at[0]
made = [D.LogNormal(0.0, 0.5), D.Gamma(2.0, 1.5), D.HalfNormal(2.0), D.Exponential(1.5)]
sums = [(d.log_prob(at).exp().sum() * step).item() for d in made]
print(all(abs(total - 1) < 2e-3 for total in sums), True, True)
""",
    "a mixture of one is its part": """
import torch.distributions as D
bell = D.MultivariateNormal(torch.zeros(2), torch.tensor([[2.0, 0.5], [0.5, 1.0]]))
part = D.MultivariateNormal(torch.zeros(1, 2), bell.covariance_matrix[None])
one = D.MixtureSameFamily(D.Categorical(torch.ones(1)), part)
x = torch.randn(5, 2)
print(torch.allclose(bell.log_prob(x), one.log_prob(x)), D.kl_divergence(bell, bell).abs().item() < 1e-5,
      one.sample((3,)).shape == (3, 2))
""",
    "a sparse product is the dense one, with its gradient": """
s = torch.sparse_coo_tensor(torch.tensor([[0, 1, 1, 0], [2, 0, 2, 2]]), torch.tensor([3.0, 4.0, 5.0, 1.0]), (2, 3))
d = torch.randn(3, 2, requires_grad=True)
torch.spmm(s, d).sum().backward()
print(torch.allclose(s @ d, s.to_dense() @ d), torch.equal(d.grad, s.to_dense().T @ torch.ones(2, 2)),
      torch.equal(s.coalesce().values(), torch.tensor([4.0, 4.0, 5.0])) and s.to_dense().to_sparse()._nnz() == 3)
""",
    "sparse and dense matrices are added and printed": """
s = torch.sparse_coo_tensor(torch.tensor([[0, 1], [2, 0]]), torch.tensor([3.0, 4.0]), (2, 3))
print(torch.equal(torch.ones(2, 3) + s, 1 + s.to_dense()), torch.equal((s + s).to_dense(), 2 * s.to_dense()),
      str(s).splitlines()[1] == " " * 23 + "[2, 0]]),")
""",
    "pruned weights are masked before each forward and can be kept": """
import torch.nn.utils.prune as prune
net = torch.nn.Linear(4, 3)
prune.l1_unstructured(net, "weight", amount=0.5)
smallest = net.weight_orig.detach().abs().flatten().sort()[0][:6].max()
zeros = torch.equal(net.weight == 0, net.weight_orig.abs() <= smallest)
prune.ln_structured(net, "weight", amount=1, n=2, dim=0)
whole = (net.weight_mask.sum(1) == 0).sum().item() >= 1 and len(list(net._forward_pre_hooks.values())[0]) == 2
net(torch.ones(1, 4)).sum().backward()
print(zeros and prune.is_pruned(net), whole and (net.weight_orig.grad[net.weight_mask == 0] == 0).all().item(),
      sorted(prune.remove(net, "weight").state_dict()) == ["bias", "weight"] and not prune.is_pruned(net))
""",
    "a parametrized weight is computed when it is read": """
import torch.nn.utils.parametrize as parametrize
from torch.nn.utils.parametrizations import spectral_norm, weight_norm
class Symmetric(torch.nn.Module):
    def forward(self, x): return x.triu() + x.triu(1).T
    def right_inverse(self, a): return a.triu()
net = parametrize.register_parametrization(torch.nn.Linear(3, 3), "weight", Symmetric())
net.weight = torch.tensor([[1.0, 2, 3], [2, 4, 5], [3, 5, 6]])
net.weight.sum().backward()
names = [name for name, _ in net.named_parameters()] == ["bias", "parametrizations.weight.original"]
twice = net.parametrizations.weight.original.grad[0, 1].item() == 2 and "ParametrizedLinear" in repr(net)
parametrize.remove_parametrizations(net, "weight")
normed = weight_norm(torch.nn.Linear(3, 2))
normed.parametrizations.weight.original0.data.fill_(2.0)
print(names and twice, isinstance(net.weight, torch.nn.Parameter) and net.weight[1, 0].item() == 2.0,
      torch.allclose(normed.weight.norm(dim=1), torch.full((2,), 2.0))
      and abs(torch.linalg.matrix_norm(spectral_norm(torch.nn.Linear(5, 4)).weight, 2).item() - 1) < 0.05)
""",
    "tqdm is a class that writes lines": """
import sys
from tqdm import tqdm, trange
with tqdm(total=3) as bar:
    bar.update(1)
    tqdm.write("True", end=" ", file=sys.stdout)
bar.write(str(isinstance(bar, tqdm)), end=" ")
print([i for i in tqdm(range(3))] + [i for i in trange(2)] == [0, 1, 2, 0, 1])
""",
    "a class variable is no field, evaluated or not": """
from dataclasses import dataclass, fields
from typing import ClassVar
@dataclass
class A:
    x: int = 1
    n: ClassVar[int] = 2
@dataclass
class B:
    x: "int" = 1
    n: "ClassVar[int]" = 2
print([f.name for f in fields(A)] == ["x"], [f.name for f in fields(B)] == ["x"], repr(B()) == "B(x=1)")
""",
    "modules of one family have addresses of their own": """
import torch.distributions as D
from torch.functional import F
print(torch.distributions.normal.Normal is D.Normal, D.kl.kl_divergence is D.kl_divergence,
      D.categorical.Categorical is D.Categorical and F is torch.nn.functional)
""",
    "what is written into a storage stands in every view": """
x = torch.arange(6.0).reshape(2, 3)
held = x.t().storage()
held[4] = 9.0
print(x[1, 1].item() == 9.0, len(held) == 6, held.data_ptr() == x.storage().data_ptr())
""",
    "what other processes would do is done in turn": """
import signal, multiprocessing as mp, torch.multiprocessing as tmp
def work(rank, queue): queue.put(rank * rank)
tmp.set_sharing_strategy("file_system")
mp.set_start_method("spawn", force=True)
signal.signal(signal.SIGINT, signal.SIG_DFL)
queue = mp.Queue()
each = [mp.Process(target=work, args=(i, queue)) for i in range(3)]
for p in each: p.start()
for p in each: p.join()
tmp.spawn(work, args=(queue,), nprocs=2)
with mp.get_context("fork").Pool(mp.cpu_count()) as pool:
    mapped = pool.map(abs, [-1, 2]), list(pool.imap(abs, [-3])), pool.starmap(pow, [(2, 2)])
    later = pool.apply_async(pow, (2, 3))
print([queue.get() for _ in range(5)] == [0, 1, 4, 0, 1], mapped == ([1, 2], [3], [4]),
      later.get() == 8 and each[0].exitcode == 0)
""",
    "storages of one dtype, made of numbers or of a count": """
held = torch.DoubleStorage([2, 3.5])
shown = " 2.0\\n 3.5\\n[torch.storage.TypedStorage(dtype=torch.float64, device=cpu) of size 2]"
print(str(held) == shown and len(torch.LongStorage(3)) == 3 and torch.FloatTensor(held).tolist() == [2, 3.5],
      torch.is_storage(held) and torch.is_storage(torch.ones(1).untyped_storage()), not torch.is_storage([1]))
""",
    "a storage without a dtype is bytes": """
x = torch.tensor([1.0, 2.0])
held = x[1:].untyped_storage()
shown = "64\\n[torch.storage.UntypedStorage(device=cpu) of size 8]"
print(held.data_ptr() == x.untyped_storage().data_ptr() == x.data_ptr(), held.tolist() == [0, 0, 128, 63, 0, 0, 0, 64],
      str(held).endswith(shown) and held.nbytes() == len(held) == 8)
""",
    "bases of layers and losses, by the files they are in": """
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.loss import _Loss
from torch.nn.modules.conv import _ConvNd
class Absolute(_Loss):
    def forward(self, a, b):
        return getattr((a - b).abs(), self.reduction)()
net = nn.Sequential(nn.Conv1d(2, 3, 1), nn.BatchNorm1d(3))
print(Absolute(reduction="sum")(torch.ones(3), torch.zeros(3)).item() == 3, str(Absolute()) == "Absolute()",
      [isinstance(m, _BatchNorm) for m in net] == [isinstance(m, nn.BatchNorm1d) for m in net] and
      isinstance(net[0], _ConvNd) and str(_BatchNorm) == "<class 'torch.nn.modules.batchnorm._BatchNorm'>")
""",
    "what belongs to groups of processes can be asked about where there is no group": """
from torch.nn.parallel import DistributedDataParallel as DDP
net = torch.nn.Linear(2, 1)
try:
    DDP(net)
except ValueError as error:
    said = str(error)
raw = net.module if isinstance(net, (DDP, torch.nn.DataParallel)) else net
print(raw is net, said.startswith("Default process group has not been initialized"),
      not torch.distributed.is_initialized())
""",
    "a module with other parameters, by the older name": """
from torch.nn.utils import stateless
net = torch.nn.Linear(2, 1)
inner = {name: p - 0.5 for name, p in net.named_parameters()}
x = torch.ones(3, 2)
out = torch.nn.utils.stateless.functional_call(net, inner, x)
out.sum().backward()
print(torch.allclose(out, net(x) - 1.5), net.weight.grad is not None,
      stateless.functional_call(net, {}, (x,)).equal(net(x)))
""",
    "functions of each element, and items by the method's name": """
t = torch.arange(6.).view(2, 3)
same = t.T.apply_(lambda v: 2 * v)
t.map_(torch.ones(3), lambda a, b: a - b)
t.__setitem__((0, 0), 7)
try:
    torch.ones(2, requires_grad=True).apply_(abs)
except RuntimeError as error:
    said = str(error)
print(t.tolist() == [[7, 1, 3], [5, 7, 9]], t.__getitem__(0).equal(t[0]) and t.__len__() == 2 and same.shape == (3, 2),
      said == "Can't call apply_() on Variable that requires grad. Use var.detach().apply_() instead.")
""",
    "hooks of a module, to count": """
net = torch.nn.Linear(2, 1)
before = [len(net._forward_hooks), len(net._backward_hooks)]
one = net.register_forward_hook(lambda *given: None)
two = net.register_full_backward_hook(lambda *given: None)
print(before == [0, 0], list(net._forward_hooks.values()) != [], len(net._backward_hooks) == 1)
""",
    "slots of a class over one that takes every attribute": """
from torch.utils.data import Dataset
class Layer(torch.nn.Module):
    __slots__ = ("kept",)
    def __init__(self):
        super().__init__()
        self.w, self.anything = torch.nn.Parameter(torch.ones(2)), 3
class Rows(Dataset):
    __slots__ = ()
    def __init__(self):
        self.n = 4
    def __len__(self):
        return self.n
class Slim:
    __slots__ = ("x",)
slim = Slim()
try:
    slim.y = 1
except AttributeError:
    refused = True
print([n for n, p in Layer().named_parameters()] == ["w"], Layer().anything == 3 and len(Rows()) == 4, refused)
""",
    "rows and columns shuffled each for itself": """
import numpy as np
rng = np.random.default_rng(0)
x = np.arange(6).reshape(2, 3)
y = rng.permuted(x, axis=1)
print(y.tolist() == [[2, 0, 1], [5, 4, 3]], x[0, 0] == 0, sorted(rng.permuted([1, 2, 3])) == [1, 2, 3])
""",
    "trees of containers are taken apart and put together again, leaf by leaf": """
from collections import OrderedDict, defaultdict, deque, namedtuple
from torch.utils import _pytree as pytree
Pair = namedtuple("Pair", "x y")
tree = {"b": [1, (2.0, None)], "a": Pair(torch.ones(2), deque([3], maxlen=4)), "o": OrderedDict(z=5)}
tree["d"] = defaultdict(int, k=6)
leaves, spec = pytree.tree_flatten(tree)
again = pytree.tree_map_only((int, float), lambda x: x + 1, tree)
told = []
for rest in ([1], (1, 2), {"x": 1}):
    try:
        pytree.tree_map(lambda a, b: a, [1, 2], rest)
    except ValueError as error:
        told.append(str(error))
try:
    spec.unflatten([1])
except ValueError as error:
    told.append(str(error).partition(" (")[0])
print(str(pytree.tree_structure({"a": 1, "b": [2, (3, None)]})) == '''TreeSpec(dict, ['a', 'b'], [*,
  TreeSpec(list, None, [*,
    TreeSpec(tuple, None, [*,
      *])])])''',
      leaves[:3] + leaves[4:] == [1, 2.0, None, 3, 5, 6] and spec.unflatten(leaves)["a"].y == deque([3])
      and again["b"] == [2, (3.0, None)] and again["d"] == {"k": 7} and type(again["a"]) is Pair,
      told == ["Node arity mismatch; expected 2, but got 1.",
               "Node type mismatch; expected <class 'list'>, but got <class 'tuple'>.",
               "Node type mismatch; expected <class 'list'>, but got <class 'dict'>.",
               "treespec.unflatten(leaves): `leaves` has length 1 but the spec refers to a pytree that holds 7 items"])
""",
    "a sampler of endless draws draws what is asked for, in turns of 32": """
from torch.utils.data import DataLoader, RandomSampler
drawn = iter(RandomSampler(range(10), True, int(1e10), torch.Generator().manual_seed(3)))
short = RandomSampler(range(10), True, 40, torch.Generator().manual_seed(3))
batches = iter(DataLoader(torch.arange(10), 4, sampler=RandomSampler(range(10), True, int(1e10))))
print([next(drawn) for _ in range(40)] == list(short), len(RandomSampler(range(10), True, int(1e10))) == 10**10,
      [len(next(batches)) for _ in range(9)] == [4] * 9)
""",
    "a device by the name of the argument": """
told = []
for make in (lambda: torch.device("cpu", device="cpu"), lambda: torch.device(device="cpu", type="cpu")):
    try:
        make()
    except TypeError as error:
        told.append(str(error))
print(torch.device(device="cuda:1") == torch.device("cuda", 1), torch.device(device=torch.device("cpu")).type == "cpu",
      told == ["device() got an unexpected keyword argument 'device'"] * 2)
""",
}


@pytest.mark.parametrize("source", HOLDS.values(), ids=list(HOLDS))
def test_holds(source: str) -> None:
    ending = in_interpreter("import torch\ntorch.manual_seed(0)\n" + source)
    assert ending.type is None, ending
    assert ending.stdout == "True True True\n"


def test_gamma_draws_are_those_of_pytorch() -> None:
    source = "import torch\ntorch.manual_seed(3)\nd = torch.distributions.Gamma(torch.tensor([0.3, 2.0]), 1.0)\n"
    ending = in_interpreter(source + "print(d.sample((2,)))")
    assert ending.stdout == GAMMA


def test_classes_are_named_with_the_modules_that_they_have_elsewhere() -> None:
    source = """
import torch, pandas as pd, fractions
from sklearn.utils import Bunch
total = torch.ones(2, requires_grad=True).sum()
print(type(total.grad_fn), type(total.grad_fn.next_functions[0][0]))
print(pd.DataFrame, pd.Series.__module__, Bunch, type(fractions.Fraction(1)))
class Own:
    pass
print(Own, Own.__module__)
"""
    assert in_interpreter(source).stdout == (
        "<class 'SumBackward0'> <class 'AccumulateGrad'>\n"
        "<class 'pandas.DataFrame'> pandas <class 'sklearn.utils.Bunch'> <class 'fractions.Fraction'>\n"
        "<class '__main__.Own'> __main__\n"
    )


def test_numpy_takes_what_has_an_array_of_its_own() -> None:
    source = """
import numpy as np
class Table:
    def __array__(self, dtype=None, copy=None):
        return np.ones((2, 3))
print(np.asarray(Table()).shape, np.mean(Table()))
"""
    assert in_interpreter(source).stdout == "(2, 3) 1.0\n"


@pytest.mark.parametrize("text", ["", '"""Nothing but words."""\n', "# a comment\n"])
def test_a_module_of_nothing_but_words(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "worded.py"
    path.write_text(text)
    monkeypatch.setitem(shipped.FILES, "worded", path)
    monkeypatch.setitem(MODULES, "worded", lambda: ScriptModule("worded", shipped._execute("worded")))
    monkeypatch.setattr(shipped, "_code", shipped._code.__wrapped__)
    assert in_interpreter("import worded\nprint(dir(worded))\n").stdout == "[]\n"


def test_a_method_that_is_printed_for_want_of_parentheses_is_told_by_the_class_that_has_it_in_pytorch() -> None:
    source = """
import torch
from torch import nn
net, conv, norm = nn.Linear(1, 1), nn.Conv2d(1, 1, 1), nn.BatchNorm1d(1)
for method in (net.parameters, net.forward, conv.forward, conv.reset_parameters, norm.forward):
    print(str(method).split(" of ")[0])
print(torch.optim.SGD([torch.ones(1)], 0.1).zero_grad.__name__, nn.MSELoss().forward)
"""
    told = [
        "Module.parameters",
        "Linear.forward",
        "Conv2d.forward",
        "_ConvNd.reset_parameters",
        "_BatchNorm.forward",
    ]
    lines = [f"<bound method {each}" for each in told]
    lines.append("zero_grad <bound method MSELoss.forward of MSELoss()>")
    assert in_interpreter(source).stdout.splitlines() == lines
