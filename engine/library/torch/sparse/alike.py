# type: ignore
"""What tensors that know only their entries have alike."""

import torch


def _products():
    """The module that computes with them, which is over this one."""
    import torch.sparse

    return torch.sparse


class Sparse:
    """A tensor that knows only its entries: `entries` are their values."""

    _is_tensor = True
    is_sparse = is_sparse_csr = False
    is_cuda = is_quantized = is_meta = False
    grad_fn = None

    @property
    def dtype(self):
        return self.entries.dtype

    @property
    def device(self):
        return self.entries.device

    @property
    def requires_grad(self):
        return self.entries.requires_grad

    @property
    def is_leaf(self):
        return self.entries.is_leaf

    @property
    def ndim(self):
        return len(self.shape)

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def dim(self):
        return len(self.shape)

    def _nnz(self):
        return self.entries.size(0)

    def numel(self):
        return self.shape.numel()

    nelement = numel

    def is_floating_point(self):
        return self.entries.is_floating_point()

    def __len__(self):
        return self.shape[0]

    def to(self, *args, **kwargs):
        return self._with(self.entries.to(*args, **kwargs))

    def type(self, kind):
        return self._with(self.entries.type(kind))

    def float(self):
        return self.to(torch.float32)

    def double(self):
        return self.to(torch.float64)

    def long(self):
        return self.to(torch.int64)

    def int(self):
        return self.to(torch.int32)

    def half(self):
        return self.to(torch.float16)

    def cuda(self, *args, **kwargs):
        return self._with(self.entries.cuda(*args, **kwargs))

    def cpu(self):
        return self

    def detach(self):
        return self._with(self.entries.detach())

    def clone(self):
        return self._with(self.entries.clone())

    def requires_grad_(self, requires_grad=True):
        self.entries.requires_grad_(requires_grad)
        return self

    def neg(self):
        return self._with(-self.entries)

    __neg__ = neg

    def abs(self):
        return self._with(self.entries.abs())

    __abs__ = abs

    def sqrt(self):
        return self._with(self.entries.sqrt())

    def relu(self):
        return self._with(self.entries.relu())

    def tanh(self):
        return self._with(self.entries.tanh())

    def sin(self):
        return self._with(self.entries.sin())

    def pow(self, exponent):
        return self._with(self.coalesce().entries ** exponent)

    def __pow__(self, exponent):
        return self.pow(exponent)

    def sum(self, dim=None):
        return _products().sum(self, dim)

    def __rmatmul__(self, other):
        return torch.matmul(other, self.to_dense())

    def matmul(self, other):
        return _products().mm(self, other)

    mm = mv = matmul

    def __matmul__(self, other):
        return _products().mm(self, other)

    def numpy(self, force=False):
        raise TypeError("can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.")

    def tolist(self):
        raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")

    def __getattr__(self, name):
        """A method that only dense tensors have."""
        if name.startswith("_") or not hasattr(torch.Tensor, name):
            raise AttributeError(f"'Tensor' object has no attribute '{name}'")

        def refuse(*args, **kwargs):
            raise NotImplementedError(
                f"Could not run 'aten::{name}' with arguments from the 'SparseCPU' backend. to_dense() gives a tensor that"
                " can."
            )

        return refuse

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        """What functions of torch do that are given one."""
        name = function.__name__
        known = _products().FUNCTIONS
        if name in known:
            return known[name](*args, **(kwargs or {}))
        raise NotImplementedError(
            f"Could not run 'aten::{name}' with arguments from the 'SparseCPU' backend. to_dense() gives a tensor that can."
        )
