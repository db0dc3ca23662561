"""Recurrent layers and cells: RNN, LSTM, GRU. Their steps are in steps.py; recurrent.py does all of a layer's in one
operation."""

from __future__ import annotations

import math
from typing import Any

from engine.dtypes import float32
from engine.nn import functional as F
from engine.nn import init, mkldnn, packed, recurrent, steps
from engine.nn.linear import empty_parameter
from engine.nn.module import Module
from engine.nn.packed import PackedSequence
from engine.ops.joins import cat, stack
from engine.ops.shape import TransposeBackward1, view_of
from engine.tensor import Tensor
from engine.warn import warn


class RNNBase(Module):
    """Parameters and the walk over layers, directions and time."""

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.mode, self.input_size, self.hidden_size, self.num_layers = mode, input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout = bias, batch_first, float(dropout)
        self.bidirectional, self.proj_size = bidirectional, proj_size
        if isinstance(dropout, bool) or not isinstance(dropout, (int, float)) or not 0 <= dropout <= 1:
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
            )
        if dropout > 0 and num_layers == 1:
            warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers"
                f" greater than 1, but got dropout={dropout} and num_layers={num_layers}"
            )
        for name, flag in (("bias", bias), ("batch_first", batch_first)):
            if not isinstance(flag, bool):
                raise TypeError(f"{name} should be of type bool, got: {type(flag).__name__}")
        for name, size in (("input_size", input_size), ("hidden_size", hidden_size)):
            if not isinstance(size, int):
                raise TypeError(f"{name} should be of type int, got: {type(size).__name__}")
        if input_size <= 0:
            raise ValueError("input_size must be greater than zero")
        if hidden_size <= 0:
            raise ValueError("hidden_size must be greater than zero")
        if num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if proj_size < 0:
            raise ValueError("proj_size should be a positive integer or zero to disable projections")
        if proj_size >= hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")
        rows = steps.GATES[mode] * hidden_size
        outputs = proj_size or hidden_size
        directions = 2 if bidirectional else 1
        for layer in range(num_layers):
            for suffix in ("", "_reverse")[:directions]:
                columns = input_size if layer == 0 else outputs * directions
                shapes = {"weight_ih": (rows, columns), "weight_hh": (rows, outputs)}
                if bias:
                    shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}  # type: ignore[dict-item]
                if proj_size:
                    shapes["weight_hr"] = (proj_size, hidden_size)
                for name, shape in shapes.items():
                    parameter = empty_parameter(*shape, dtype=dtype, device=device)
                    self.register_parameter(f"{name}_l{layer}{suffix}", parameter)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    @property
    def all_weights(self) -> list[list[Any]]:
        """The parameters of each layer and direction."""
        return [[w for w in self._weights(k).values() if w is not None] for k in range(self._count())]

    def flatten_parameters(self) -> None:
        """Nothing to do: there is no GPU whose memory could be compact."""

    def _count(self) -> int:
        return self.num_layers * (2 if self.bidirectional else 1)

    def _weights(self, number: int) -> dict[str, Any]:
        layer, direction = divmod(number, 2) if self.bidirectional else (number, 0)
        suffix = f"_l{layer}" + ("_reverse" if direction else "")
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr")
        own, computed = self._parameters, vars(self)
        return {name: own.get(name + suffix, computed.get(name + suffix)) for name in names}

    def _check_input(self, input: Tensor) -> None:
        if input.dim() not in (2, 3):
            dims = f"{input.ndim}D tensor" if type(self).__name__ == "RNN" else f"{input.ndim}D"
            raise ValueError(f"{type(self).__name__}: Expected input to be 2D or 3D, got {dims} instead")
        weight = next(iter(self._parameters.values()), None)
        if weight is not None and input.dtype is not weight.dtype:
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({weight.dtype}). Convert input:"
                f" input.to({weight.dtype}), or convert model: model.to({input.dtype})"
            )
        if self.input_size != input.shape[-1]:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.shape[-1]}"
            )

    def _check_state(self, state: Tensor, expected: tuple[int, ...], name: str) -> None:
        if tuple(state.shape) != expected:
            raise RuntimeError(f"Expected {name} size {expected}, got {list(state.shape)}")

    def _zeros(self, batch: int, like: Tensor) -> tuple[Tensor, ...]:
        """The first states of a layer, where none are given."""
        from engine.ops.creation import zeros

        return tuple(zeros(batch, width, dtype=like.dtype) for width in self._widths())

    def _widths(self) -> tuple[int, ...]:
        """The sizes of the states."""
        return (self.proj_size or self.hidden_size, self.hidden_size)[: 2 if self.mode == "LSTM" else 1]

    def _run(
        self, input: Tensor, states: tuple[Tensor, ...] | None, sizes: list[int] | None = None
    ) -> tuple[Tensor, tuple[Tensor, ...]]:
        """Input (T, N, I), or packed (with the `sizes` of its steps), and states (layers * directions, N, H): the
        output and the last states."""
        directions = 2 if self.bidirectional else 1
        finals: list[tuple[Tensor, ...]] = []
        for layer in range(self.num_layers):
            outputs = []
            for direction in range(directions):
                number = layer * directions + direction
                state = None if states is None else tuple(s[number] for s in states)
                output, final = self._one(input, state, number, direction == 1, sizes)
                outputs.append(output)
                finals.append(final)
            input = outputs[0] if directions == 1 else cat(outputs, -1)
            if self.dropout and self.training and layer < self.num_layers - 1:
                input = F.dropout(input, self.dropout, True)
        return input, tuple(stack(parts, 0) for parts in zip(*finals, strict=True))

    def _one(
        self, input: Tensor, state: tuple[Tensor, ...] | None, number: int, reverse: bool, sizes: list[int] | None
    ) -> tuple[Tensor, tuple[Tensor, ...]]:
        weights = self._weights(number)
        whole = sizes is None or len(set(sizes)) == 1  # sequences of one length are walked as if they were not packed
        laid = input.reshape(len(sizes), sizes[0], -1) if sizes and whole else input
        if whole and mkldnn.takes(self.mode, laid, state, weights):
            layer, final = mkldnn.layer(laid, state, weights, reverse)
            return (layer.reshape(input.shape[0], -1) if sizes else layer), final
        gates = F.linear(input, weights["weight_ih"], weights["bias_ih"])
        if sizes is None and not gates.shape[0]:
            raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
        if recurrent.fits(self.mode, gates, state, weights, sizes):
            layer, final = recurrent.layer(self.mode, gates, state, weights, reverse, sizes)
        else:
            first = self._zeros(sizes[0] if sizes else gates.shape[1], input) if state is None else state
            layer, final = steps.walk(self.mode, gates, first, weights, reverse, sizes)
        if sizes is not None:
            return layer, final
        if self.mode == "LSTM" and not self.proj_size and layer.grad_fn is not None and layer.dtype is float32:
            layer.grad_fn.shown = "MkldnnRnnLayerBackward0"
        return layer, final

    def _forward_packed(
        self, input: PackedSequence, states: tuple[Tensor, ...] | None
    ) -> tuple[PackedSequence, tuple[Tensor, ...]]:
        data, sizes = input.data, input.batch_sizes.tolist()
        if data.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {data.shape[-1]}"
            )
        count = self._count()
        if states is not None:
            states = packed.permuted(states, input.sorted_indices)
            for name, state, width in zip(self._state_names(), states, self._widths(), strict=False):
                self._check_state(state, (count, sizes[0], width), name)
        output, finals = self._run(data, states, sizes)
        if self.mode == "LSTM" and len(set(sizes)) == 1 and output.grad_fn is not None and output.dtype is float32:
            output.grad_fn.shown = "ViewBackward0"  # PyTorch walks sequences of one length as if they were not packed
        return input._replace(data=output), packed.permuted(finals, input.unsorted_indices)

    def _forward(self, input: Any, states: tuple[Tensor, ...] | None) -> tuple[Any, tuple[Tensor, ...]]:
        if isinstance(input, PackedSequence):
            return self._forward_packed(input, states)
        self._check_input(input)
        batched = input.dim() == 3
        count = self._count()
        if not batched:
            input = input.unsqueeze(1)
        elif self.batch_first:
            input = input.transpose(0, 1)
        batch = input.shape[1]
        if states is not None:
            wanted = 3 if batched else 2
            for state in states:
                if state.dim() != wanted:
                    raise RuntimeError(self._state_message(batched, states))
            if not batched:
                states = tuple(state.unsqueeze(1) for state in states)
            for name, state, width in zip(self._state_names(), states, self._widths(), strict=False):
                self._check_state(state, (count, batch, width), name)
        output, finals = self._run(input, states)
        if not batched:
            return output.squeeze(1), tuple(final.squeeze(1) for final in finals)
        if self.batch_first and self.mode == "LSTM":
            output = output.transpose(0, 1)
        elif self.batch_first:  # PyTorch turns that of the others over in place
            swapped = output._array.swapaxes(0, 1)
            output = view_of(TransposeBackward1, output, swapped, lambda t: t.transpose(0, 1), dims=(0, 1))
        return output, finals

    def _state_names(self) -> tuple[str, ...]:
        return ("hidden[0]", "hidden[1]") if self.mode == "LSTM" else ("hidden",)

    def _state_message(self, batched: bool, states: tuple[Tensor, ...]) -> str:
        if self.mode == "LSTM":
            if batched:
                return (
                    f"For batched 3-D input, hx and cx should also be 3-D but got ({states[0].ndim}-D,"
                    f" {states[1].ndim}-D) tensors"
                )
            return (
                f"For unbatched 2-D input, hx and cx should also be 2-D but got ({states[0].ndim}-D,"
                f" {states[1].ndim}-D) tensors"
            )
        kind = "batched 3-D" if batched else "unbatched 2-D"
        return f"For {kind} input, hx should also be {3 if batched else 2}-D but got {states[0].ndim}-D tensor"

    def forward(self, input: Any, hx: Any = None) -> Any:
        output, (final,) = self._forward(input, None if hx is None else (hx,))
        return output, final

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        if self.proj_size != 0:
            text += f", proj_size={self.proj_size}"
        if self.num_layers != 1:
            text += f", num_layers={self.num_layers}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if self.batch_first is not False:
            text += f", batch_first={self.batch_first}"
        if self.dropout != 0:
            text += f", dropout={self.dropout}"
        return text + (f", bidirectional={self.bidirectional}" if self.bidirectional is not False else "")


def _no_projection(given: Any) -> None:
    if given is not None:
        raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")


class RNN(RNNBase):
    """h = tanh(W_ih x + b_ih + W_hh h + b_hh), or relu: input (T, N, I), or (N, T, I) with batch_first."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: Any = None,
        dtype: Any = None,
        proj_size: Any = None,
    ) -> None:
        _no_projection(proj_size)
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(
            f"RNN_{nonlinearity.upper()}",
            input_size,
            hidden_size,
            num_layers,
            bias,
            batch_first,
            dropout,
            bidirectional,
            device=device,
            dtype=dtype,
        )
        self.nonlinearity = nonlinearity


class GRU(RNNBase):
    """Gated recurrent units: input (T, N, I), or (N, T, I) with batch_first."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: Any = None,
        dtype: Any = None,
        proj_size: Any = None,
    ) -> None:
        _no_projection(proj_size)
        super().__init__(
            "GRU",
            input_size,
            hidden_size,
            num_layers,
            bias,
            batch_first,
            dropout,
            bidirectional,
            device=device,
            dtype=dtype,
        )


class LSTM(RNNBase):
    """Long short-term memory: input (T, N, I), or (N, T, I) with batch_first; the state is (h, c)."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            "LSTM",
            input_size,
            hidden_size,
            num_layers,
            bias,
            batch_first,
            dropout,
            bidirectional,
            proj_size,
            device,
            dtype,
        )

    def forward(self, input: Any, hx: Any = None) -> Any:
        return self._forward(input, None if hx is None else (hx[0], hx[1]))


# -- one step --------------------------------------------------------------------------------------------------------


class RNNCellBase(Module):
    """Parameters of one step."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool, num_chunks: int, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows = num_chunks * hidden_size
        self.weight_ih = empty_parameter(rows, input_size, dtype=dtype, device=device)
        self.weight_hh = empty_parameter(rows, hidden_size, dtype=dtype, device=device)
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, empty_parameter(rows, dtype=dtype, device=device) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def _step(self, mode: str, input: Tensor, states: tuple[Any, ...] | None, count: int) -> tuple[Tensor, ...]:
        name = type(self).__name__
        if input.dim() not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input.ndim}D instead")
        for i, state in enumerate(states or ()):
            if state is not None and state.dim() not in (1, 2):
                which = f"hx[{i}]" if count == 2 else "hidden"
                raise ValueError(f"{name}: Expected {which} to be 1D or 2D, got {state.ndim}D instead")
        batched = input.dim() == 2
        if not batched:
            input = input.unsqueeze(0)
        if states is None:
            from engine.ops.creation import zeros

            states = (zeros(input.shape[0], self.hidden_size, dtype=input.dtype),) * count
        elif not batched:
            states = tuple(state.unsqueeze(0) for state in states)
        if input.shape[1] != self.input_size:
            raise RuntimeError(f"input has inconsistent input_size: got {input.shape[1]} expected {self.input_size}")
        for i, state in enumerate(states):
            if input.shape[0] != state.shape[0]:
                raise RuntimeError(
                    f"Input batch size {input.shape[0]} doesn't match hidden{i} batch size {state.shape[0]}"
                )
            if state.shape[1] != self.hidden_size:
                raise RuntimeError(
                    f"hidden{i} has inconsistent hidden_size: got {state.shape[1]}, expected {self.hidden_size}"
                )
        weights = {"weight_hh": self.weight_hh, "bias_hh": self.bias_hh}
        x = F.linear(input, self.weight_ih, self.bias_ih)
        result = steps.step(mode, x, states, weights)
        return result if batched else tuple(state.squeeze(0) for state in result)

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        nonlinearity = self.__dict__.get("nonlinearity", "tanh")
        return text + (f", nonlinearity={nonlinearity}" if nonlinearity != "tanh" else "")


class RNNCell(RNNCellBase):
    """One step of an RNN: input (N, I), state (N, H)."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._step(f"RNN_{self.nonlinearity.upper()}", input, None if hx is None else (hx,), 1)[0]


class GRUCell(RNNCellBase):
    """One step of a GRU: input (N, I), state (N, H)."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        return self._step("GRU", input, None if hx is None else (hx,), 1)[0]


class LSTMCell(RNNCellBase):
    """One step of an LSTM: input (N, I), state (h, c) of (N, H) each."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        if isinstance(hx, Tensor):
            raise TypeError("lstm_cell(): argument 'hx' (position 2) must be tuple of Tensors, not Tensor")
        return self._step("LSTM", input, None if hx is None else tuple(hx), 2)  # type: ignore[return-value]
