"""A tensor as what it is."""

from __future__ import annotations

import numpy as np
import pytest

from app.drawing import cells


def test_one_element_is_a_number() -> None:
    drawn = cells.figure(np.float32([[-2.5]]), (1, 1))
    assert (drawn.kind, drawn.text, drawn.exact, drawn.sign) == ("number", "−2.5000", "-2.5", "negative")


def test_none_is_not_zero() -> None:
    nothing, zero = cells.figure(None, (3,)), cells.figure(np.zeros(3, np.float32), (3,))
    assert (nothing.kind, nothing.text) == ("none", "None")
    assert zero.kind == "cells"
    assert [shade.sign for shade in zero.shades] == ["zero"]


def test_every_entry_has_its_exact_text() -> None:
    drawn = cells.figure(np.float32([[1, -0.5], [0.25, 0]]), (2, 2))
    assert drawn.texts == ("1.0", "-0.5", "0.25", "0.0")
    assert {shade.sign for shade in drawn.shades} == {"positive", "negative", "zero"}
    assert drawn.bars.count("m") == 1


def test_stronger_is_darker() -> None:
    drawn = cells.figure(np.float32([0.1, 1.0]), (2,), limit=1.0)
    levels = {shade.level for shade in drawn.shades}
    assert max(levels) == cells.LEVELS
    assert len(levels) == 2


@pytest.mark.parametrize("shape", [(100,), (30, 5), (2, 40), (64, 64), (3, 5, 20)])
def test_large_tensors_are_sampled(shape: tuple[int, ...]) -> None:
    array = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    drawn = cells.figure(array, shape, limit=float(array.max()))
    assert drawn.sampled
    assert drawn.rows <= 12
    assert drawn.columns <= 12
    assert len(drawn.texts) == drawn.rows * drawn.columns
    assert "norm" in drawn.caption
    assert (drawn.rows, drawn.columns) == cells.grid_size(shape)


def test_sampling_keeps_the_mean() -> None:
    array = np.random.default_rng(0).normal(size=(24, 36))
    assert cells._sampled(array).mean() == pytest.approx(array.mean())


def test_what_is_not_finite_is_marked() -> None:
    drawn = cells.figure(np.float32([np.nan, np.inf, 1]), (3,))
    assert {shade.sign for shade in drawn.shades} == {"strange", "positive"}
    assert cells.largest(np.float32([np.nan, np.inf, 1])) == 1.0


def test_an_empty_tensor() -> None:
    assert cells.figure(np.zeros((0, 3), np.float32), (0, 3)).kind == "empty"
