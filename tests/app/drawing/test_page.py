"""A page from moments made by hand: what is shown at a cursor, and that it can be sent."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.drawing.page import Page, draw_page
from app.drawing.scene import NodeBox, draw_scene
from app.drawing.svg import draw_svg
from tests.app.drawing import moments
