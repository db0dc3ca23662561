# type: ignore
"""torch.testing: assert_close."""

import torch

_TOLERANCES = {torch.float16: (1e-3, 1e-5), torch.float32: (1.3e-6, 1e-5), torch.float64: (1e-7, 1e-7)}


def assert_close(
    actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True,
    check_dtype=True, check_layout=True, check_stride=False, msg=None,
):  # fmt: skip
    """Fail unless the two, tensors, numbers or containers of them, are equal within PyTorch's tolerances."""
    if (rtol is None) != (atol is None):
        raise ValueError(
            "Both 'rtol' and 'atol' must be either specified or omitted, but got no "
            f"{'rtol' if rtol is None else 'atol'}."
        )
    _compare(actual, expected, (rtol, atol, equal_nan, check_dtype, check_stride, msg), "")


def _compare(actual, expected, how, place):
    if isinstance(actual, (list, tuple)) and isinstance(expected, (list, tuple)):
        if len(actual) != len(expected):
            _fail(f"The length of the sequences mismatch: {len(actual)} != {len(expected)}", how, place)
        for i, (a, b) in enumerate(zip(actual, expected)):
            _compare(a, b, how, f"{place}[{i!r}]")
    elif isinstance(actual, dict) and isinstance(expected, dict):
        missing, more = [k for k in expected if k not in actual], [k for k in actual if k not in expected]
        if missing or more:
            _fail(
                "The keys of the mappings do not match:\n"
                f"Missing keys in the actual mapping: {sorted(missing)}\n"
                f"Additional keys in the actual mapping: {sorted(more)}",
                how,
                place,
            )
        for key in actual:
            _compare(actual[key], expected[key], how, f"{place}[{key!r}]")
    elif isinstance(actual, torch.Tensor) and isinstance(expected, torch.Tensor):
        _compare_tensors(actual, expected, how, place)
    elif isinstance(actual, bool) and isinstance(expected, bool):
        if actual is not expected:
            _fail(f"Booleans mismatch: {actual} is not {expected}", how, place)
    elif isinstance(actual, (int, float)) and isinstance(expected, (int, float)):
        whole = isinstance(actual, int) and isinstance(expected, int)
        if how[3] and type(actual) is not type(expected):
            _fail(f"The (d)types do not match: {type(actual)} != {type(expected)}.", how, place)
        kind = torch.int64 if whole else torch.float64
        _compare_tensors(torch.tensor(actual, dtype=kind), torch.tensor(expected, dtype=kind), how, place)
    elif actual is not None or expected is not None:
        raise TypeError(
            f"No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}."
            + (f"\n\nThe failure occurred for item {place}" if place else "")
        )


def _compare_tensors(actual, expected, how, place):
    rtol, atol, equal_nan, check_dtype, check_stride, _ = how
    if actual.shape != expected.shape:
        _fail(f"The values for attribute 'shape' do not match: {actual.shape} != {expected.shape}.", how, place)
    if check_dtype and actual.dtype != expected.dtype:
        _fail(f"The values for attribute 'dtype' do not match: {actual.dtype} != {expected.dtype}.", how, place)
    if check_stride and actual.stride() != expected.stride():
        _fail(
            f"The values for attribute 'stride()' do not match: {actual.stride()} != {expected.stride()}.", how, place
        )
    if rtol is None:
        usual = [_TOLERANCES.get(each.dtype, (0.0, 0.0)) for each in (actual, expected)]
        rtol, atol = max(each[0] for each in usual), max(each[1] for each in usual)
    common = torch.promote_types(actual.dtype, expected.dtype)
    a, b = actual.detach().to(common), expected.detach().to(common)
    wrong = ~torch.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if wrong.any():
        _fail(_differences(a, b, wrong, rtol, atol), how, place)


def _differences(a, b, wrong, rtol, atol):
    exact = rtol == 0 and atol == 0
    head = "equal" if exact else "close"
    told = ["" if exact else f" (up to {each or 0} allowed)" for each in (atol, rtol)]
    if not a.is_floating_point():
        a, b = a.to(torch.int64), b.to(torch.int64)
    absolute = torch.abs(a - b)
    relative = absolute / torch.abs(b)
    if a.dim() == 0:
        return (
            f"Scalars are not {head}!\n\nExpected {b.item()} but got {a.item()}.\n"
            f"Absolute difference: {absolute.item()}{told[0]}\nRelative difference: {relative.item()}{told[1]}"
        )
    count, lines = int(wrong.sum()), []
    for name, each, allowed in (("absolute", absolute, told[0]), ("relative", relative, told[1])):
        each = each.masked_fill(~wrong, 0)
        at = int(each.argmax())
        place = tuple(int(i) for i in torch.unravel_index(torch.tensor(at), each.shape))
        lines.append(f"\nGreatest {name} difference: {each.reshape(-1)[at].item()} at index {place}{allowed}")
    share = f"{count} / {wrong.numel()} ({count / wrong.numel():.1%})"
    return f"Tensor-likes are not {head}!\n\nMismatched elements: {share}{lines[0]}{lines[1]}"


def _fail(text, how, place):
    text += f"\n\nThe failure occurred for item {place}" if place else ""
    msg = how[-1]
    raise AssertionError(text if msg is None else msg(text) if callable(msg) else msg)
