"""Every part of the allow-list: importing this fills it."""

from __future__ import annotations

from engine.script import shipped
from engine.script.classes import abstract, extended, values
from engine.script.surface import (
    absent,
    arrays,
    asserting,
    bytes,
    collections,
    decimals,
    draws,
    enum,
    literals,
    numpy,
    outside,
    polynomials,
    pyplot,
    python,
    seldom,
    std,
    strided,
    tables,
    text,
    time,
    torch,
    typing,
    ufuncs,
    waiting,
)

FILLED = (
    python,
    waiting,
    std,
    torch,
    bytes,
    collections,
    draws,
    typing,
    ufuncs,
    outside,
    seldom,
    numpy,
    arrays,
    strided,
    asserting,
    polynomials,
    pyplot,
    enum,
    text,
    time,
    absent,
    literals,
    decimals,
    tables,
    extended,
    values,
    abstract,
)
shipped.fill()
