"""What the engine's tests share: a detector that fails is a bug, and ends the run."""

from __future__ import annotations

from engine.tracing import diagnosis

diagnosis.STRICT = True
