"""The script's lines: cells, what can be stopped at, what is not drawn."""

from __future__ import annotations

from app.drawing.listing import Place, ScriptLine, draw_script

SOURCE = """# %% [markdown]
# # A title
# Words.

# %% Data
x = [
    1,
    2,
]

# %%
for i in range(3):
    y = x[0]; z = 2


# %% [markdown]
# The end.
"""


def lines(source: str = SOURCE) -> dict[int, ScriptLine]:
    drawn = draw_script(source, (), (), ran=(6, 9), next_line=12, failure=None)
    return {line.number: line for line in drawn}


def test_cells_have_titles_and_where_the_next_one_begins() -> None:
    heads = {number: (line.cell, line.onward) for number, line in lines().items() if line.cell is not None}
    assert heads == {5: ("Data", 12), 11: ("", 0)}


def test_a_line_can_be_stopped_at_where_a_statement_begins() -> None:
    assert [number for number, line in lines().items() if line.begins] == [6, 12, 13]


def test_what_is_not_drawn() -> None:
    assert [number for number, line in lines().items() if line.prose] == [1, 2, 3, 4, 10, 14, 15, 16, 17]


def test_arrows() -> None:
    drawn = lines()
    assert [number for number, line in drawn.items() if line.ran] == [6, 7, 8, 9]
    assert [number for number, line in drawn.items() if line.next] == [12]
    assert [number for number, line in drawn.items() if line.here] == [6]


def test_a_script_that_cannot_be_read_still_has_lines() -> None:
    drawn = draw_script("for i in range(3)\n    pass", (), (), ran=None, next_line=None, failure=Place(1, None, None))
    assert len(drawn) == 2
    assert not any(line.begins for line in drawn)
    assert drawn[0].error
