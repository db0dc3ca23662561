"""Modules that PyTorch's own database leaves out, in small programs: what they print is what PyTorch prints."""

from __future__ import annotations

import contextlib
import io
import textwrap
from typing import Any

import pytest

import engine
from tests.differential import oracle

pytestmark = pytest.mark.filterwarnings("ignore")

PROGRAMS = {
    "lazy linear": """
        m = nn.Sequential(nn.LazyLinear(4), nn.ReLU(), nn.LazyLinear(2, bias=False))
        print(m)
        parameters = list(m.parameters())
        print(m(torch.randn(3, 5)), m, m[0].weight.shape)
        print([a is b for a, b in zip(parameters, m.parameters())])
    """,
    "lazy convolutions": """
        for c, shape in [(nn.LazyConv1d(4, 3), (1, 2, 5)), (nn.LazyConv2d(4, 3, padding=1, groups=2), (1, 2, 4, 4)),
                         (nn.LazyConvTranspose2d(2, 2, bias=False), (1, 3, 2, 2)),
                         (nn.LazyConv3d(1, 1), (1, 2, 2, 2, 2))]:
            print(c, type(c).__name__, c(torch.randn(*shape)).sum(), c, type(c).__name__)
    """,
    "lazy norms": """
        for b, shape in [(nn.LazyBatchNorm1d(), (4, 3)), (nn.LazyBatchNorm2d(affine=False), (2, 3, 2, 2)),
                         (nn.LazyInstanceNorm1d(affine=True), (2, 3, 4))]:
            print(b.eval() is b, b(torch.randn(*shape)).sum(), b, list(b.state_dict()))
    """,
    "bags": """
        e = nn.EmbeddingBag(10, 3, mode="sum")
        print(e, e(torch.tensor([1, 2, 4, 5, 4, 3, 2, 9]), torch.tensor([0, 4])))
        for mode in ("mean", "max", "sum"):
            e = nn.EmbeddingBag(5, 2, mode=mode, padding_idx=2)
            out = e(torch.tensor([[0, 1, 2], [2, 2, 2], [3, 3, 0]]))
            out.sum().backward()
            print(out, e.weight.grad, e)
    """,
    "weight norm": """
        m = nn.utils.weight_norm(nn.Linear(3, 2))
        out = m(torch.ones(1, 3))
        out.sum().backward()
        print(m, [name for name, _ in m.named_parameters()], out, m.weight_g.grad, m.weight_v.grad)
        nn.utils.remove_weight_norm(m)
        print([name for name, _ in m.named_parameters()], m(torch.ones(1, 3)))
    """,
    "spectral norm": """
        m = nn.utils.spectral_norm(nn.Linear(3, 4))
        print([name for name, _ in m.named_parameters()], list(m.state_dict()))
        out = m(torch.ones(1, 3))
        out.sum().backward()
        print(out, m.weight_orig.grad, m.weight_u)
        print(m.eval()(torch.ones(2, 3)))
        nn.utils.remove_spectral_norm(m)
        print([name for name, _ in m.named_parameters()])
        print(nn.utils.spectral_norm(nn.ConvTranspose2d(2, 3, 2), n_power_iterations=3)(torch.ones(1, 2, 2, 2)).sum())
    """,
    "data parallel": """
        m = nn.DataParallel(nn.Linear(2, 2))
        print(m, m(torch.ones(1, 2)), list(m.state_dict()), m.module)
    """,
    "adaptive softmax": """
        m = nn.AdaptiveLogSoftmaxWithLoss(8, 20, [5, 10], div_value=2.0, head_bias=True)
        x = torch.randn(6, 8)
        out = m(x, torch.tensor([0, 3, 7, 12, 19, 5]))
        out.loss.backward()
        print(m, out, m.head.bias.grad, m.predict(x), m.log_prob(x)[0])
    """,
    "sampled": """
        theta = torch.tensor([[[0.5, 0.2, 0.1], [0.0, 1.0, -0.3]]], requires_grad=True)
        grid = F.affine_grid(theta, (1, 1, 3, 4), False)
        out = F.grid_sample(torch.arange(12.0).view(1, 1, 3, 4), grid, align_corners=False)
        print(grid, out)
        print(F.affine_grid(torch.eye(3, 4)[None], (1, 1, 2, 2, 2), align_corners=True))
        print(nn.FractionalMaxPool2d(2, output_ratio=0.6)(torch.randn(1, 2, 6, 6)))
    """,
    "refused": """
        for make in (lambda: nn.AdaptiveLogSoftmaxWithLoss(8, 20, [25]),
                     lambda: nn.AdaptiveLogSoftmaxWithLoss(8, 20, []),
                     lambda: nn.utils.spectral_norm(nn.Linear(1, 1), n_power_iterations=0),
                     lambda: nn.utils.remove_weight_norm(nn.Linear(1, 1)),
                     lambda: F.embedding_bag(torch.tensor([1]), torch.ones(3, 2)),
                     lambda: F.embedding_bag(torch.tensor([[1]]), torch.ones(3, 2), mode="most"),
                     lambda: F.grid_sample(torch.ones(1, 1, 2, 2), torch.ones(2, 2, 2, 2)),
                     lambda: F.affine_grid(torch.ones(1, 2, 2), (1, 1, 2, 2)),
                     lambda: nn.FractionalMaxPool2d(2), lambda: nn.FractionalMaxPool2d(2, 3, 0.5)):
            try:
                make()
            except Exception as error:
                print(type(error).__name__, error)
    """,
}


def _printed(torch: Any, name: str) -> str:
    text = io.StringIO()
    torch.manual_seed(0)
    with contextlib.redirect_stdout(text):
        exec(textwrap.dedent(PROGRAMS[name]), {"torch": torch, "nn": torch.nn, "F": torch.nn.functional})
    return text.getvalue()


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_printed_is_what_pytorch_prints(name: str) -> None:
    assert _printed(engine, name) == oracle.answer("whole_modules", name, lambda torch: _printed(torch, name))
