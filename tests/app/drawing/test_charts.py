"""Charts: axes, curves and their words, from rows made by hand; and the rows as a real run records them."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.drawing.axis import Axis, fit
from app.drawing.chart import chart_data, draw_charts, loss_text, state_of, thinned
from engine.run import Command, Run
from engine.run.series import Row, Series, norm_of

GAN = """import torch
g = torch.ones(2, requires_grad=True)
d = torch.ones(2, requires_grad=True)
opt_g = torch.optim.SGD([g], lr=0.1)
opt_d = torch.optim.SGD([{"params": [d], "lr": 0.2}, {"params": [torch.ones(1, requires_grad=True)]}], lr=0.4)
schedule = torch.optim.lr_scheduler.StepLR(opt_g, 2, 0.5)
for i in range(5):
    opt_d.zero_grad()
    loss_d = ((d * g.detach()).sum() - 1) ** 2
    loss_d.backward()
    opt_d.step()
    opt_g.zero_grad()
    loss_g = (d.detach() * g).sum() ** 2
    loss_g.backward()
    opt_g.step()
    schedule.step()
"""


def losses(*values: float) -> Series:
    series = Series(())
    series.curves.append(("loss", "loss"))
    series.rows += [Row(3 * index, index + 1, {("loss", "loss"): value}) for index, value in enumerate(values)]
    return series


def finished(source: str) -> Run:
    run = Run(source)
    run.begin()
    run.execute(Command("finish"))
    return run


def test_rows_of_two_losses_and_two_optimizers() -> None:
    run = finished(GAN)
    series = run.series()
    assert {name for kind, name in series.curves if kind == "loss"} == {"loss_d", "loss_g"}
    assert {name for kind, name in series.curves if kind == "rate"} == {"opt_g", "opt_d[0]", "opt_d[1]"}
    assert [row.iteration for row in series.rows] == [1, 2, 3, 4, 5]
    assert [row.values["rate", "opt_g"] for row in series.rows] == [0.1, 0.1, 0.05, 0.05, 0.025]
    first = series.rows[0]
    moment = run.moment(first.moment)
    assert moment.statement.startswith("loss_d =")
    assert first.values["loss", "loss_d"] == pytest.approx(1.0)
    assert first.values["norm", "opt_d"] == pytest.approx(math.sqrt(8))  # 2 * (2 - 1) for each of two entries


def test_rows_are_told_to_be_others_when_they_are_and_not_at_every_press() -> None:
    run, told = Run(GAN), []
    run.begin()
    for _ in range(30):
        run.execute(Command("next"))
        told.append((state_of(run.series()), str(chart_data(run.series()))))
    assert len(set(told)) > 8
    for (state, data), (after, now) in pairwise(told):
        assert (state == after) == (data == now)


def test_a_loss_computed_again_is_a_row_of_its_own() -> None:
    loop = "for i in range(3):\n    loss = (w * w).sum()\n    loss.backward()\n"
    source = f"import torch\nw = torch.ones(1, requires_grad=True)\n{loop}"
    run = Run(source)
    run.begin()
    for do in ("forward", "forward", "backward"):
        run.execute(Command(do))
    rows = run.series().rows
    assert [row.iteration for row in rows] == [1, 1]
    assert rows[-1].values["norm", "all"] == pytest.approx(2.0)


def test_norms_of_numbers_too_large_to_square() -> None:
    assert norm_of([np.full(4, 1e30, np.float32)]) == pytest.approx(2e30)
    assert norm_of([np.zeros(0, np.float32)]) == 0
    assert math.isnan(norm_of([np.array([np.nan], np.float32)]))


def test_words_and_marks_at_the_cursor() -> None:
    (chart,) = draw_charts(losses(4.0, 2.0, 1.0), 4)
    assert chart.text == "loss 2.0000, −2.0 since the last"
    assert loss_text([chart]) == "2.0000"
    assert [point.moment for point in chart.points] == [0, 3, 6]
    assert chart.points[1].title == "iteration 2: loss 2.0"
    low, high = chart.curves[0].path, chart.curves[0].log_path
    assert low.count("L") == high.count("L") == 2
    assert chart.curves[0].now is not None
    assert chart.cursor == chart.curves[0].now[0]


@pytest.mark.parametrize(
    ("values", "number", "words"),
    [
        ((4.0, 4.0), 9, "4.0000 twice: nothing moved between"),
        ((4.0,), 9, "loss 4.0000"),
        ((4.0, 3.0), -1, "2 lie ahead"),
        ((4.0, math.nan), 9, "1 of 2 losses are not finite"),
    ],
)
def test_what_a_chart_says(values: tuple[float, ...], number: int, words: str) -> None:
    assert draw_charts(losses(*values), number)[0].text == words


def test_gaps_where_nothing_can_be_drawn() -> None:
    (chart,) = draw_charts(losses(1.0, math.inf, 2.0, 0.0), 0)
    assert chart.curves[0].path.count("M") == 2
    assert chart.curves[0].log_path.count("M") == 2
    assert "nan" not in chart.curves[0].path + chart.curves[0].log_path


def test_no_rows_no_charts() -> None:
    assert draw_charts(Series(()), 0) == ()


def test_data_of_very_many_rows_keep_the_spikes() -> None:
    values = [1.0] * 9000
    values[4321] = 50.0
    data = chart_data(losses(*values))
    curve = data["charts"][0]["curves"][0]["values"]
    assert len(curve) <= 2100
    assert max(curve) == 50.0
    assert len(curve) == len(data["moments"]) == len(data["charts"][0]["texts"])
    assert data["places"][0] == 0
    assert data["places"][-1] == 8999


def test_data_carry_what_json_can() -> None:
    data = chart_data(losses(1.0, math.nan, -math.inf))
    assert data["charts"][0]["curves"][0]["values"] == [1.0, None, None]


def test_thinning_keeps_the_order() -> None:
    points = [(index, math.sin(index)) for index in range(5000)]
    kept = thinned(points)
    assert list(kept) == sorted(kept)
    assert len(kept) <= 240


@settings(derandomize=True, max_examples=60, deadline=None)
@given(st.lists(st.floats(1e-30, 1e30), min_size=1, max_size=20), st.booleans())
def test_every_value_has_its_place_on_its_axis(values: list[float], log: bool) -> None:
    axis = fit(values, 100.0, 0.0, log=log, room=0.04)
    assert axis is not None
    for value in values:
        place = axis.at(value)
        assert place is not None
        assert -0.1 <= place <= 100.1
    for pixel, text in axis.marks(4):
        assert -0.1 <= pixel <= 100.1
        assert text
    assert len(axis.marks(4)) <= 11


def test_round_marks() -> None:
    assert [text for _, text in Axis(0, 10, 100, 0).marks(3)] == ["0", "5", "10"]
    assert [text for _, text in Axis(-3, 1, 100, 0, log=True).marks(5)] == ["0.001", "0.01", "0.1", "1", "10"]
    assert [text for _, text in Axis(-2e-5, 0, 0, 1).marks(3)] == ["−2e−5", "−1e−5", "0"]


def rows_of(script: str) -> tuple[list[tuple[str, str]], list[tuple[int, int | None, dict[object, float]]]]:
    run = Run("import torch\nw = torch.tensor(2.0, requires_grad=True)\n" + script)
    run.begin()
    run.execute(Command("run", times=100))
    return [*run.series().curves], [(row.moment, row.iteration, dict(row.values)) for row in run.series().rows]


def test_what_no_variable_holds_is_a_loss_too() -> None:
    curves, rows = rows_of("for i in range(3):\n    (w * i / 4).backward()\n")
    assert curves == [("loss", "w * i / 4"), ("norm", "all")]
    assert [values["loss", "w * i / 4"] for _, _, values in rows] == [0.0, 0.5, 1.0]


def test_iterations_that_nobody_watches_tell_what_no_variable_holds() -> None:
    _, rows = rows_of(
        "for i in range(90):\n    torch.nn.functional.mse_loss(w * 0.5, torch.tensor(i * 1.0)).backward()\n"
    )
    assert [values["loss", "mse_loss(…)"] for _, _, values in rows] == [(1.0 - i) ** 2 for i in range(90)]


@pytest.mark.parametrize("grows", ["loss = loss + w * k", "loss += w * k"])
def test_a_loss_that_grows_by_terms_is_one_point_where_it_is_whole(grows: str) -> None:
    text = f"for i in range(2):\n    loss = 0\n    for k in range(3):\n        {grows}\n    loss.backward()\n"
    _, rows = rows_of(text)
    assert [(iteration, values["loss", "loss"]) for _, iteration, values in rows] == [(1, 6.0), (2, 6.0)]


BY_HAND = """x = torch.tensor([1.0, 2.0])
v = 0.0
for i in range(90):
    p = v * x
    {loss}
    dv = (2 * x * (p - 1)).mean()
    v -= 0.05 * dv{told}
"""


@pytest.mark.parametrize(
    ("loss", "told", "name"),
    [
        ("loss = ((p - 1) ** 2).mean().item()", "", "loss"),
        ("l = float(((p - 1) ** 2).mean())", "\n    print(f'loss {l:.3f}')", "l"),
        ("e = ((p.numpy() - 1) ** 2).mean() if i else 1.0", "\n    losses.append(e)", "e"),
        ("j = ((p - 1) ** 2).mean()", "\n    print('mse', j)", "j"),
    ],
)
def test_a_loss_that_is_a_number_has_a_curve(loss: str, told: str, name: str) -> None:
    text = "losses = []\n" + BY_HAND.format(loss=loss, told=told)
    curves, rows = rows_of(text)
    assert curves == [("loss", name)]
    assert [iteration for _, iteration, _ in rows] == list(range(1, 91))  # those that nobody watched among them
    run = Run("import torch\nw = 1.0\n" + text)
    run.begin()
    for _ in range(3):
        run.execute(Command("forward"))
        run.execute(Command("backward"))
        run.execute(Command("step"))
    stepped = [row.values["loss", name] for row in run.series().rows]
    assert stepped == [values["loss", name] for _, _, values in rows[:3]]
    assert stepped[2] < stepped[1]


def test_a_loop_that_names_no_loss_has_no_curve_and_says_so() -> None:
    run = Run("import torch\n" + BY_HAND.format(loss="pass", told=""))
    run.begin()
    run.execute(Command("run", times=2))
    assert run.series().blind
    assert run.series().rows == []


def test_each_loss_that_goes_backward_is_a_point() -> None:
    text = "for i in range(2):\n    for k in range(3):\n        loss = w * k\n        loss.backward()\n"
    _, rows = rows_of(text)
    assert [values["loss", "loss"] for _, _, values in rows] == [0.0, 2.0, 4.0] * 2
