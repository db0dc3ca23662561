"""The library: the scenarios that ship with the app, read from app/scenarios/*.py.

A scenario is a plain script in percent-cell format (docs/scenarios.md). Its first cell is `# %% [markdown]` with a
heading (the title), a paragraph (the summary) and lines `topics: ..., ...` (some of TOPICS; may be missing),
`level: ...` and `minutes: ...`; later markdown cells are the lesson. Scripts are data: they are read, never imported.
"""

from __future__ import annotations

import json
import logging
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from app.teaching.lessons import Card, LessonError, read_cards
from app.views import ParityView
from engine.errors import SourceError
from engine.script.reading.source import read_script

log = logging.getLogger("gradflow.library")

FOLDER = Path(__file__).parent / "scenarios"
FIRST = (
    "gradients-add-up",
    "three-calls",
    "sgd-by-hand",
    "retain-graph",
    "why-zero-grad",
    "what-step-reads",
    "outside-the-loop",
    "learning-rate-too-large",
    "common-myths",
    "for-tensorflow-readers",
    "linear-regression",
    "gradient-descent-without-an-optimizer",
    "old-style-variable",
    "none-against-zero",
    "gradient-accumulation",
    "optimizer-state",
    "gradient-clipping",
    "freezing-and-detach",
    "two-heads",
    "vanishing-gradients",
    "two-moons",
    "dataset-dataloader-device",
    "batch-size-by-epoch",
    "tutorial-mlp",
    "all-orders",
    "batches-in-turns",
    "rnn-through-time",
    "tiny-gan",
    "activation-memory",
)
"""The order of the gallery; what is not named here follows by title."""

LEVELS = ("beginner", "intermediate", "advanced")
TOPICS = ("gradients", "optimizers", "loop", "networks", "other-code")
"""What a scenario may be about; one may be about several."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """`source` is the whole script; `lesson` the texts of the markdown cells after the first, in order, and `cards`
    what they say (app/teaching/lessons.py); `topics` are some of TOPICS."""

    slug: str
    title: str
    summary: str
    level: str
    minutes: int
    source: str
    lesson: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()
    topics: tuple[str, ...] = ()
    receipt: ParityView | None = None


class ScenarioError(ValueError):
    """A scenario file that does not follow the format; the message says where and what is missing."""


def read_scenario(slug: str, source: str) -> Scenario:
    """Read a scenario from its text. Raises ScenarioError."""
    texts = [text for kind, text in cells(source) if kind == "markdown"]
    if not texts or not source.lstrip().startswith("# %% [markdown]"):
        raise ScenarioError(f"{slug}: the first cell must be `# %% [markdown]` with title, summary, level and minutes.")
    head = texts[0]
    title = re.search(r"^# (.+)$", head, re.MULTILINE)
    level = re.search(r"^level: *(.+)$", head, re.MULTILINE)
    minutes = re.search(r"^minutes: *(\d+)$", head, re.MULTILINE)
    if title is None or level is None or minutes is None:
        missing = [
            word
            for word, found in (("a `# ` title", title), ("a `level:` line", level), ("a `minutes:` line", minutes))
            if found is None
        ]
        raise ScenarioError(f"{slug}: the first cell lacks {', '.join(missing)}.")
    if level[1].strip() not in LEVELS:
        raise ScenarioError(f"{slug}: there is no level {level[1].strip()!r}; levels are {', '.join(LEVELS)}.")
    listed = re.search(r"^topics: *(.+)$", head, re.MULTILINE)
    topics = tuple(topic.strip() for topic in listed[1].split(",")) if listed else ()
    unknown = [topic for topic in topics if topic not in TOPICS]
    if unknown:
        raise ScenarioError(f"{slug}: there is no topic {unknown[0]!r}; topics are {', '.join(TOPICS)}.")
    body = head[title.end() :]
    summary = " ".join(re.sub(r"^(level|minutes|topics):.*$", "", body, flags=re.MULTILINE).split())
    try:
        cards = read_cards(texts[1:])
    except LessonError as error:
        raise ScenarioError(f"{slug}: {error}") from error
    level_, lesson = level[1].strip(), tuple(texts[1:])
    return Scenario(slug, title[1].strip(), summary, level_, int(minutes[1]), source, lesson, cards, topics)


OF_LESSONS = re.compile(r"^(level|minutes|topics|do|predict|answer):", re.MULTILINE)
"""What markdown cells of scenarios say, and those of other notebooks do not."""


@lru_cache(maxsize=64)
def own_scenario(source: str) -> Scenario | None:
    """A script of somebody's own as a scenario; None when it is none, as a notebook is. Raises ScenarioError: it begins
    as one does, with a markdown cell and a title, has lines of a lesson, and then does not follow the format."""
    first = next(iter(cells(source[:4000])), None)
    if first is None or first[0] != "markdown" or not re.match(r"# .", first[1]):
        return None
    if not any(OF_LESSONS.search(text) for kind, text in cells(source) if kind == "markdown"):
        return None
    return read_scenario("your script", source)


def cells(source: str) -> list[tuple[str, str]]:
    """The cells of a percent-format script: ("markdown", text without the comment marks) or ("code", source)."""
    found: list[tuple[str, list[str]]] = [("code", [])]
    for line in source.splitlines():
        mark = re.match(r"# %%(.*)$", line)
        if mark:
            found.append(("markdown" if "[markdown]" in mark[1] else "code", []))
        elif found[-1][0] == "markdown":
            found[-1][1].append(re.sub(r"^# ?", "", line))
        else:
            found[-1][1].append(line)
    return [(kind, "\n".join(lines).strip("\n")) for kind, lines in found if any(line.strip() for line in lines)]


@lru_cache(maxsize=1)
def scenarios() -> dict[str, Scenario]:
    """All scenarios by slug, in the order of the gallery."""
    found = [read_scenario(path.stem, path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.py")]
    held = receipts()
    found = [replace(one, receipt=held.get(one.slug)) for one in found]
    found.sort(key=lambda s: (FIRST.index(s.slug) if s.slug in FIRST else len(FIRST), s.title))
    return {scenario.slug: scenario for scenario in found}


def receipts() -> dict[str, ParityView]:
    """Of every scenario that was held against PyTorch, as `python -m tests.receipt` wrote them."""
    file = FOLDER / "receipt.json"
    if not file.is_file():
        return {}
    told = json.loads(file.read_text(encoding="utf-8"))
    versions = told["torch"], told["numpy"], told["version"], told["date"]
    return {slug: ParityView(result, *versions) for slug, result in told["scenarios"].items()}


def with_folder(folder: Path | None, most: int | None = None) -> dict[str, Scenario]:
    """The scenarios that ship, then those of a folder of one's own. A file there that cannot be read, has more than
    `most` bytes, bears the name of one that ships, or does not follow the format is left out, and the log says why."""
    found = dict(scenarios())
    if folder is not None and not folder.is_dir():
        log.warning("GRADFLOW_SCENARIOS_DIR: there is no folder %s", folder)
        return found
    for path in sorted(folder.glob("*.py")) if folder is not None else ():
        try:
            found[path.stem] = _of_folder(path, most)
        except OSError as error:
            log.warning("a scenario was left out: %s: %s", path.name, error.strerror)
        except UnicodeDecodeError as error:
            log.warning("a scenario was left out: %s is not UTF-8: %s at byte %d", path.name, error.reason, error.start)
        except ScenarioError as error:
            log.warning("a scenario was left out: %s", error)
        except SourceError as error:
            log.warning("a scenario was left out: %s, line %d: %s", path.name, error.line, error.message)
    return found


def _of_folder(path: Path, most: int | None) -> Scenario:
    if path.stem in scenarios():
        raise ScenarioError(f"{path.stem}: the library has a scenario of that name. Give the file another one.")
    size = path.stat().st_size
    if most is not None and size > most and path.is_file():
        raise ScenarioError(f"{path.stem}: {size:,} bytes; a script may have {most:,} (GRADFLOW_SOURCE_BYTES).")
    source = path.read_text(encoding="utf-8-sig")
    found = read_scenario(path.stem, source)
    read_script(source)
    return found


def scenario(slug: str) -> Scenario:
    """Raises KeyError when there is none of that name."""
    return scenarios()[slug]
