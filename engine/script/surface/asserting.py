"""numpy.testing, which says in NumPy's words what is not as it should be, and numpy.exceptions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.script.limits.nested import check_nested
from engine.script.limits.numpy_sizes import plain
from engine.script.modules import MODULES
from engine.script.surface import ScriptModule
from engine.tensor import Tensor

ARRAYS = """assert_allclose assert_almost_equal assert_approx_equal assert_array_almost_equal
assert_array_almost_equal_nulp assert_array_equal assert_array_less assert_array_max_ulp assert_equal"""
EXCEPTIONS = "AxisError ComplexWarning DTypePromotionError ModuleDeprecationWarning RankWarning TooHardError"
EXCEPTIONS += " VisibleDeprecationWarning"
SIMPLE = (int, float, complex, str, bytes, bool, type(None), np.generic)


def _given(value: Any, deep: bool) -> Any:
    """What NumPy may compare: arrays, numbers and texts, and of those lists and dicts where it goes into them."""
    if isinstance(value, Tensor):
        return np.asarray(value)
    if isinstance(value, SIMPLE):
        return value
    if deep and isinstance(value, (list, tuple)):
        return type(value)(_given(each, deep) for each in value) if type(value) in (list, tuple) else plain(value)
    if deep and isinstance(value, dict):
        return {key: _given(each, deep) for key, each in value.items()}
    made = plain(value)
    if not isinstance(made, (np.ndarray, list, tuple, *SIMPLE)):
        raise TypeError(f"numpy.testing compares numbers, texts and arrays here, not {type(value).__name__}")
    return made


def _compared(name: str) -> Callable[..., None]:
    function = getattr(np.testing, name)

    def compare(*args: Any, **options: Any) -> None:
        for value in (*args, *options.values()):
            check_nested(value)
        deep = name == "assert_equal"
        two = [_given(value, deep) for value in args[:2]]
        named = {
            key: _given(value, deep) if key in ("actual", "desired", "x", "y") else value
            for key, value in options.items()
        }
        for value in (*args[2:], *named.values()):
            if not isinstance(value, (*SIMPLE, np.ndarray, list, tuple, dict)):
                raise TypeError(f"{name}() does not take a {type(value).__name__} here")
        try:
            function(*two, *args[2:], **named)
        except AssertionError as error:
            raise AssertionError(*error.args) from None

    compare.__name__ = name
    return compare


MODULES["numpy.testing"] = lambda: ScriptModule("numpy.testing", {name: _compared(name) for name in ARRAYS.split()})
MODULES["numpy.exceptions"] = lambda: ScriptModule(
    "numpy.exceptions", {name: getattr(np.exceptions, name) for name in EXCEPTIONS.split()}
)
