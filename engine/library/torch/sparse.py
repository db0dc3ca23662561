# type: ignore
"""torch.sparse: tensors given by their entries, for graph networks. Products add up entry by entry; gradients reach the
entries and what they are multiplied with."""

import torch
from torch.sparse.alike import Sparse
from torch.sparse.shown import ended, told


class SparseTensor(Sparse):
    """`held`: indices (dimensions x entries). Behind each there may be a dense tensor."""

    is_sparse = True

    def __init__(self, indices, values, size, coalesced=False):
        self.held, self.entries, self.shape, self.sorted = indices, values, torch.Size(size), coalesced

    def _with(self, values):
        return SparseTensor(self.held, values, self.shape, self.sorted)

    @property
    def layout(self):
        return torch.sparse_coo

    @property
    def grad(self):
        found = self.entries.grad
        return None if found is None else self._with(found)

    @grad.setter
    def grad(self, value):
        self.entries.grad = None if value is None else value.entries

    def sparse_dim(self):
        return self.held.size(0)

    def dense_dim(self):
        return len(self.shape) - self.held.size(0)

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

    def to_dense(self, dtype=None):
        made = torch.zeros(self.shape, dtype=self.entries.dtype)
        made = made.index_put(tuple(self.held), self.entries, accumulate=True)
        return made if dtype is None else made.to(dtype)

    def to_sparse(self, *args, **kwargs):
        return self

    to_sparse_coo = to_sparse

    def to_sparse_csr(self):
        if len(self.shape) != 2 or self.dense_dim():
            raise RuntimeError(
                f"Only tensors with two sparse dimensions can be converted to the SparseCsr layout, got self with {self.sparse_dim()} sparse dimensions."
            )
        found = self.coalesce()
        counts = torch.bincount(found.held[0], minlength=self.shape[0])
        rows = torch.cat([torch.zeros(1, dtype=torch.int64), counts.cumsum(0)])
        return SparseCsr(rows, found.held[1], found.entries, self.shape)

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
        for length in reversed(self.shape[: self.held.size(0)]):
            rows.insert(0, kept % length)
            kept = kept // length
        return SparseTensor(torch.stack(rows), values, self.shape, True)

    def t(self):
        return self.transpose(0, 1)

    @property
    def T(self):
        return self.t()

    def transpose(self, a, b):
        held, shape = list(self.held), list(self.shape)
        held[a], held[b] = held[b], held[a]
        shape[a], shape[b] = shape[b], shape[a]
        return SparseTensor(torch.stack(held), self.entries, shape)

    def unsqueeze(self, dim):
        at = dim if dim >= 0 else dim + len(self.shape) + 1
        rows, shape = list(self.held), list(self.shape)
        rows.insert(at, torch.zeros_like(self.held[0]))
        shape.insert(at, 1)
        return SparseTensor(torch.stack(rows), self.entries, shape, self.sorted)

    def index_select(self, dim, index):
        return from_dense(self.to_dense().index_select(dim, index))

    def __getitem__(self, index):
        found = self.to_dense()[index]
        return from_dense(found) if found.dim() else found

    def add(self, other, *, alpha=1):
        if not isinstance(other, Sparse):
            raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
        mine, theirs = self.coalesce(), other.coalesce()
        entries = torch.cat([mine.entries, theirs.entries * alpha])
        found = SparseTensor(torch.cat([mine.held, theirs.held], 1), entries, self.shape)
        return found.coalesce()

    def __add__(self, other):
        return self.add(other)

    def __radd__(self, other):
        return other + self.to_dense()

    def __sub__(self, other):
        if not isinstance(other, Sparse):
            raise RuntimeError("add(sparse, dense) is not supported. Use add(dense, sparse) instead.")
        return self.add(-other)

    def __rsub__(self, other):
        return other - self.to_dense()

    def mul(self, other):
        if isinstance(other, Sparse):
            return from_dense(self.to_dense() * other.to_dense())
        if isinstance(other, torch.Tensor) and other.dim():
            found = self.coalesce()
            return found._with(found.entries * other.expand(self.shape)[tuple(found.held)])
        return self._with(self.entries * other)

    def __mul__(self, other):
        return self.mul(other)

    __rmul__ = __mul__

    def div(self, other):
        return self._with(self.entries / other)

    def __truediv__(self, other):
        return self.div(other)

    def __repr__(self):
        inner = told("tensor(indices=", self.held)
        values = told("       values=", self.entries)
        return ended(f"{inner},\n{values}", self, True)


class SparseCsr(Sparse):
    """A matrix whose entries stand row by row: `rows` tells where each begins."""

    is_sparse_csr = True

    def __init__(self, rows, columns, values, size):
        self.rows, self.columns, self.entries, self.shape = rows, columns, values, torch.Size(size)

    def _with(self, values):
        return SparseCsr(self.rows, self.columns, values, self.shape)

    @property
    def layout(self):
        return torch.sparse_csr

    def crow_indices(self):
        return self.rows

    def col_indices(self):
        return self.columns

    def values(self):
        return self.entries

    def to_sparse(self, *args, **kwargs):
        counts = self.rows[1:] - self.rows[:-1]
        row = torch.repeat_interleave(torch.arange(self.shape[0]), counts)
        return SparseTensor(torch.stack([row, self.columns]), self.entries, self.shape, True)

    to_sparse_coo = to_sparse

    def coalesce(self):
        return self.to_sparse()

    def to_sparse_csr(self):
        return self

    def to_dense(self, dtype=None):
        return self.to_sparse().to_dense(dtype)

    def __mul__(self, other):
        return self._with(self.entries * other)

    __rmul__ = __mul__

    def __repr__(self):
        parts = [("tensor(crow_indices=", self.rows), ("       col_indices=", self.columns)]
        text = ",\n".join([told(head, each) for head, each in [*parts, ("       values=", self.entries)]])
        return ended(text, self, False)


def coo(
    indices=None, values=None, size=None, *, dtype=None, device=None, requires_grad=False, is_coalesced=None, **_
):  # fmt: skip
    kind = torch.device("cpu" if device is None else device).type
    if kind != "cpu":
        raise RuntimeError(f"PyTorch is not linked with support for {kind} devices")
    if indices is None:
        indices, values = torch.zeros(len(size), 0, dtype=torch.int64), torch.zeros(0, dtype=dtype)
    if isinstance(values, torch.Tensor) and values.requires_grad and not requires_grad and dtype is None:
        kept = values
    else:
        kept = torch.as_tensor(values, dtype=dtype).detach()
        kept = kept.clone().requires_grad_() if requires_grad else kept
    indices = torch.as_tensor(indices).long()
    if indices.dim() != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(indices.shape)}")
    if indices.size(1) != kept.size(0):
        raise RuntimeError(
            "indices and values must have same nnz, but got nnz from indices:"
            f" {indices.size(1)}, nnz from values: {kept.size(0)}"
        )
    for number, row in enumerate(indices):
        if row.numel() and int(row.min()) < 0:
            raise RuntimeError(f"found negative index {int(row.min())} for dim {number}")
    if size is None:
        size = [int(row.max()) + 1 for row in indices] + list(kept.shape[1:])
    for number, (row, length) in enumerate(zip(indices, size)):
        if row.numel() and int(row.max()) >= length:
            raise RuntimeError(
                f"size is inconsistent with indices: for dim {number}, size is {length} but found index {int(row.max())}"
            )
    return SparseTensor(indices, kept, size, bool(is_coalesced))


def csr(crow_indices, col_indices, values, size=None, *, dtype=None, device=None, requires_grad=False, **_):
    rows, columns = torch.as_tensor(crow_indices), torch.as_tensor(col_indices)
    kept = torch.as_tensor(values, dtype=dtype)
    kept = kept.detach().clone().requires_grad_() if requires_grad else kept
    if size is None:
        size = (len(rows) - 1, int(columns.max()) + 1)
    return SparseCsr(rows, columns, kept, size)


def _of_kind(dtype):
    def made(indices=None, values=None, size=None):
        return coo(indices, None if values is None else values.to(dtype), size, dtype=dtype if values is None else None)

    return made


FloatTensor = _of_kind(torch.float32)
DoubleTensor = _of_kind(torch.float64)
LongTensor = _of_kind(torch.int64)
IntTensor = _of_kind(torch.int32)


def from_dense(tensor, sparse_dim=None):
    if sparse_dim is None or sparse_dim == tensor.dim():
        held = tensor.nonzero().T
    else:
        there = (tensor != 0).reshape(*tensor.shape[:sparse_dim], -1).any(-1)
        held = there.nonzero().T
    return SparseTensor(held, tensor[tuple(held)], tensor.shape, True)


def _dense(value):
    return value.to_dense() if isinstance(value, Sparse) else value


def mm(sparse, dense, reduce=None):
    """The product with a matrix or a vector. Two sparse ones give a sparse one."""
    if reduce not in (None, "sum"):
        raise NotImplementedError("torch.sparse.mm() adds up here: reduce='sum'")
    if not isinstance(sparse, Sparse):
        return torch.matmul(sparse, _dense(dense))
    if isinstance(dense, Sparse):
        return from_dense(sparse.to_dense() @ dense.to_dense())
    if sparse.dim() != 2 or dense.dim() > 2:
        return torch.matmul(sparse.to_dense(), dense)
    if sparse.shape[1] != dense.shape[0]:
        if dense.dim() == 1:
            raise RuntimeError(
                f"mv: expected self.size(-1) == vec.size(-1), got {sparse.shape[1]} and {dense.shape[0]}"
            )
        raise RuntimeError(f"addmm: Argument #3 (dense): Expected dim 0 size {sparse.shape[1]}, got {dense.shape[0]}")
    if sparse.dtype != dense.dtype:
        raise RuntimeError(
            f"addmm: expected 'mat1' and 'mat2' to have the same dtype, but got {sparse.dtype} and {dense.dtype}"
        )
    entries = sparse.coalesce()
    rows, columns = entries.held
    values = entries.entries if dense.dim() == 1 else entries.entries.unsqueeze(1)
    made = torch.zeros(sparse.shape[0], *dense.shape[1:], dtype=dense.dtype)
    return made.index_add(0, rows, values * dense.index_select(0, columns))


def addmm(added, sparse, dense, beta=1, alpha=1):
    return beta * _dense(added) + alpha * mm(sparse, dense)


def sum(input, dim=None, dtype=None):
    """All entries; along `dim`, what is left is sparse again."""
    if dim is None:
        return input.entries.sum()
    dims = [each % len(input.shape) for each in ([dim] if isinstance(dim, int) else dim)]
    kept = [i for i in range(input.held.size(0)) if i not in dims]
    if not kept:
        return input.to_dense().sum(dim)
    shape = [input.shape[i] for i in range(len(input.shape)) if i not in dims]
    return SparseTensor(torch.stack([input.held[i] for i in kept]), input.entries, shape).coalesce()


def _along(function, input, dim):
    """What `function` makes along `dim` of the entries, everything else being as small as can be."""
    there = torch.zeros(input.shape, dtype=torch.bool)
    there[tuple(input.held)] = True
    filled = function(input.to_dense().masked_fill(~there, float("-inf")), dim)
    return input._with(filled[tuple(input.held)])


def softmax(input, dim, dtype=None):
    return _along(torch.softmax, input, dim)


def log_softmax(input, dim, dtype=None):
    return _along(torch.log_softmax, input, dim)


def _together(tensors, dim, new):
    dense = [_dense(each) for each in tensors]
    return from_dense(torch.stack(dense, dim) if new else torch.cat(dense, dim))


class check_sparse_tensor_invariants:
    """Indices are always looked at here."""

    def __init__(self, enable=True):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    @staticmethod
    def enable():
        return None

    @staticmethod
    def disable():
        return None

    @staticmethod
    def is_enabled():
        return True


def _method(name):
    return lambda a, *args, **kwargs: getattr(a, name)(*args, **kwargs)


METHODS = "neg abs sqrt relu tanh sin pow sum t transpose unsqueeze index_select clone"
FUNCTIONS = {
    **{name: _method(name) for name in METHODS.split()},
    "mm": mm,
    "matmul": mm,
    "mv": mm,
    "__matmul__": mm,
    "addmm": addmm,
    "add": lambda a, b, **rest: a.add(b, **rest) if isinstance(a, Sparse) else a + b.to_dense(),
    "sub": lambda a, b: a - b if isinstance(a, Sparse) else a - b.to_dense(),
    "mul": lambda a, b: a * b if isinstance(a, Sparse) else b * a,
    "div": lambda a, b: a / b,
    "cat": lambda tensors, dim=0: _together(tensors, dim, False),
    "stack": lambda tensors, dim=0: _together(tensors, dim, True),
    "zeros_like": lambda a: coo(size=a.shape, dtype=a.dtype),
}
