"""What scripts draw with matplotlib, drawn again."""

from __future__ import annotations

import re

import msgspec
import numpy as np
import pytest

from app.drawing.plots import PlotBox, draw_plots, tone_of
from engine.run import Command, Run

SCRIPT = """import matplotlib.pyplot as plt
import numpy as np
x = np.linspace(0, 1, 5)
plt.plot(x, x ** 2, "r--", label="square")
plt.scatter(x, 1 - x)
plt.title("Two things")
plt.xlabel("time")
plt.legend()
plt.show()
plt.hist([1, 2, 2, 3, 3, 3], bins=3)
plt.figure()
plt.imshow(np.arange(12).reshape(3, 4))
plt.figure()
plt.bar(["a", "b"], [3, 5])
plt.axhline(2)
plt.figure()
plt.fill_between(x, x, x + 1)
plt.text(0.5, 0.5, "here")
plt.yscale("log")
plt.figure()
plt.contourf(np.outer(x, x))
plt.figure()
plt.plot([1, float("nan"), 3, float("inf"), 5])
plt.figure()
plt.pie([1, 2, 1], labels=["x", "y", "z"])
plt.figure()
plt.barh(["long name of it", "b"], [3, -5])
"""


@pytest.fixture(scope="module")
def run() -> Run:
    run = Run(SCRIPT)
    run.begin()
    run.execute(Command("finish"))
    assert run.moment(run.last).error is None
    return run


@pytest.fixture(scope="module")
def boxes(run: Run) -> tuple[PlotBox, ...]:
    return draw_plots(run.plots(run.last))


def test_every_kind_is_drawn(boxes: tuple[PlotBox, ...]) -> None:
    assert len(boxes) == 9
    for box in boxes:
        assert box.shapes, box.spoken
        for shape in box.shapes:
            assert re.fullmatch(r"[-+.\deMLHVhvAz ]+", shape.path), shape.path
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(boxes), type=tuple[PlotBox, ...]) == boxes


def test_the_first_plot(boxes: tuple[PlotBox, ...]) -> None:
    first = boxes[0]
    assert first.title == "Two things"
    assert first.x_label == "time"
    assert [(key.tone, key.text) for key in first.keys] == [("red", "square")]
    line, dots = first.shapes
    assert (line.kind, line.tone) == ("line", "red")
    assert line.path.count("L") == 4
    assert dots.path.count("M") == 5
    assert "0 to 1" in first.spoken or "0.0 to 1.0" in first.spoken


def test_an_image_keeps_its_order(boxes: tuple[PlotBox, ...]) -> None:
    image = next(box for box in boxes if "image" in box.spoken)
    levels = [shape.level for shape in image.shapes]
    assert levels == sorted(levels)
    assert levels[-1] == 10
    strongest = re.findall(r"M([\d.]+) ([\d.]+)", image.shapes[-1].path)
    assert all(float(y) > image.height / 2 for _, y in strongest)  # row 2 of an image is its lowest


def test_a_line_breaks_at_what_is_not_finite(boxes: tuple[PlotBox, ...]) -> None:
    broken = next(box for box in boxes if box.id.startswith("plot-7"))
    assert broken.shapes[0].path.count("M") == 3


def test_a_plot_is_there_from_the_moment_that_drew_it(run: Run) -> None:
    assert draw_plots(run.plots(3)) == ()
    (alone,) = draw_plots(run.plots(4))
    assert alone.moment == 4
    assert len(alone.shapes) == 1


@pytest.mark.parametrize(
    ("color", "tone"),
    [
        ("r", "red"),
        ("C2", "green"),
        ("tab:cyan", "cyan"),
        ("black", "ink"),
        ("", "orange"),
        ("#12f", "orange"),
        ("Navy", "blue"),
    ],
)
def test_colours(color: str, tone: str) -> None:
    assert tone_of(color, 1) == tone


def test_an_empty_panel_is_no_error() -> None:
    run = Run("import matplotlib.pyplot as plt\nplt.title('nothing')\nplt.plot([], [])\n")
    run.begin()
    run.execute(Command("finish"))
    (box,) = draw_plots(run.plots(run.last))
    assert box.title == "nothing"


def test_limits_that_make_no_sense_are_passed_over() -> None:
    run = Run("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.ylim(3, 3)\nplt.xlim(float('nan'), 1)\n")
    run.begin()
    run.execute(Command("finish"))
    (box,) = draw_plots(run.plots(run.last))
    assert "nan" not in box.shapes[0].path


def test_numbers_beyond_reason_stay_out_of_the_picture() -> None:
    run = Run("import matplotlib.pyplot as plt\nplt.plot([0, 1, 2], [1e300, -1e300, 0])\nplt.plot([0, 1, 2])\n")
    run.begin()
    run.execute(Command("finish"))
    (box,) = draw_plots(run.plots(run.last))
    assert np.isfinite([float(number) for shape in box.shapes for number in re.findall(r"-?[\d.]+", shape.path)]).all()
