# type: ignore
"""torch.storage: the memory that a tensor and its views share, element by element."""

import torch


class UntypedStorage:
    """The same memory byte by byte."""

    def __init__(self, flat):
        self.flat = flat
        self.device = flat.device

    def nbytes(self):
        return self.flat.numel() * self.flat.element_size()

    def size(self):
        return self.nbytes()

    def __len__(self):
        return self.nbytes()

    def element_size(self):
        return 1

    def data_ptr(self):
        return self.flat.data_ptr()

    def tolist(self):
        return self.flat.view(torch.uint8).tolist()

    def __iter__(self):
        return iter(self.tolist())

    def __getitem__(self, index):
        return self.tolist()[index]

    def __repr__(self):
        kind = f"[torch.storage.UntypedStorage(device=cpu) of size {len(self)}]"
        return " " + "\n ".join(str(item) for item in self.tolist()) + "\n" + kind


class TypedStorage:
    def __init__(self, flat):
        self.flat = flat

    @property
    def dtype(self):
        return self.flat.dtype

    @property
    def device(self):
        return self.flat.device

    def __len__(self):
        return self.flat.numel()

    def size(self):
        return self.flat.numel()

    def nbytes(self):
        return self.flat.numel() * self.flat.element_size()

    def element_size(self):
        return self.flat.element_size()

    def data_ptr(self):
        return self.flat.data_ptr()

    def untyped(self):
        return UntypedStorage(self.flat)

    def tolist(self):
        return self.flat.tolist()

    def __iter__(self):
        return iter(self.flat.tolist())

    def __getitem__(self, index):
        if not isinstance(index, int):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        return self.flat[index].item()

    def __setitem__(self, index, value):
        self.flat[index] = value

    def __repr__(self):
        kind = f"[torch.storage.TypedStorage(dtype={self.dtype}, device=cpu) of size {len(self)}]"
        return " " + "\n ".join(str(item) for item in self.flat.tolist()) + "\n" + kind


def is_storage(obj):
    return isinstance(obj, (UntypedStorage, TypedStorage))


def _of_kind(dtype):
    """The class that torch.FloatStorage and its like are: it makes a TypedStorage of one dtype."""

    class LegacyStorage(TypedStorage):
        def __new__(cls, *given):
            if len(given) > 1:
                raise RuntimeError("Too many positional arguments")
            if given and not isinstance(given[0], int):
                return TypedStorage(torch.tensor(list(given[0]), dtype=dtype))
            return TypedStorage(torch.empty(*(given or (0,)), dtype=dtype))

    return LegacyStorage


FloatStorage, DoubleStorage, HalfStorage = _of_kind(torch.float32), _of_kind(torch.float64), _of_kind(torch.float16)
LongStorage, IntStorage, ShortStorage = _of_kind(torch.int64), _of_kind(torch.int32), _of_kind(torch.int16)
CharStorage, ByteStorage, BoolStorage = _of_kind(torch.int8), _of_kind(torch.uint8), _of_kind(torch.bool)
