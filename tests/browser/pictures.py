"""The pictures in docs/images: `make pictures`, or `python -m tests.browser.pictures URL` against a running server.

Each is a state that anybody can reach: an address, a window, keys pressed one after the other, then clicks. The preview
that links to the pages show (static/images) is taken with them.
"""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.chromium import HINT, find_chromium, flags

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
PREVIEWS = ROOT / "static" / "images"
TEN = '#more [data-do="run"][data-times="10"]'


@dataclass(frozen=True)
class Picture:
    """docs/images/<name>.png: `address` in a window of width x height after `keys`, then `clicks`."""

    name: str
    address: str
    keys: str = ""
    width: int = 1440
    height: int = 900
    theme: str = "light"
    clicks: tuple[str, ...] = ()

    @property
    def file(self) -> Path:
        return (PREVIEWS if self.name == "preview" else IMAGES) / f"{self.name}.png"


PICTURES = (
    Picture("debugger", "/s/gradients-add-up", "zfbfb"),
    Picture("error", "/s/gradients-add-up", "zfbb"),
    Picture("network-dark", "/s/two-moons", "zfb", theme="dark"),
    Picture("phone", "/s/gradients-add-up", "zfb", 390, 844),
    Picture("embed", "/e/gradients-add-up", "zf", 720, 480),
    Picture("landscape", "/s/two-moons", clicks=("#more-button", TEN, TEN, TEN, "h1", "#draw-landscape")),
    Picture(
        "compare",
        "/s/gradients-add-up",
        "zfbs",
        clicks=("#compare-link", '[data-variant="without-zero-grad"]', '[data-do="run10"]'),
    ),
    Picture("why", "/s/gradients-add-up", "fbfb", clicks=('a.asks[data-field="grad"]',)),
    Picture("preview", "/s/gradients-add-up", "fbfb", 1200, 630),
)


def take(url: str, names: list[str]) -> None:
    """Take the pictures (all, or those named) from the server at `url`."""
    path = find_chromium()
    if path is None:
        raise SystemExit(HINT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=flags())
        for picture in PICTURES:
            if names and picture.name not in names:
                continue
            page = browser.new_page(
                viewport={"width": picture.width, "height": picture.height},
                color_scheme="dark" if picture.theme == "dark" else "light",
                reduced_motion="reduce",
            )
            page.goto(url + picture.address, wait_until="networkidle")
            for key in picture.keys:
                with page.expect_response(lambda response: "/commands" in response.url):
                    page.keyboard.press(key)
                page.wait_for_timeout(200)
            for selector in picture.clicks:
                quiet = selector in ("#more-button", "h1")  # asks the server for nothing
                with nullcontext() if quiet else page.expect_event("response"):
                    page.locator(selector).first.click()
                page.wait_for_load_state("networkidle")
                page.wait_for_timeout(700)
            page.wait_for_timeout(500)
            if picture.name == "landscape":
                page.locator("#landscape").scroll_into_view_if_needed()
            picture.file.parent.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=picture.file)
            page.close()
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="Take the pictures of docs/images.")
    parser.add_argument("url", help="a running server, such as http://127.0.0.1:8000")
    parser.add_argument("names", nargs="*", help="only these")
    given = parser.parse_args()
    take(given.url.rstrip("/"), given.names)


if __name__ == "__main__":
    main()
