# type: ignore
"""torch.testing: assert_close."""

import torch

_TOLERANCES = {torch.float16: (1e-3, 1e-5), torch.float32: (1.3e-6, 1e-5), torch.float64: (1e-7, 1e-7)}


def assert_close(actual, expected, *, rtol=None, atol=None, equal_nan=False, msg=None, **other):
    """Fail unless the two are equal within PyTorch's tolerances for their dtype."""
    actual = actual if isinstance(actual, torch.Tensor) else torch.as_tensor(actual)
    expected = expected if isinstance(expected, torch.Tensor) else torch.as_tensor(expected)
    if actual.shape != expected.shape:
        raise AssertionError(f"The values for attribute 'shape' do not match: {actual.shape} != {expected.shape}.")
    if actual.dtype != expected.dtype:
        raise AssertionError(f"The values for attribute 'dtype' do not match: {actual.dtype} != {expected.dtype}.")
    usual = _TOLERANCES.get(actual.dtype, (0.0, 0.0))
    rtol, atol = usual[0] if rtol is None else rtol, usual[1] if atol is None else atol
    if not torch.allclose(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan):
        wrong = ~torch.isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan)
        raise AssertionError(
            msg
            or f"Tensor-likes are not close!\n\nMismatched elements: {int(wrong.sum())} / {wrong.numel()} "
            f"({int(wrong.sum()) / wrong.numel():.1%})"
        )
