"""A hash of a run's state: equal runs have equal digests."""

from __future__ import annotations

import hashlib
from typing import Any

from engine.tracing.moments import Moment


def digest_of(state: Moment, stream: bytes) -> str:
    """`state` is the last moment, `stream` where the random generator is."""
    hasher = hashlib.sha256()

    def add(*parts: Any) -> None:
        for part in parts:
            data = part.tobytes() if hasattr(part, "tobytes") else repr(part).encode()
            hasher.update(len(data).to_bytes(8, "little") + data)

    add(state.number, state.next_line, state.iteration, state.stdout, state.stderr)
    for tensor in state.tensors:
        add(tensor.name, tensor.shape, tensor.dtype, tensor.value, tensor.grad)
    for optimizer in state.optimizers:
        add(optimizer.name, [sorted(group.items()) for group in optimizer.groups])
        for parameter in optimizer.parameters:
            add(parameter.name)
            for key, value in sorted(parameter.state.items()):
                add(key, value)
    for variable in state.variables:
        add(variable.name, variable.text)
    add(stream)
    return hasher.hexdigest()
