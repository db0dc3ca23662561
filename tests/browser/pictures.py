"""The pictures in docs/images: `make pictures`, or `python -m tests.browser.pictures URL` against a running server.

Each is a state that anybody can reach: an address, a window, and keys pressed one after the other.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.chromium import HINT, find_chromium, flags

IMAGES = Path(__file__).parents[2] / "docs" / "images"


@dataclass(frozen=True)
class Picture:
    """docs/images/<name>.png: `address` in a window of width x height after `keys`."""

    name: str
    address: str
    keys: str = ""
    width: int = 1440
    height: int = 900
    theme: str = "light"


PICTURES = (
    Picture("debugger", "/s/gradients-add-up", "zfbfb"),
    Picture("error", "/s/gradients-add-up", "zfbb"),
    Picture("network-dark", "/s/two-moons", "zfb", theme="dark"),
    Picture("phone", "/s/gradients-add-up", "zfb", 390, 844),
    Picture("embed", "/e/gradients-add-up", "", 720, 480),
)


def take(url: str, folder: Path) -> None:
    """Take all pictures from the server at `url`."""
    path = find_chromium()
    if path is None:
        raise SystemExit(HINT)
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=flags())
        for picture in PICTURES:
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
            page.wait_for_timeout(300)
            page.screenshot(path=folder / f"{picture.name}.png")
            page.close()
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="Take the pictures of docs/images.")
    parser.add_argument("url", help="a running server, such as http://127.0.0.1:8000")
    parser.add_argument("--out", type=Path, default=IMAGES)
    given = parser.parse_args()
    take(given.url.rstrip("/"), given.out)


if __name__ == "__main__":
    main()
