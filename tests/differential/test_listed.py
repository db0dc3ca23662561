"""dir() of the packages that courses look through, and the version that they print."""

from __future__ import annotations

import ast
import importlib

import pytest

from tests.differential import oracle
from tests.engine.script.compare import in_interpreter


@pytest.mark.parametrize("name", ["torch.optim", "torch.distributions", "torch.nn"])
def test_dir_of_a_package(name: str) -> None:
    def ask(torch):
        return dir(importlib.import_module(name))

    found = in_interpreter(f"import torch, torch.distributions\nprint(dir({name}))").stdout
    assert ast.literal_eval(found) == oracle.answer("listed", name, ask)


def test_version_of_the_distribution() -> None:
    found = in_interpreter("from importlib.metadata import version\nprint(version('torch'))").stdout
    assert found.strip() == oracle.answer("listed", "version", lambda torch: str(torch.__version__))
