# type: ignore
"""torch.sparse: matrices given by their entries, for graph networks. Products are computed on the dense matrix."""

import torch


class SparseTensor:
    """A tensor that knows only its entries: `indices` (dimensions x entries) and `values`."""

    is_sparse = True
    requires_grad = False

    def __init__(self, indices, values, size, coalesced=False):
        self.held, self.entries, self.shape, self.sorted = indices, values, torch.Size(size), coalesced

    @property
    def dtype(self):
        return self.entries.dtype

    @property
    def device(self):
        return self.entries.device

    @property
    def layout(self):
        return "torch.sparse_coo"

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def dim(self):
        return len(self.shape)

    def _nnz(self):
        return self.entries.size(0)

    def numel(self):
        return self.shape.numel()

    def is_coalesced(self):
        return self.sorted

    def indices(self):
        if not self.sorted:
            raise RuntimeError("Cannot get indices on an uncoalesced tensor, please call .coalesce() first")
        return self.held

    def values(self):
        if not self.sorted:
            raise RuntimeError("Cannot get values on an uncoalesced tensor, please call .coalesce() first")
        return self.entries

    def _indices(self):
        return self.held

    def _values(self):
        return self.entries

    def to_dense(self):
        made = torch.zeros(self.shape, dtype=self.entries.dtype)
        return made.index_put(tuple(self.held), self.entries, accumulate=True)

    def coalesce(self):
        if self.sorted:
            return self
        flat = torch.zeros(self.held.size(1), dtype=torch.int64)
        for row, length in zip(self.held, self.shape):
            flat = flat * length + row
        kept, inverse = torch.unique(flat, return_inverse=True)
        values = torch.zeros(kept.size(0), *self.entries.shape[1:], dtype=self.dtype).index_add(
            0, inverse, self.entries
        )
        rows = []
        for length in reversed(self.shape):
            rows.insert(0, kept % length)
            kept = kept // length
        return SparseTensor(torch.stack(rows), values, self.shape, True)

    def to(self, *args, **kwargs):
        return SparseTensor(self.held, self.entries.to(*args, **kwargs), self.shape, self.sorted)

    def float(self):
        return self.to(torch.float32)

    def double(self):
        return self.to(torch.float64)

    def cuda(self):
        return SparseTensor(self.held, self.entries.cuda(), self.shape, self.sorted)

    def cpu(self):
        return self

    def t(self):
        return self.transpose(0, 1)

    def transpose(self, a, b):
        held, shape = list(self.held), list(self.shape)
        held[a], held[b] = held[b], held[a]
        shape[a], shape[b] = shape[b], shape[a]
        return SparseTensor(torch.stack(held), self.entries, shape)

    def mm(self, other):
        return mm(self, other)

    matmul = mm

    def __matmul__(self, other):
        return mm(self, other)

    def __rmatmul__(self, other):
        return torch.matmul(other, self.to_dense())

    def __add__(self, other):
        if isinstance(other, SparseTensor):
            entries = torch.cat([self.entries, other.entries])
            return SparseTensor(torch.cat([self.held, other.held], 1), entries, self.shape).coalesce()
        return self.to_dense() + other

    __radd__ = __add__

    def __mul__(self, other):
        return SparseTensor(self.held, self.entries * other, self.shape, self.sorted)

    __rmul__ = __mul__

    def __repr__(self):
        inner = str(self.held).replace("\n", "\n" + " " * 15)
        values = str(self.entries).replace("\n", "\n" + " " * 14)
        kind = "" if self.dtype in (torch.float32, torch.int64) else f" dtype={self.dtype},"
        return (
            f"tensor(indices={inner},\n       values={values},\n       size={tuple(self.shape)}, "
            f"nnz={self._nnz()},{kind} layout=torch.sparse_coo)"
        )


def coo(indices, values, size=None, *, dtype=None, device=None, requires_grad=False, is_coalesced=None, **_):
    kind = torch.device("cpu" if device is None else device).type
    if kind != "cpu":
        raise RuntimeError(f"PyTorch is not linked with support for {kind} devices")
    indices, values = torch.as_tensor(indices), torch.as_tensor(values, dtype=dtype)
    if size is None:
        size = [int(row.max()) + 1 for row in indices]
    for number, (row, length) in enumerate(zip(indices, size)):
        if row.numel() and int(row.max()) >= length:
            raise RuntimeError(
                f"size is inconsistent with indices: for dim {number}, size is {length} but found index {int(row.max())}"
            )
    return SparseTensor(indices, values, size, bool(is_coalesced))


def _of_kind(dtype):
    return lambda indices, values, size=None: coo(indices, values.to(dtype), size)


FloatTensor = _of_kind(torch.float32)
DoubleTensor = _of_kind(torch.float64)
LongTensor = _of_kind(torch.int64)


def from_dense(tensor):
    held = tensor.nonzero().T
    return SparseTensor(held, tensor[tuple(held)], tensor.shape, True)


def _dense(value):
    return value.to_dense() if isinstance(value, SparseTensor) else value


def mm(sparse, dense):
    if isinstance(sparse, SparseTensor) and isinstance(dense, SparseTensor):
        return from_dense(sparse.to_dense() @ dense.to_dense())
    return torch.matmul(_dense(sparse), _dense(dense))


def addmm(added, sparse, dense, beta=1, alpha=1):
    return torch.addmm(_dense(added), _dense(sparse), _dense(dense), beta=beta, alpha=alpha)


def sum(input, dim=None, dtype=None):
    total = input.entries.sum() if dim is None else input.to_dense().sum(dim)
    return total if dim is None else from_dense(total)


def softmax(input, dim):
    dense = input.to_dense()
    there = coo(input.held, torch.ones_like(input.entries), input.shape).to_dense() > 0
    filled = dense.masked_fill(~there, float("-inf")).softmax(dim)
    return SparseTensor(input.held, filled[tuple(input.held)], input.shape, input.sorted)
