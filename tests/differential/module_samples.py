"""Sample inputs of modules from PyTorch's own database, and what a module makes of them: its repr, its parameters
after a seed, its outputs, gradients and buffers. The same code runs in PyTorch and in the engine."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.differential import op_samples, oracle

Sample = dict[str, Any]

DTYPES = op_samples.DTYPES
LAYER = ("d_model", "nhead", "dim_feedforward", "dropout", "activation", "layer_norm_eps", "batch_first", "norm_first")


@functools.cache
def database() -> dict[str, Any]:
    """Every entry of module_db by the name of its class."""
    oracle.torch()
    from torch.testing._internal.common_modules import module_db

    return {info.module_cls.__name__: info for info in module_db}


def samples(name: str, dtype: str) -> Iterator[Sample]:
    """All samples of a module for one dtype that lie inside the engine's subset."""
    torch, info = oracle.torch(), database()[name]
    for training in (True, False) if info.train_and_eval_differ else (True,):
        torch.manual_seed(0)
        given = info.module_inputs_func(
            info, device="cpu", dtype=getattr(torch, dtype), requires_grad=True, training=training
        )
        for each in given:
            if each.forward_input is None:
                continue
            try:
                sample = {
                    "training": training,
                    "construct": _encode(each.constructor_input),
                    "forward": _encode(each.forward_input),
                    "dtype": dtype,
                }
            except TypeError:
                continue  # holds something that no script can write down
            if not any(f'"{word}' in json.dumps(sample) for word in op_samples.OUTSIDE):
                yield sample


def _encode(given: Any) -> Any:
    kwargs = {name: value for name, value in given.kwargs.items() if name not in ("device", "dtype")}
    return {"args": [_one(each) for each in given.args], "kwargs": {name: _one(v) for name, v in kwargs.items()}}


def _one(value: Any) -> Any:
    """A tensor, number ... as oracle.encode has it, a function by its name, an encoder layer by its arguments."""
    if callable(value) and getattr(value, "__module__", "") in ("torch.nn.functional", "torch"):
        return {"function": value.__name__}
    if type(value).__name__ == "TransformerEncoderLayer":
        attention = value.self_attn
        return {
            "layer": {
                "d_model": attention.embed_dim,
                "nhead": attention.num_heads,
                "dim_feedforward": value.linear1.out_features,
                "dropout": value.dropout.p,
                "activation": value.activation.__name__,
                "layer_norm_eps": value.norm1.eps,
                "batch_first": attention.batch_first,
                "norm_first": value.norm_first,
                "bias": value.linear1.bias is not None,
            }
        }
    return oracle.encode(value)


def _decode(data: Any, torch: Any, dtype: str) -> Any:
    if isinstance(data, dict) and "function" in data:
        return getattr(torch.nn.functional, data["function"])
    if isinstance(data, dict) and "layer" in data:
        return torch.nn.TransformerEncoderLayer(**data["layer"], dtype=getattr(torch, dtype))
    return oracle.decode(data, torch)


def outcome(torch: Any, name: str, sample: Sample) -> dict[str, Any]:
    """What the module makes of a sample, or the error."""
    dtype = sample["dtype"]
    torch.manual_seed(0)

    def arguments(part: str) -> tuple[list[Any], dict[str, Any]]:
        data = sample[part]
        return (
            [_decode(each, torch, dtype) for each in data["args"]],
            {key: _decode(each, torch, dtype) for key, each in data["kwargs"].items()},
        )

    try:
        args, kwargs = arguments("construct")
        module = getattr(torch.nn, name)(*args, **kwargs)
        module = module.to(getattr(torch, dtype)).train(sample["training"])
        shown, (given, named) = repr(module), arguments("forward")
        if name.startswith("Lazy"):  # it has nothing before it has seen an input
            module(*given, **named)
            shown += f" -> {module}"
        made = {"repr": shown, "state": {key: oracle.encode(v) for key, v in module.state_dict().items()}}
        outputs = op_samples.tensors_in(module(*given, **named), scalars=torch)
    except Exception as error:
        return {"error": [type(error).__name__, str(error)]}
    leaves = [each for each in op_samples.tensors_in((given, named)) if each.requires_grad]
    found = made | _gradients(torch, outputs, [*leaves, *module.parameters()])
    found["buffers"] = [oracle.encode(each) for each in module.buffers()]
    return found


def _gradients(torch: Any, outputs: list[Any], leaves: list[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"outputs": [oracle.encode(each) for each in outputs]}
    towards = [each for each in outputs if each.requires_grad]
    if leaves and towards:
        weights = np.random.RandomState(1)
        directions = [op_samples._direction(torch, each, weights) for each in towards]
        gradients = torch.autograd.grad(towards, leaves, directions, allow_unused=True)
        found["gradients"] = [oracle.encode(each) for each in gradients]
    return found


def differences(ours: dict[str, Any], theirs: dict[str, Any], tolerance: float) -> list[str]:
    """In words, where an outcome of the engine is not PyTorch's. Parameters must agree bit for bit."""
    if "error" in ours or "error" in theirs:
        return op_samples.differences(ours, theirs, tolerance)
    found = []
    if ours["repr"] != theirs["repr"]:
        found.append(f"repr {ours['repr']!r}, PyTorch: {theirs['repr']!r}")
    if ours["state"] != theirs["state"]:
        names = [k for k in {**ours["state"], **theirs["state"]} if ours["state"].get(k) != theirs["state"].get(k)]
        found.append(f"state differs in {names}: keys {list(ours['state'])}, PyTorch: {list(theirs['state'])}")
    found += op_samples.differences(ours, theirs, tolerance)
    buffers = ({"outputs": ours["buffers"]}, {"outputs": theirs["buffers"]})
    return found + ["buffers: " + each for each in op_samples.differences(*buffers, tolerance)]


def text(sample: Sample) -> str:
    """A sample for a person."""
    parts = {
        part: {
            "input": sample[part]["args"],
            "args": {"tuple": []},
            "kwargs": {"dict": list(sample[part]["kwargs"].items())},
        }
        for part in ("construct", "forward")
    }
    shown = " <- ".join(op_samples.text(each) for each in parts.values())
    return f"{shown} {'training' if sample['training'] else 'evaluation'} {sample['dtype']}"
