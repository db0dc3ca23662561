"""Whatever a person can use is documented: commands, settings, routes; and what the documents point to is there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted(path for pattern in ("*.md", "docs/**/*.md", "benchmarks/*.md") for path in ROOT.glob(pattern))
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def make_targets() -> list[str]:
    """The targets that `make help` lists."""
    return re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def documented(word: str) -> bool:
    """Whether a document says `word` as a word of its own."""
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", TEXT) is not None


# ------------------------------------------------------------------ links


def anchor(heading: str) -> str:
    """The fragment under which a heading is found, by GitHub's rule."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def links(path: Path) -> Iterator[str]:
    """The targets of a document's links and images that point into the repository."""
    prose = re.sub(r"```.*?```|`[^`]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)|<img [^>]*src=\"([^\"]+)\"", prose):
        link = target[0] or target[1]
        # Addresses of the server (`/s/...`) are for the pages under /learn.
        if not re.match(r"[a-z]+:|/", link):
            yield link


@pytest.mark.parametrize("path", DOCUMENTS, ids=relative)
def test_links_lead_somewhere(path: Path) -> None:
    for link in links(path):
        file, _, fragment = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        assert target.exists(), f"{relative(path)} links to {link}, which is not there"
        if fragment and target.suffix == ".md":
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert fragment in {anchor(heading) for heading in headings}, f"{relative(path)}: no heading for {link}"


# ------------------------------------------------------------------ commands


@pytest.mark.parametrize("target", ["run", "test", "test-all", "check", "bench"])
def test_make_targets_that_people_use_are_there_and_documented(target: str) -> None:
    assert target in make_targets()
    assert f"make {target}" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_documents_name_only_make_targets_that_exist() -> None:
    named = set(re.findall(r"`make ([a-z-]+)", TEXT)) | set(re.findall(r"^\s*make ([a-z-]+)", TEXT, re.MULTILINE))
    assert named <= set(make_targets())


def command_line_words() -> list[str]:
    """The subcommands and long options of `gradflow`, read from the calls that define them."""
    files = [ROOT / "app" / "cli.py", ROOT / "app" / "teaching" / "marking.py", ROOT / "app" / "export" / "command.py"]
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]
    words = []
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            names = [item.value for item in node.args if isinstance(item, ast.Constant) and isinstance(item.value, str)]
            if node.func.attr == "add_parser":
                words += [f"gradflow {name}" for name in names]
            elif node.func.attr == "add_argument":
                words += [name for name in names if name.startswith("--")]
    return sorted(set(words))


@pytest.mark.parametrize("word", command_line_words() if (ROOT / "app" / "cli.py").exists() else [])
def test_command_line_is_documented(word: str) -> None:
    assert documented(word)


# ------------------------------------------------------------------ settings and routes


def test_every_setting_is_documented() -> None:
    from app.settings import Settings

    names = {f"GRADFLOW_{name.upper()}" for name in Settings.model_fields}
    assert sorted(name for name in names if not documented(name)) == []


def rest_routes() -> list[str]:
    """`METHOD /path` of each REST route, as the application's own OpenAPI document has them."""
    from app.main import create_app
    from app.settings import Settings

    application = create_app(Settings())
    mounted = [route.app for route in application.routes if getattr(route, "path", "") == "/api/v1"]
    document = mounted[0].openapi()
    methods = ("get", "post", "put", "patch", "delete")
    return sorted(
        f"{method.upper()} {path}" for path, item in document["paths"].items() for method in item if method in methods
    )


def test_every_rest_route_is_documented() -> None:
    def plain(text: str) -> str:
        return re.sub(r"\{\w+\}", "{}", text)  # how a parameter is called does not matter

    routes = rest_routes()
    assert routes
    assert [route for route in routes if f"`{plain(route)}`" not in plain(TEXT)] == []
