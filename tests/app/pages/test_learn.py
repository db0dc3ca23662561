"""The documentation as pages: every page is there, every link leads somewhere, code in it cannot become markup."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.pages.learn import GROUPS, documents
from app.pages.markdown import inline_html, read_document, to_html
from app.places import find_folder
from tests.conftest import Server

NAMES = [name for _, names in GROUPS for name in names]


def test_every_page_is_there_and_has_a_title() -> None:
    assert list(documents()) == NAMES
    assert all(document.title and document.summary for document in documents().values())


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_somewhere(name: str) -> None:
    html = str(documents()[name].html)
    for address in re.findall(r'(?:href|src)="([^"]*)"', html):
        assert not address.startswith("."), address
        path, _, anchor = address.partition("#")
        page = re.fullmatch(r"/learn/([a-z-]+)", path)
        image = re.fullmatch(r"/learn/images/(.+)", path)
        if page:
            assert page[1] in documents(), address
            anchors = dict(documents()[page[1]].sections)
            assert not anchor or anchor in anchors or f'id="{anchor}"' in documents()[page[1]].html, address
        elif image:
            assert (find_folder("docs") / "images" / image[1]).is_file(), address
        elif path:
            assert path.startswith(("https://", "/s/", "/api/")) or path == "/", address


def test_pictures_have_their_size_before_they_come() -> None:
    pictures = [tag for page in documents().values() for tag in re.findall("<img [^>]*>", page.html)]
    assert pictures
    assert not [tag for tag in pictures if not re.search(r'\.png".* width="\d+" height="\d+"', tag)]
    assert [tag for tag in pictures if "/debugger.png" in tag and 'width="1440" height="900"' in tag]


def test_markup_in_a_text_is_shown_as_text() -> None:
    for html in (
        to_html("<script>alert(1)</script>"),
        inline_html("<b>x</b>"),
        read_document("# <i>x</i>\n\n<u>y</u>", Path()).html,
    ):
        assert "&lt;" in html
        assert "<script" not in html
        assert "<u>" not in html
    assert "javascript:" not in to_html("[x](javascript:alert(1))").replace("[x](javascript:alert(1))", "")


def test_pages_are_served(server: Server) -> None:
    first = server.get("/learn")
    assert first.status_code == 200
    assert 'rel="canonical"' in first.text
    picture = re.search(r'src="(/learn/images/[^"]+)"', first.text)
    assert picture is not None
    assert server.get(picture[1]).headers["content-type"] == "image/png"
    assert server.get("/learn/none").status_code == 404
    assert server.get("/learn/images/none.png").status_code == 404
