"""Calls of matplotlib become records, and give scripts what they go on with."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from app import encode
from app.api.moment_models import MomentOut
from engine.run import Command, Run
from engine.script.plots import PIXELS, POINTS, Plot
from tests.engine.script.compare import in_interpreter

HEAD = "import matplotlib.pyplot as plt\nimport numpy as np\nimport torch\n"


def drawn(text: str) -> list[tuple[Plot, ...]]:
    """The plots of each moment that drew something."""
    run = Run(HEAD + text)
    run.begin()
    while run.state != "finished":
        moment = run.moment(run.execute(Command("next")).last)
        assert moment.error is None, moment.error
    for number in range(run.last + 1):
        MomentOut.model_validate_json(encode.moment_json(run.moment(number)))
    return [plots for plots in (run.moment(number).plots for number in range(run.last + 1)) if plots]


def test_a_plot_grows_statement_by_statement() -> None:
    plots = drawn(
        "plt.plot([1, 2, 3], [2, 4, 8], 'r--', label='a')\nplt.title('T')\nplt.xlabel('x')\nplt.legend()\nplt.show()\n"
    )
    assert [len(each) for each in plots] == [1] * 5
    assert [each[0].title for each in plots] == ["", "T", "T", "T", "T"]
    last = plots[-1][0]
    assert (last.x_label, last.legend, last.shown, last.figure) == ("x", True, True, 1)
    (line,) = last.series
    assert (line.kind, line.label, line.color, line.points) == ("line", "a", "r", 3)
    np.testing.assert_array_equal(line.x, [1, 2, 3])
    np.testing.assert_array_equal(line.y, [2, 4, 8])
    assert not plots[0][0].shown, "an earlier moment does not change"


def test_what_drawing_gives_prints_as_in_matplotlib() -> None:
    shown = {
        "plt.figure(figsize=(8, 5))": "<Figure size 800x500 with 0 Axes>",
        "plt.plot([1, 2])": "[<matplotlib.lines.Line2D object at *>]",
        "plt.scatter([1, 2], [3, 4])": "<matplotlib.collections.PathCollection object at *>",
        "plt.bar([1, 2], [3, 4])": "<BarContainer object of 2 artists>",
        "plt.text(1, 2.5, 'hi')": "Text(1, 2.5, 'hi')",
        "plt.xlabel('x')": "Text(0.5, 0, 'x')",
        "plt.suptitle('S')": "Text(0.5, 0.98, 'S')",
        "plt.legend()": "<matplotlib.legend.Legend object at *>",
        "plt.colorbar()": "<matplotlib.colorbar.Colorbar object at *>",
        "plt.gca().set(title='t')": "[Text(0.5, 1.0, 't')]",
        "plt.tight_layout()": "None",
        "plt.gca().set_aspect(1)": "None",
        "plt.style.use('ggplot')": "None",
        "plt.xlim(0, 3)": "(0.0, 3.0)",
        "plt.gca().get_xlim(), plt.gca().get_title()": "(np.float64(0.0), np.float64(3.0)) t",
        "plt.gca().get_xlabel(), plt.gca().get_yscale()": "x linear",
        "plt.subplots(1, 2)": "(<Figure size 640x480 with 2 Axes>, array([<Axes: >, <Axes: >], dtype=object))",
    }
    ending = in_interpreter(HEAD + "".join(f"print({call})\n" for call in shown))
    assert ending.type is None, ending
    printed = [re.sub(r"at 0x[0-9a-f]+", "at *", line) for line in ending.stdout.splitlines()]
    assert printed == list(shown.values())


def test_settings_of_axes_that_have_no_public_name_are_passed_over() -> None:
    ending = in_interpreter(
        HEAD + "ax = plt.axes(projection='3d')\nax.xaxis._axinfo['grid']['linewidth'] = 2.0\nprint(3)"
    )
    assert ending.stdout == "3\n"


def test_gca_takes_no_arguments_as_in_matplotlib() -> None:
    asked = {
        "plt.gca(projection='3d')": "gca() got an unexpected keyword argument 'projection'",
        "plt.figure().gca(projection='3d')": "FigureBase.gca() got an unexpected keyword argument 'projection'",
        "plt.gca(3)": "gca() takes 0 positional arguments but 1 was given",
        "plt.gcf().gca(3)": "FigureBase.gca() takes 1 positional argument but 2 were given",
    }
    for call, message in asked.items():
        ending = in_interpreter(HEAD + call)
        assert (ending.type, ending.message) == ("TypeError", message)


def test_colors_are_matplotlibs() -> None:
    source = "from matplotlib.colors import to_hex, to_rgb, to_rgba\nprint(to_rgba('r'), to_rgba('C1', 0.5))\n"
    ending = in_interpreter(
        source + "print(to_rgb('0.5'), to_hex('tab:blue'), to_hex((1, 0.5, 0)))\nto_rgb('no color')\n"
    )
    assert ending.stdout == (
        "(1.0, 0.0, 0.0, 1) (1.0, 0.4980392156862745, 0.054901960784313725, 0.5)\n(0.5, 0.5, 0.5) #1f77b4 #ff8000\n"
    )
    assert ending.type == "ValueError"


def test_after_show_a_new_figure_begins() -> None:
    plots = drawn("plt.plot([1])\nplt.show()\nplt.plot([2])\n")
    assert [plot.figure for each in plots for plot in each] == [1, 1, 2]


def test_subplots_are_panels_of_a_grid() -> None:
    plots = drawn(
        "fig, axes = plt.subplots(2, 2)\nfor i, ax in enumerate(axes.flat):\n    ax.bar(['a', 'b'], [i, 2])\n"
        "axes[0, 1].set_title('right')\nfig.suptitle('top')\n"
    )
    assert {(plot.rows, plot.columns, plot.cell) for plot in plots[-1]} == {(2, 2, cell) for cell in range(4)}
    assert {plot.heading for plot in plots[-1]} == {"top"}
    assert [plot.title for plot in plots[-1] if plot.cell == 1] == ["right"]
    assert plots[0][0].series[0].names == ("a", "b")


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        ("plt.scatter([1, 2], [3, 4], c=[0, 1], s=5)", "scatter"),
        ("plt.plot(torch.zeros(3), 'o')", "scatter"),
        ("plt.plot(3, 4, 'r*')", "scatter"),
        ("plt.imshow(torch.rand(3, 4), cmap='gray')", "image"),
        ("plt.contourf(*np.meshgrid(range(3), range(4)), np.ones((4, 3)), cmap=plt.cm.RdBu)", "contour"),
        ("plt.fill_between([1, 2], [1, 2], 3)", "fill"),
        ("plt.axhline(2)", "horizontal"),
        ("plt.axvline(x=2)", "vertical"),
        ("plt.text(1, 2, 'here')", "text"),
        ("plt.barh([1, 2], [3, 4])", "barh"),
        ("plt.semilogy([1, 10])", "line"),
        ("plt.gcf().add_subplot(111).plot([1])", "line"),
    ],
)
def test_what_is_drawn(call: str, kind: str) -> None:
    ((plot,),) = drawn(call + "\n")
    assert [series.kind for series in plot.series] == [kind]


def test_a_table_is_a_line_a_column() -> None:
    ((plot,),) = drawn("plt.plot(np.arange(6).reshape(3, 2))\n")
    assert [series.y.tolist() for series in plot.series if series.y is not None] == [[0, 2, 4], [1, 3, 5]]


def test_hist_gives_counts_and_edges() -> None:
    (plots,) = drawn("n, bins, _ = plt.hist([1, 2, 2, 3], bins=2)\nassert list(n) == [1, 3] and len(bins) == 3\n")
    (bars,) = plots[0].series
    assert bars.y is not None
    assert bars.y.tolist() == [1, 3]


@pytest.mark.parametrize(
    ("text", "x", "y"),
    [
        (
            "line, = plt.plot(np.arange(2000), np.zeros(2000))\nfor k in (1, 2): line.set_ydata(np.arange(2000) * k)",
            1999,
            3998,
        ),
        ("line, = plt.plot([], [])\nline.set_xdata([1, 2])\nline.set_ydata([3, 4])", 2, 4),
        (
            "line, = plt.plot([0], [0])\nline.set_ydata(np.arange(1500))\nline.set_xdata(np.arange(1500) * 2)",
            2998,
            1499,
        ),
        ("line, = plt.plot([1, 2], [0, 0])\nline.set_ydata([5, 6])", 2, 6),
    ],
)
def test_one_coordinate_of_a_line_is_set(text: str, x: float, y: float) -> None:
    (line,) = drawn(text + "\n")[-1][0].series
    assert line.x is not None
    assert line.y is not None
    assert line.x.size == line.y.size
    assert (line.x[-1], line.y[-1]) == (x, y)


def test_dates_are_days_since_1970() -> None:
    source = "import datetime\nimport pandas as pd\nplt.plot(pd.date_range('2024-01-01', periods=3), [1, 2, 3])\n"
    plots = drawn(source + "plt.plot([datetime.date(2024, 1, 2)], [4])\n")
    first, second = plots[-1][0].series
    np.testing.assert_array_equal(first.x, [19723.0, 19724.0, 19725.0])
    np.testing.assert_array_equal(second.x, [19724.0])
    for call in ("plt.annotate('top', xy=(day, 4), xytext=(1, 1))", "plt.axvline(day)"):
        ((line,),) = [
            plot.series for plot in drawn(f"import pandas as pd\nday = pd.Timestamp('2024-01-02')\n{call}\n")[-1]
        ]
        np.testing.assert_array_equal(line.x, [19724.0])


def test_a_table_draws_the_columns_that_are_named() -> None:
    head = "import pandas as pd\ntable = pd.DataFrame({'k': ['a', 'b'], 'v': [1, 2], 'w': [5, 6]})\n"
    for call in ("plot(x='k', y='w', kind='bar')", "plot.bar(x='k', y='w')", "plot(y='w')", "plot(x='v', y=['w'])"):
        ((series,),) = [plot.series for plot in drawn(f"{head}table.{call}\n")[-1]]
        assert series.y is not None, call
        assert series.y.tolist() == [5, 6], call


def test_the_words_of_a_text_are_set() -> None:
    (text,) = drawn("t = plt.text(1, 2, 'first')\nt.set_text('second')\n")[-1][0].series
    assert text.names == ("second",)


def test_a_line_can_be_changed_and_removed() -> None:
    plots = drawn("line, = plt.plot([], [])\nline.set_data([1, 2], [3, 4])\nplt.plot([1])\nline.remove()\n")
    assert [[series.points for series in each[0].series] for each in plots] == [[0], [2], [2, 1], [1]]


def test_what_is_large_is_thinned() -> None:
    ((line,), (image,)) = drawn("plt.plot(np.arange(5001))\nplt.figure()\nplt.imshow(np.ones((500, 100)))\n")
    assert (line.series[0].points, line.series[0].y.size) == (5001, POINTS)  # type: ignore[union-attr]
    assert line.series[0].y[[0, -1]].tolist() == [0, 5000]  # type: ignore[index]
    assert max(image.series[0].z.shape) <= PIXELS  # type: ignore[union-attr]


def test_a_tensor_that_requires_grad_is_refused_as_pytorch_does() -> None:
    run = Run(HEAD + "plt.plot(torch.ones(3, requires_grad=True))\n")
    run.begin()
    for _ in range(4):
        moment = run.moment(run.execute(Command("next")).last)
    assert moment.error is not None
    assert moment.error.message.startswith("Can't call numpy() on Tensor that requires grad.")


def test_plots_are_json() -> None:
    run = Run(HEAD + "plt.plot([1, float('nan')])\n")
    run.begin()
    while run.state != "finished":
        run.execute(Command("next"))
    (plot,) = json.loads(encode.moment_json(run.moment(run.last)))["plots"]
    assert plot["series"][0]["y"] == [1.0, "nan"]


def test_a_figure_is_saved_where_a_folder_is() -> None:
    out = in_interpreter(
        HEAD
        + """
import io
from pathlib import Path
Path("there").mkdir()
for name in ["gone/a.png", Path("gone") / "b.png", "there/a.png", Path("there/b.png"), "plain.png", io.BytesIO()]:
    try:
        print(plt.savefig(name), plt.figure().savefig(fname=name))
    except FileNotFoundError as e:
        print(e)
try:
    plt.savefig()
except TypeError as e:
    print(e)
"""
    )
    gone = "[Errno 2] No such file or directory: 'gone/%s.png'\n"
    assert out.stdout == gone % "a" + gone % "b" + "None None\n" * 4 + (
        "savefig() missing 1 required positional argument: 'fname'\n"
    )


def test_pylab_is_pyplot_among_what_is_numpys() -> None:
    (plots,) = drawn("from pylab import *\nplot(linspace(0, 1, 3), cos(zeros(3)))\n")
    assert list(plots[0].series[0].x) == [0.0, 0.5, 1.0]
    out = in_interpreter(
        "import matplotlib.pylab as plt\n"
        "print(plt.__name__, plt.plt.plot, plt.np.pi == plt.pi)\n"
        "print(plt.mean([1.0, 2.0]), plt.randint(3, 4), plt.norm([3, 4]))\n"
    )
    assert out.type is None
    assert out.stdout.startswith("matplotlib.pylab <function plot at ")
    assert out.stdout.endswith(" True\n1.5 3 5.0\n")
