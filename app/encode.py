"""A moment as JSON, tensors as JSON or .npy, the trace as NDJSON. Runs in the worker: it may be much.

Non-finite numbers are the strings "nan", "inf" and "-inf". Above 1,000 elements an array is a summary instead of
nested lists.
"""

from __future__ import annotations

import dataclasses
import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from engine.tracing.moments import (
    Array,
    Failure,
    Graph,
    GraphEdge,
    GraphNode,
    Moment,
    OptimizerState,
    TensorState,
)

WHOLE = 1000
"""Elements up to which an array is written out."""

Json = dict[str, Any]
_json = msgspec.json.Encoder()


def encode(value: object) -> bytes:
    """JSON of plain values (see `plain`)."""
    return _json.encode(value)


def moment_json(moment: Moment) -> bytes:
    """One moment whole."""
    return encode(moment_dict(moment))


def moment_dict(moment: Moment) -> Json:
    """The moment of the REST contract, in plain values."""
    return {
        "number": moment.number,
        "statement": moment.statement,
        "line": moment.line,
        "end_line": moment.end_line,
        "next_line": moment.next_line,
        "phase": moment.phase,
        "do": moment.do,
        "free": moment.free,
        "iteration": moment.iteration,
        "loss": number(moment.loss),
        "events": [{"kind": event.kind, **_record(event)} for event in moment.events],
        "tensors": [_tensor(tensor) for tensor in moment.tensors],
        "graph": graph_dict(moment.graph),
        "optimizers": [_optimizer(optimizer) for optimizer in moment.optimizers],
        "variables": [_record(variable) for variable in moment.variables],
        "stdout": moment.stdout,
        "stderr": moment.stderr,
        "plots": [_record(plot) for plot in moment.plots],
        "warnings": [_record(warning) for warning in moment.warnings],
        "error": None if moment.error is None else error_dict(moment.error),
        "explanation": moment.explanation.text,
        "offers": [{"label": offer.label, "commands": plain(offer.commands)} for offer in moment.explanation.offers],
        "culprit": moment.explanation.culprit,
        "findings": [_record(finding) for finding in moment.findings],
    }


def graph_dict(graph: Graph) -> Json:
    """Nodes in order of computation, and edges."""
    return {
        "nodes": [_node(node) for node in graph.nodes],
        "edges": [_edge(edge) for edge in graph.edges],
    }


def error_dict(error: Failure) -> Json:
    """A script's own error."""
    return _record(error)


def tensor_json(tensor: TensorState) -> bytes:
    """One tensor with all of its values."""
    return encode({**_tensor(tensor, limit=None), "version": tensor.version})


def tensor_npy(values: Array) -> bytes:
    """An array in NumPy's .npy format (no pickles)."""
    file = io.BytesIO()
    values = values.astype(values.dtype.newbyteorder("="), copy=False)  # bfloat16 as float32
    np.save(file, np.ascontiguousarray(values) if values.ndim else values, allow_pickle=False)
    return file.getvalue()


def number(value: float | None) -> float | str | None:
    """A number that JSON can carry."""
    if value is None or math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def nested(values: Array) -> Any:
    """An array as nested lists (a number when it has no dimension)."""
    if values.dtype.kind == "c":
        return _texts(values.tolist())
    listed = values.tolist()
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        return _readable(listed)
    return listed


def _texts(listed: Any) -> Any:
    """Complex numbers as Python writes them, without brackets: "1+2j"."""
    return [_texts(entry) for entry in listed] if isinstance(listed, list) else str(listed).strip("()")


def summary(values: Array) -> Json:
    """What is said of an array that is too large to write out. `norm` is the 2-norm; figures are of the finite
    elements, of complex ones of how long they are."""
    numbers = (np.abs(values) if values.dtype.kind == "c" else values).astype(np.float64, copy=False)
    finite = numbers[np.isfinite(numbers)]
    figures: Json = {"shape": list(values.shape), "elements": int(values.size), "finite": int(finite.size)}
    if finite.size:
        figures |= {
            "norm": number(float(np.linalg.norm(finite))),
            "min": float(finite.min()),
            "max": float(finite.max()),
            "mean": number(float(finite.mean())),
        }
    return figures


def plain(value: Any) -> Any:
    """Values as they occur in a moment, made of what JSON knows."""
    if isinstance(value, np.ndarray):
        return nested(value) if value.size <= WHOLE else {"summary": summary(value)}
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, int):
        return value if -(2**53) <= value <= 2**53 else str(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, complex):
        return str(value).strip("()")
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, Sequence):
        return [plain(entry) for entry in value]
    if dataclasses.is_dataclass(value):
        return _record(value)
    return str(value)


def _record(record: Any) -> Json:
    return {field.name: plain(getattr(record, field.name)) for field in dataclasses.fields(record)}


def _readable(listed: Any) -> Any:
    return [_readable(entry) for entry in listed] if isinstance(listed, list) else number(listed)


def _values(name: str, values: Array | None, limit: int | None) -> Json:
    """`name` with the values, or with null and the summary beside it."""
    if values is None:
        return {name: None}
    if limit is not None and values.size > limit:
        return {name: None, "summary" if name == "data" else f"{name}_summary": summary(values)}
    return {name: nested(values)}


def _tensor(tensor: TensorState, limit: int | None = WHOLE) -> Json:
    return {
        "name": tensor.name,
        "shape": list(tensor.shape),
        "dtype": tensor.dtype,
        "requires_grad": tensor.requires_grad,
        "is_leaf": tensor.is_leaf,
        "is_parameter": tensor.is_parameter,
        "grad_fn": tensor.grad_fn,
        "node": tensor.node,
        **_values("data", tensor.value, limit),
        **_values("grad", tensor.grad, limit),
    }


def _node(node: GraphNode) -> Json:
    written = _record(node)
    # What a backward left behind is only said where there is something to say.
    for name in ("grad", "passing", "module", "role", "change"):
        if written[name] is None:
            del written[name]
    for name in ("contributions", "calls", "freed"):
        if not written[name]:
            del written[name]
    return written


def _edge(edge: GraphEdge) -> Json:
    written: Json = {"source": edge.source, "target": edge.target, "slot": edge.slot}
    if edge.gradient is not None:
        written["gradient"] = plain(edge.gradient)
    return written


def _optimizer(optimizer: OptimizerState) -> Json:
    return {
        "name": optimizer.name,
        "type": optimizer.type,
        "groups": plain(optimizer.groups),
        "parameters": [_record(parameter) for parameter in optimizer.parameters],
    }
