from __future__ import annotations

import gc
import weakref

import numpy as np

from app.drawing import scene
from app.drawing.page import draw_page
from app.drawing.remembered import LARGE, Remembered
from engine.run import Command, Run
from tests.engine.run.programs import SOURCES


def test_the_same_things_are_drawn_once() -> None:
    drawn: Remembered[object] = Remembered(4)
    array, other = np.zeros(LARGE), np.zeros(2)
    first = drawn.get((array, other), "key", object)
    assert drawn.get((array, other), "key", object) is first
    assert drawn.get((array, other), "another", object) is not first
    assert drawn.get((array, np.zeros(2)), "key", object) is not first


def test_only_small_arrays_are_kept() -> None:
    drawn: Remembered[object] = Remembered(4)
    small, large = np.zeros(2), np.zeros(LARGE)
    left = [weakref.ref(small), weakref.ref(large)]
    drawn.get((small, large), None, object)
    del small, large
    assert [each() is None for each in left] == [False, True]


def test_an_array_that_has_gone_makes_no_place_for_another_with_its_id() -> None:
    drawn: Remembered[object] = Remembered(4)
    array = np.zeros(LARGE)
    first = drawn.get((array,), None, object)
    (whole,) = drawn._kept
    assert isinstance(whole, tuple)
    del array
    other = np.zeros(LARGE)
    drawn._kept[id(other), None] = drawn._kept.pop(whole)
    assert drawn.get((other,), None, object) is not first


def test_a_picture_leaves_nothing_behind() -> None:
    run = Run(SOURCES["two-moons"])
    run.execute(Command("run"))
    gc.collect()
    gc.disable()
    try:
        draw_page(run, run.last)
        assert not [each for each in gc.get_objects() if type(each) is scene._Drawing]
    finally:
        gc.enable()
