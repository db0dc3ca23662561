"""Operations on complex numbers against PyTorch's own sample inputs, and steps of complex parameters."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from tests.differential import op_samples, oracle
from tests.differential.op_table import ROWS, Row
from tests.differential.test_op_db import check

SELECTED = 2  # samples per operation in `make test`

pytestmark = pytest.mark.filterwarnings("ignore")

NAMES = """
abs acos acosh add item uniform mul sub addmm addmm.decomposed addmv addbmm baddbmm dot vdot bmm mv addr addcmul
addcdiv asin asinh atan allclose broadcast_to broadcast_tensors block_diag combinations cartesian_prod chunk
unsafe_chunk clone contiguous sum_to_size positive conj conj_physical resolve_conj resolve_neg view_as_real corrcoef
cos cosh cross cumsum cumprod diff div.no_rounding_mode true_divide equal exp expand expand_as diag diag_embed
diagonal diagonal_scatter eq flip fliplr flipud log1p imag gradient linspace linspace.tensor_overload logspace
logspace.tensor_overload log log10 log2 ldexp logical_not lu_unpack masked_fill masked_scatter masked_select matmul
var_mean var_mean.unbiased std_mean std_mean.unbiased meshgrid.variadic_tensors meshgrid.list_of_tensors logical_and
logical_or logical_xor isclose softmax.with_dtype nn.functional.softmin.with_dtype nn.functional.normalize as_strided
as_strided.partial_views nn.functional.conv_transpose1d nn.functional.conv_transpose2d nn.functional.conv_transpose3d
nn.functional.conv1d nn.functional.conv2d nn.functional.conv3d nn.functional.rms_norm constant_pad_nd
nn.functional.pad.constant nn.functional.pad.reflect nn.functional.pad.replicate nn.functional.pad.replicate_negative
nn.functional.pad.circular nn.functional.unfold nn.functional.linear nn.functional.silu.complex nn.functional.softsign
nn.functional.tanhshrink to mm ne narrow narrow_copy neg dist outer permute pow float_power real roll rot90 sin sinc
sinh sgn split split.list_args unsafe_split split_with_sizes __radd__ __rmul__ __rpow__ __rsub__ rsub select tan tanh
tensor_split hsplit vsplit dsplit exp2 expm1 reciprocal rsqrt sqrt square lerp angle isfinite isinf isreal isnan
einsum ravel reshape reshape_as view view_as atleast_1d atleast_2d atleast_3d flatten unflatten column_stack gather
index_fill index_copy index_select index_add __getitem__ index_put put take scatter bool byte char double float int
long short empty_like zeros_like ones_like randn randn_like rand_like full_like new_zeros new_ones ones zeros full
new_empty new_empty_strided empty_strided empty eye scalar_tensor new_full scatter_add stack hstack cat unbind vstack
dstack unfold movedim repeat squeeze squeeze.multiple fill resize_ resize_as_ take_along_dim tile trapz trapezoid
cumulative_trapezoid unsqueeze zero_ logsumexp trace transpose T H mT tril triu kron inner tensordot sigmoid
nn.functional.l1_loss log_softmax.with_dtype where nonzero nonzero_static norm norm.fro norm.inf t
nn.functional.feature_alpha_dropout.without_train argwhere all any count_nonzero mean std std.unbiased var
var.unbiased prod sum repeat_interleave nn.functional.pairwise_distance nn.functional.pixel_shuffle
nn.functional.pixel_unshuffle nn.functional.channel_shuffle diagflat fft.fft fft.fft2 fft.fftn fft.hfft fft.hfft2
fft.hfftn fft.ifft fft.ifft2 fft.ifftn fft.irfft fft.irfft2 fft.irfftn fft.fftshift fft.ifftshift linalg.cross
linalg.det linalg.diagonal linalg.vecdot linalg.matrix_power linalg.multi_dot linalg.vander linalg.vector_norm
linalg.inv linalg.inv_ex linalg.solve linalg.solve_ex linalg.matrix_rank linalg.matrix_rank.hermitian linalg.tensorinv
linalg.tensorsolve normal.in_place stft istft
"""
"""Entries of op_db whose samples in complex64 and complex128 all give what PyTorch gives."""

_ROWS = {row.name: row for row in ROWS}
COMPLEX = [_ROWS.get(name) or Row(name) for name in NAMES.split()]
LARGEST = 900
"""Characters of a sample that is recorded."""


def _samples(name: str, dtype: str) -> list[op_samples.Sample]:
    return [each for each in op_samples.samples(name, dtype) if op_samples.size_of(each) < 60_000]


@pytest.mark.parametrize("row", COMPLEX, ids=str)
def test_selected_samples(row: Row) -> None:
    def ask(torch: Any) -> list[Any]:
        function = row.looked_at(op_samples.database()[row.name].op)
        given = _samples(row.name, "complex64")
        small = [each for each in given if op_samples.size_of(each) < LARGEST] or sorted(given, key=op_samples.size_of)
        chosen = small[:: max(1, len(small) // SELECTED)][:SELECTED]
        return [[each, op_samples.outcome(torch, function, each)] for each in chosen]

    cases = oracle.answer("op_db_complex", row.name, ask)
    assert cases, "no samples: nothing is proved"
    check(row, cases)


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("row", COMPLEX, ids=str)
def test_all_samples(row: Row) -> None:
    torch = oracle.torch()
    function = row.looked_at(op_samples.database()[row.name].op)
    given = (each for dtype in ("complex64", "complex128") for each in _samples(row.name, dtype))
    check(row, ((each, op_samples.outcome(torch, function, each)) for each in given))


OPTIMIZERS = "SGD Adam AdamW RMSprop Adagrad Adadelta Adamax NAdam RAdam ASGD Rprop".split()  # noqa: SIM905


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_steps_of_complex_parameters(name: str) -> None:
    """As PyTorch takes them: of real and imaginary parts, with a complex state."""

    def steps(torch: Any) -> list[Any]:
        w = torch.tensor([1 + 1j, -2 + 0.5j, 0.25 - 1j], requires_grad=True)
        b = torch.tensor([1.0, -2.0], requires_grad=True)
        more = {"momentum": 0.9} if name in ("SGD", "RMSprop") else {}
        optimizer = getattr(torch.optim, name)([w, b], lr=0.05, **more)
        for _ in range(4):
            optimizer.zero_grad()
            (((w - 1j) * w.conj()).abs().sum() + (b**2).sum()).backward()
            optimizer.step()
        state = optimizer.state_dict()["state"][0]
        kept = [[key, oracle.encode(value)] for key, value in sorted(state.items()) if value is not None]
        return [oracle.encode(w), w._version, *kept]

    ours, theirs = steps(engine), oracle.answer("complex", f"steps of {name}", steps)
    assert ours[1] == theirs[1]
    mine, other = ({"outputs": [oracle_of[0], *(value for _, value in oracle_of[2:])]} for oracle_of in (ours, theirs))
    assert [key for key, _ in ours[2:]] == [key for key, _ in theirs[2:]]
    assert not op_samples.differences(mine, other, 8)


SECOND = {
    "a product": lambda torch, z: z * z * z.conj(),
    "an exponential": lambda torch, z: torch.exp(1j * z),
    "a length": lambda torch, z: z.abs(),
    "an angle": lambda torch, z: z.angle(),
    "a sign": lambda torch, z: z.sgn(),
    "a transform": lambda torch, z: torch.fft.irfft(z * z),
    "parts": lambda torch, z: torch.view_as_real(z * z) * z.real.unsqueeze(-1),
    "a polar form": lambda torch, z: torch.polar(z.abs(), z.imag),
    "windows of a signal": lambda torch, z: torch.istft(
        torch.stft((z * z).repeat(3), 4, 2, window=z.real.repeat(2)[:4], return_complex=True),
        4,
        2,
        window=z.imag.repeat(2)[:4],
        onesided=False,
        return_complex=True,
    ),
    "a mean": lambda torch, z: (z**3).mean().real * z.var(),
}


@pytest.mark.parametrize("name", SECOND)
def test_second_derivatives(name: str) -> None:
    def ask(torch: Any) -> list[Any]:
        z = torch.tensor([1 + 2j, -0.5 + 1j, 0.25 - 2j], dtype=torch.complex128, requires_grad=True)
        found = SECOND[name](torch, z)
        direction = torch.ones_like(found)
        (first,) = torch.autograd.grad(found, z, direction, create_graph=True)
        (second,) = torch.autograd.grad(first, z, torch.ones_like(first) * (1 + 0.5j))
        return [oracle.encode(each.detach().resolve_conj()) for each in (first, second)]

    theirs = oracle.answer("complex", f"second {name}", ask)
    assert not op_samples.differences({"outputs": ask(engine)}, {"outputs": theirs}, 64)
