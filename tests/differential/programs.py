"""Programs of random steps on a pool of tensors, and what they tell: for PyTorch and the engine alike.

A step takes torch and two tensors of the pool. A program is a list of (step, first tensor, second tensor, mode); what
a step gives joins the pool."""

from __future__ import annotations

import contextlib
import warnings
from typing import Any

import numpy as np

# fmt: off
PURE: list[Any] = [
    lambda t, a, b: a + b,
    lambda t, a, b: a * b,
    lambda t, a, b: a - 2 * b,
    lambda t, a, b: a / (b * b + 1),
    lambda t, a, b: a / 2,
    lambda t, a, b: a // 2,
    lambda t, a, b: a % 2,
    lambda t, a, b: a * 0.5,
    lambda t, a, b: 1 - a,
    lambda t, a, b: 2 / a,
    lambda t, a, b: a * 3,
    lambda t, a, b: t.sin(a),
    lambda t, a, b: t.exp(a),
    lambda t, a, b: t.tanh(a),
    lambda t, a, b: t.sigmoid(a),
    lambda t, a, b: t.relu(a),
    lambda t, a, b: t.sqrt(a),
    lambda t, a, b: t.log(a),
    lambda t, a, b: a ** 2,
    lambda t, a, b: a ** b if b.dtype is not t.bool else None,
    lambda t, a, b: 2 ** a,
    lambda t, a, b: a.abs(),
    lambda t, a, b: -a,
    lambda t, a, b: ~a,
    lambda t, a, b: a.clone(),
    lambda t, a, b: a.contiguous(),
    lambda t, a, b: a.sum(),
    lambda t, a, b: a.sum(0),
    lambda t, a, b: a.mean(0),
    lambda t, a, b: a.sum(-1, keepdim=True),
    lambda t, a, b: a.mean(),
    lambda t, a, b: a.var(0),
    lambda t, a, b: a.std(),
    lambda t, a, b: a.norm(),
    lambda t, a, b: a.prod(0),
    lambda t, a, b: a.max(),
    lambda t, a, b: a.max(0).values,
    lambda t, a, b: a.min(-1)[0],
    lambda t, a, b: a.amax(0),
    lambda t, a, b: a.argmax(),
    lambda t, a, b: a.sort(0)[0],
    lambda t, a, b: t.mm(a, b),
    lambda t, a, b: a @ b,
    lambda t, a, b: t.matmul(b, a),
    lambda t, a, b: t.maximum(a, b),
    lambda t, a, b: t.where(a > 0, a, b),
    lambda t, a, b: a > b,
    lambda t, a, b: a == b,
    lambda t, a, b: (a > 0) & (b > 0),
    lambda t, a, b: t.cat([a, b]),
    lambda t, a, b: t.stack([a, b]),
    lambda t, a, b: a.clamp(-0.5, 0.5),
    lambda t, a, b: a.clamp(min=0),
    lambda t, a, b: a.cumsum(0),
    lambda t, a, b: t.softmax(a, -1),
    lambda t, a, b: t.log_softmax(a, 0),
    lambda t, a, b: t.logsumexp(a, 0),
    lambda t, a, b: a.masked_fill(a > 0, 0.5),
    lambda t, a, b: a[a > 0],
    lambda t, a, b: a[[0, 1]],
    lambda t, a, b: a[b > 0],
    lambda t, a, b: a.index_select(0, t.tensor([1, 0, 1])),
    lambda t, a, b: a.gather(0, t.zeros_like(a, dtype=t.int64)),
    lambda t, a, b: a.flip(0),
    lambda t, a, b: a.roll(1, 0),
    lambda t, a, b: a.repeat(2, 1),
    lambda t, a, b: a.tril(),
    lambda t, a, b: a.double(),
    lambda t, a, b: a.float(),
    lambda t, a, b: a.long(),
    lambda t, a, b: a.bool(),
    lambda t, a, b: a.to(b.dtype),
    lambda t, a, b: t.nn.functional.linear(a, b),
    lambda t, a, b: t.nn.functional.mse_loss(a, b),
    lambda t, a, b: t.nn.functional.gelu(a),
    lambda t, a, b: t.nn.functional.softplus(a),
    lambda t, a, b: t.nn.functional.leaky_relu(a),
    lambda t, a, b: t.addmm(a, a, b),
    lambda t, a, b: t.outer(a.flatten(), b.flatten()),
    lambda t, a, b: t.zeros_like(a),
    lambda t, a, b: t.full_like(a, 2),
]
VIEWS: list[Any] = [
    lambda t, a, b: a.view(-1),
    lambda t, a, b: a.view(2, -1),
    lambda t, a, b: a.reshape(-1),
    lambda t, a, b: a.reshape(1, *a.shape),
    lambda t, a, b: a.t(),
    lambda t, a, b: a.transpose(0, 1),
    lambda t, a, b: a.T,
    lambda t, a, b: a.mT,
    lambda t, a, b: a[0],
    lambda t, a, b: a[1:],
    lambda t, a, b: a[::2],
    lambda t, a, b: a[:, 1],
    lambda t, a, b: a[..., 0],
    lambda t, a, b: a[0, 1:],
    lambda t, a, b: a[None],
    lambda t, a, b: a[:],
    lambda t, a, b: a[...],
    lambda t, a, b: a.unsqueeze(0),
    lambda t, a, b: a.unsqueeze(-1),
    lambda t, a, b: a.squeeze(),
    lambda t, a, b: a.squeeze(0),
    lambda t, a, b: a.unbind(0)[0],
    lambda t, a, b: a.unbind(0)[1],
    lambda t, a, b: a.split(1)[0],
    lambda t, a, b: a.split(1)[1],
    lambda t, a, b: a.split([1, 1])[1],
    lambda t, a, b: a.chunk(2)[1],
    lambda t, a, b: next(iter(a)),
    lambda t, a, b: a.diagonal(),
    lambda t, a, b: a.narrow(0, 0, 1),
    lambda t, a, b: a.select(0, 1),
    lambda t, a, b: a.flatten(),
    lambda t, a, b: a.view_as(b),
    lambda t, a, b: a.permute(1, 0),
    lambda t, a, b: a.movedim(0, -1),
    lambda t, a, b: a.expand(2, *a.shape),
    lambda t, a, b: a.expand_as(b),
    lambda t, a, b: t.broadcast_to(a, (2, 2, 2)),
    lambda t, a, b: a.detach(),
    lambda t, a, b: a.data,
    lambda t, a, b: a.unfold(0, 2, 1),
    lambda t, a, b: a[:1].unflatten(0, (1, -1)),
]
CHANGES: list[Any] = [
    lambda t, a, b: a.add_(1),
    lambda t, a, b: a.add_(b),
    lambda t, a, b: a.mul_(2),
    lambda t, a, b: a.mul_(b),
    lambda t, a, b: a.sub_(b),
    lambda t, a, b: a.div_(2),
    lambda t, a, b: a.div_(b),
    lambda t, a, b: a.pow_(2),
    lambda t, a, b: a.neg_(),
    lambda t, a, b: a.exp_(),
    lambda t, a, b: a.sqrt_(),
    lambda t, a, b: a.sigmoid_(),
    lambda t, a, b: a.zero_(),
    lambda t, a, b: a.fill_(0.5),
    lambda t, a, b: a.fill_(b),
    lambda t, a, b: a.copy_(b),
    lambda t, a, b: a.sin_(),
    lambda t, a, b: a.tanh_(),
    lambda t, a, b: a.relu_(),
    lambda t, a, b: t.nn.functional.relu(a, inplace=True),
    lambda t, a, b: a.clamp_(-1, 1) if a.is_floating_point() else None,
    lambda t, a, b: a.abs_(),
    lambda t, a, b: a.masked_fill_(a > 0, 0.25),
    lambda t, a, b: a.index_fill_(0, t.tensor([0]), 0.5) if a.numel() else None,
    lambda t, a, b: a.index_add_(0, t.tensor([0]), b[:1]) if a.numel() else None,
    lambda t, a, b: a.__setitem__(0, 0.25),
    lambda t, a, b: a.__setitem__(0, b[0]),
    lambda t, a, b: a.__setitem__((slice(None), 1), b[:, 0]),
    lambda t, a, b: a.__setitem__(slice(1, None), b[1:]),
    lambda t, a, b: a.__setitem__(a > 0, 0.5),
    lambda t, a, b: a.__setitem__(t.tensor([1, 0]), b),
    lambda t, a, b: a.__setitem__(..., b),
    lambda t, a, b: a.__iadd__(b),
    lambda t, a, b: a.__imul__(0.5),
    lambda t, a, b: a.__isub__(b.mean()),
    lambda t, a, b: a.data.mul_(0.5),
    lambda t, a, b: a.detach().mul_(0.5),
    lambda t, a, b: a.requires_grad_(),
    lambda t, a, b: None if a.requires_grad else a.requires_grad_(False),
    lambda t, a, b: (a * 1).squeeze_(),
    lambda t, a, b: (a * 1).unsqueeze_(0),
    lambda t, a, b: (a * 1).t_(),
    lambda t, a, b: a.retain_grad(),
    lambda t, a, b: a.register_hook(lambda g: g * 2) and None,
    lambda t, a, b: a.sum().backward(retain_graph=True),
    lambda t, a, b: (a * a).sum().backward(),
    lambda t, a, b: t.autograd.grad((a * a * a).sum(), a, create_graph=True)[0] if a.is_contiguous() else None,
]
# fmt: on
STEPS = PURE + VIEWS + CHANGES
HOOK = CHANGES[-4]
STALE = ("its base or another view of its base has been modified inplace", "A view was created in")
MODES = ("", "", "", "", "no_grad", "inference")

Step = tuple[int, int, int, int]


def start(torch: Any, kind: int) -> list[Any]:
    """The pool at the beginning: leaves and results, and, by `kind`, numbers of other dtypes, shapes and values."""
    made = np.random.RandomState(3)
    w = torch.from_numpy(made.standard_normal((2, 2))).requires_grad_()
    x = torch.from_numpy(made.standard_normal((2, 2))).requires_grad_()
    c = torch.from_numpy(made.standard_normal((2, 2)))
    v = torch.from_numpy(made.standard_normal(2)).requires_grad_()
    pool = [w, x, c, v, w * 1.5, x + c]
    if kind == 1:
        pool += [torch.tensor([[1, -2], [3, 0]]), torch.tensor([True, False]), torch.tensor(2), torch.tensor(0.5)]
    if kind == 2:
        pool += [torch.tensor([[0.0, float("nan")], [float("inf"), -1.0]], dtype=torch.float64, requires_grad=True)]
        pool += [torch.zeros(0, 2, dtype=torch.float64, requires_grad=True), torch.tensor(1.5, requires_grad=True)]
    if kind == 3:
        pool += [
            torch.from_numpy(made.standard_normal((2, 2, 2))).requires_grad_(),
            torch.ones(1, 2, requires_grad=True),
        ]
        pool += [torch.ones(2, dtype=torch.float32), torch.from_numpy(made.standard_normal((2, 3, 2)))]
    return pool


def tried(function: Any) -> Any:
    """A result, or the error in words."""
    try:
        return function()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def told(t: Any) -> list[Any]:
    """Everything that a script can ask of a tensor."""
    node = tried(lambda: t.grad_fn)
    name = node if node is None or isinstance(node, str) else node.name()
    below = None
    if name is not None and node is not name:
        below = [None if n is None else n.name() for n, _ in node.next_functions]
    version = tried(lambda: t._version)
    grad = None if t.grad is None else t.grad.tolist()
    strides = [s for s, n in zip(t.stride(), t.shape, strict=True) if n > 1] if t.numel() else None
    facts = [str(t.dtype), list(t.shape), strides, t.requires_grad, tried(lambda: t.is_leaf), version, t.output_nr]
    return [t.tolist(), facts, name, below, grad]


def _modes(torch: Any, mode: str) -> Any:
    if mode == "no_grad":
        return torch.no_grad()
    return torch.inference_mode() if mode == "inference" else contextlib.nullcontext()


def _folded(x: Any) -> bool:
    """Whether elements of an array share memory other than by being one and the same (as windows do)."""
    return all(x.strides) and np.lib.array_utils.byte_bounds(x)[1] - np.lib.array_utils.byte_bounds(x)[0] < x.nbytes


def execute(torch: Any, program: list[Step], kind: int) -> list[Any]:
    """What each step gave or raised, all tensors at the end, and the gradients of each tensor's sum."""
    pool = start(torch, kind)
    leaves = [each for each in pool if each.requires_grad and each.is_leaf]
    log: list[Any] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for step, first, second, mode in program:
            a, b = pool[first % len(pool)], pool[second % len(pool)]
            if step >= len(PURE) + len(VIEWS):
                x, y = a.detach().numpy(), b.detach().numpy()
                if (a is not b and np.shares_memory(x, y)) or _folded(x):
                    continue  # what a change of overlapping memory gives depends on the order of the elements
                if STEPS[step] is HOOK and any(a is not c and np.shares_memory(x, c.detach().numpy()) for c in pool):
                    continue  # PyTorch 2.13 crashes on some: a hook of a view whose base was changed in inference_mode
            with _modes(torch, MODES[mode]):
                result = tried(lambda a=a, b=b, step=step: STEPS[step](torch, a, b))
            if isinstance(result, str):
                log.append(result)
            elif hasattr(result, "requires_grad") and not any(result is each for each in pool):
                if result.is_inference():
                    continue
                log.append([str(result.dtype), list(result.shape), result.requires_grad])
                pool.append(result)
        log += [told(each) for each in pool]
        for i, each in enumerate(pool):
            if not each.requires_grad:
                continue
            wanted = [leaf for leaf in leaves if leaf.requires_grad]
            found = tried(
                lambda each=each, wanted=wanted: torch.autograd.grad(
                    each.sum(), wanted, allow_unused=True, retain_graph=True
                )
            )
            log.append([i, found if isinstance(found, str) else [None if g is None else g.tolist() for g in found]])
    return log


def near(a: Any, b: Any) -> bool:
    """The same structure and words, and the same numbers to the last few digits. Where two things are wrong at once,
    one of them with a view that cannot be used any more, either may be told."""
    if isinstance(a, str) and isinstance(b, str) and any(words in b for words in STALE):
        return "Error: " in a
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(near(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, float) and isinstance(b, float):
        return bool(np.isclose(a, b, 1e-5, 1e-6, equal_nan=True))
    return type(a) is type(b) and bool(a == b)
