"""What scripts draw with seaborn is drawn as with matplotlib, panel by panel."""

from __future__ import annotations

import pytest

from tests.engine.script.compare import in_interpreter
from tests.engine.script.test_plots import drawn

HEAD = (
    "import pandas as pd\nimport seaborn as sns\nsns.set_theme(style='whitegrid')\n"
    "t = pd.DataFrame({'a': [1.0, 2.0, 3.0, 4.0], 'b': [2.0, 1.0, 4.0, 3.0], 'k': list('uvuv')})\n"
)


@pytest.mark.parametrize(
    ("call", "kinds"),
    [
        ("sns.heatmap([[5, 1], [0, 7]], annot=True, fmt='d', cmap='Blues')", ["image", *["text"] * 4]),
        ("sns.heatmap(t[['a', 'b']].corr())", ["image"]),
        ("sns.scatterplot(data=t, x='a', y='b', hue='k')", ["scatter", "scatter"]),
        ("sns.scatterplot(x=t.a.values, y=t.b.values, palette='Set1', s=100)", ["scatter"]),
        ("sns.lineplot(x=[0, 1, 1], y=[1.0, 2.0, 4.0], label='loss')", ["line"]),
        ("sns.lineplot(data=[3.0, 2.0, 1.0])", ["line"]),
        ("sns.histplot(t['a'], bins=3, kde=True)", ["bar"]),
        ("sns.countplot(x='k', data=t)", ["bar"]),
        ("sns.barplot(x='k', y='a', data=t)", ["bar"]),
        ("sns.boxplot(x='k', y='a', data=t)", ["scatter"]),
        ("sns.regplot(x='a', y='b', data=t)", ["scatter", "line"]),
    ],
)
def test_what_is_drawn(call: str, kinds: list[str]) -> None:
    (plot,) = drawn(f"{HEAD}{call}\n")[-1]
    assert [series.kind for series in plot.series] == kinds


def test_columns_name_the_axes() -> None:
    (plot,) = drawn(f"{HEAD}ax = sns.scatterplot(data=t, x='a', y='b', hue='k')\nax.set_title('T')\n")[-1]
    assert (plot.x_label, plot.y_label, plot.title, plot.legend) == ("a", "b", "T", True)
    assert [series.label for series in plot.series] == ["u", "v"]


def test_pairs_are_a_grid() -> None:
    plots = drawn(f"{HEAD}sns.pairplot(t, hue='k')\n")[-1]
    assert {(plot.rows, plot.columns, plot.cell) for plot in plots} == {(2, 2, cell) for cell in range(4)}


def test_nothing_is_downloaded() -> None:
    ending = in_interpreter("import seaborn as sns\nsns.load_dataset('iris')\n")
    assert (ending.type, ending.line) == ("OSError", 2)
