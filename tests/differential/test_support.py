"""docs/support.md says what is there."""

from __future__ import annotations

from tests.differential import support


def test_the_page_is_what_the_code_says() -> None:
    written = support.PAGE.read_text(encoding="utf-8")
    assert written == support.page(), "run `python -m tests.differential.support`"


def test_what_is_partly_supported_is_there() -> None:
    text = support.page()
    for name, what in support.PARTLY.items():
        assert f"- `{name.rpartition('.')[2]}`: {what}" in text, name
