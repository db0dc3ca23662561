"""Screenshots for human eyes: `python -m tests.browser.look URL [--out FOLDER] [--only SELECTOR] [--press KEYS]`.

Takes the page as a desktop, a phone and an embed see it, in the light and the dark theme, and prints the files' names
and whatever the page complained about. KEYS are pressed one after the other first: `--press ZFBS`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.chromium import HINT, find_chromium, flags

SIZES = {"desktop": (1440, 900), "phone": (390, 844), "embed": (720, 480)}


def element_shot(page: Page, selector: str, path: Path, *, margin: int = 8) -> Path:
    """A screenshot of one element with a little of what is around it; the element must be there."""
    element = page.locator(selector).first
    element.scroll_into_view_if_needed()
    box = element.bounding_box()
    assert box is not None, f"{selector} is not visible"
    clip = {
        "x": max(box["x"] - margin, 0),
        "y": max(box["y"] - margin, 0),
        "width": box["width"] + 2 * margin,
        "height": box["height"] + 2 * margin,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=path, clip=clip)
    return path


def look(url: str, folder: Path, *, only: str | None, keys: str, sizes: Sequence[str], themes: Sequence[str]) -> None:
    path = find_chromium()
    if path is None:
        raise SystemExit(HINT)
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=flags())
        for size in sizes:
            width, height = SIZES[size]
            for theme in themes:
                page = browser.new_page(
                    viewport={"width": width, "height": height}, color_scheme=theme, reduced_motion="reduce"
                )
                page.on("console", lambda message: message.type == "error" and print("console:", message.text))
                page.on("pageerror", lambda error: print("uncaught:", error))
                page.goto(url)
                for key in keys:
                    page.keyboard.press(key.lower())
                    page.wait_for_timeout(400)
                page.wait_for_timeout(300)
                file = folder / f"{size}-{theme}.png"
                if only:
                    element_shot(page, only, file)
                else:
                    page.screenshot(path=file)
                print(file)
                page.close()
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description="Screenshots of a page, for human eyes.")
    parser.add_argument("url")
    parser.add_argument("--out", type=Path, default=Path("test-results/look"))
    parser.add_argument("--only", metavar="SELECTOR", help="only this element")
    parser.add_argument("--press", metavar="KEYS", default="", help="keys to press first")
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--themes", nargs="+", choices=["light", "dark"], default=["light", "dark"])
    given = parser.parse_args()
    look(given.url, given.out, only=given.only, keys=given.press, sizes=given.sizes, themes=given.themes)


if __name__ == "__main__":
    main()
