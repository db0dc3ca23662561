"""Every part of the allow-list: importing this fills it."""

from __future__ import annotations

from engine.script import (
    extended,
    shipped,
    surface_absent,
    surface_arrays,
    surface_bytes,
    surface_collections,
    surface_enum,
    surface_numpy,
    surface_outside,
    surface_pyplot,
    surface_python,
    surface_std,
    surface_tables,
    surface_text,
    surface_time,
    surface_torch,
)

FILLED = (
    surface_python,
    surface_std,
    surface_torch,
    surface_bytes,
    surface_collections,
    surface_outside,
    surface_numpy,
    surface_arrays,
    surface_pyplot,
    surface_enum,
    surface_text,
    surface_time,
    surface_absent,
    surface_tables,
    extended,
)
shipped.fill()
