"""Results of scripted scenarios as JUnit XML, which continuous integration and autograders read."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.views import CheckView

FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot carry."""


@dataclass(frozen=True)
class Suite:
    """A scenario's file, what came of it, and the seconds that it took."""

    name: str
    result: CheckView
    seconds: float


def write_junit(path: Path, suites: Sequence[Suite]) -> None:
    """A test suite for each scenario, a test case for each expectation, and one for what could not be executed. Raises
    OSError."""
    root = ET.Element("testsuites", name="gradflow check")
    for suite in suites:
        rows, error = suite.result.results, suite.result.error
        failed = sum(not row.passed for row in rows)
        counts = {"tests": len(rows) + bool(error), "failures": failed, "errors": int(bool(error))}
        written = {name: str(count) for name, count in counts.items()} | {"time": f"{suite.seconds:.3f}"}
        element = ET.SubElement(root, "testsuite", {"name": _clean(suite.name)} | written)
        for number, row in enumerate(rows, start=1):
            name = f"{number}. after {row.after}: {row.what}"
            case = ET.SubElement(element, "testcase", classname=_clean(suite.name), name=_clean(name))
            if not row.passed:
                message = f"got {row.got}, wanted {row.wanted}"
                ET.SubElement(case, "failure", message=_clean(message)).text = _clean(message)
        if error:  # a case of its own: it may have come when every expectation had been met
            case = ET.SubElement(element, "testcase", classname=_clean(suite.name), name="the script and its commands")
            ET.SubElement(case, "error", message=_clean(error)).text = _clean(error)
    ET.indent(root)
    path.write_bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))


def _clean(text: str) -> str:
    return FORBIDDEN.sub("\ufffd", text)
