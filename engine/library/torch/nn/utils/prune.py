# type: ignore
"""torch.nn.utils.prune: weights that are multiplied with a mask of zeros and ones before every forward. `name_orig`
holds what is trained, `name_mask` which entries stay."""

import torch


def _asked(amount):
    """Refuse what is neither a share nor a number of entries."""
    if isinstance(amount, bool) or not isinstance(amount, (int, float)):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    if amount < 0 or (isinstance(amount, float) and amount > 1.0):
        raise ValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")
    return amount


def _count(amount, size):
    """How many of `size` go. An amount below one is a share."""
    if isinstance(amount, float):
        return round(amount * size)
    if amount > size:
        raise ValueError(f"amount={amount} should be smaller than the number of parameters to prune={size}")
    return amount


def _channels(t, dim):
    """How many slices `t` has along `dim`, where whole slices go."""
    if t.dim() <= 1:
        raise ValueError(
            "Structured pruning can only be applied to multidimensional tensors. "
            f"Found tensor of shape {t.shape} with {t.dim()} dims"
        )
    if dim >= t.dim():
        raise IndexError(f"Invalid index {dim} for tensor of size {t.shape}")
    return t.shape[dim]


def _along(t, dim, kept):
    """A mask of the shape of `t` with ones where `kept` says along `dim`."""
    mask = torch.zeros_like(t)
    places = [slice(None)] * t.dim()
    places[dim] = kept
    mask[tuple(places)] = 1
    return mask


def _without(default_mask, gone):
    """`default_mask` with zeros at the flat places `gone`."""
    mask = default_mask.clone()
    mask.view(-1)[gone] = 0
    return mask


def _hooks_before(module):
    """Of a library they are a list, of a script they are shown by their numbers."""
    hooks = module._forward_pre_hooks
    return hooks if isinstance(hooks, list) else hooks.values()


def _method_on(module, name):
    for hook in _hooks_before(module):
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            return hook
    return None


class BasePruningMethod:
    """A way to choose a mask. It is the hook that sets the masked weight before each forward."""

    _tensor_name = None

    def __call__(self, module, inputs):
        setattr(module, self._tensor_name, self.apply_mask(module))

    def compute_mask(self, t, default_mask):
        raise NotImplementedError

    def apply_mask(self, module):
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned")
        original = getattr(module, self._tensor_name + "_orig")
        return getattr(module, self._tensor_name + "_mask").to(dtype=original.dtype) * original

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        method = cls(*args, **kwargs)
        method._tensor_name = name
        before = _method_on(module, name)
        if before is not None:
            before._handle.remove()
            if not isinstance(before, PruningContainer):
                before = PruningContainer(before)
            before.add_pruning_method(method)
            method = before
        weight = getattr(module, name)
        if importance_scores is None:
            importance_scores = weight
        elif importance_scores.shape != weight.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as parameter {name} of {module}, "
                f"got {importance_scores.shape} vs {weight.shape}"
            )
        if before is None:
            mask = method.compute_mask(importance_scores, default_mask=torch.ones_like(weight))
            module.register_parameter(name + "_orig", weight)
            del module._parameters[name]
        else:
            now = getattr(module, name + "_mask").detach().clone()
            mask = method.compute_mask(importance_scores, default_mask=now)
        module.register_buffer(name + "_mask", mask)
        setattr(module, name, method.apply_mask(module))
        method._handle = module.register_forward_pre_hook(method)
        return method

    def prune(self, t, default_mask=None, importance_scores=None):
        if importance_scores is not None and importance_scores.shape != t.shape:
            raise AssertionError(
                f"importance_scores should have the same shape as tensor t, got {importance_scores.shape} vs {t.shape}"
            )
        scores = t if importance_scores is None else importance_scores
        return t * self.compute_mask(scores, default_mask=torch.ones_like(t) if default_mask is None else default_mask)

    def remove(self, module):
        name = self._tensor_name
        weight = self.apply_mask(module)
        original = module._parameters[name + "_orig"]
        original.data = weight.data
        delattr(module, name)
        del module._parameters[name + "_orig"], module._buffers[name + "_mask"]
        setattr(module, name, original)


class PruningContainer(BasePruningMethod):
    """Several ways, one after another, on the same weight: each chooses among what the ones before it left."""

    def __init__(self, *methods):
        self._pruning_methods = ()
        if len(methods) == 1:
            self._tensor_name = methods[0]._tensor_name
        for method in methods:
            self.add_pruning_method(method)

    def add_pruning_method(self, method):
        if method is not None and not isinstance(method, BasePruningMethod):
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and method._tensor_name != self._tensor_name:
            raise ValueError(
                f"Can only add pruning methods acting on the parameter named '{self._tensor_name}' to "
                f"PruningContainer {self}. Found '{method._tensor_name}'"
            )
        self._pruning_methods += (method,)

    def __len__(self):
        return len(self._pruning_methods)

    def __iter__(self):
        return iter(self._pruning_methods)

    def __getitem__(self, idx):
        return self._pruning_methods[idx]

    def compute_mask(self, t, default_mask):
        method = self._pruning_methods[-1]
        if method.PRUNING_TYPE == "unstructured":
            left = default_mask == 1
        elif method.PRUNING_TYPE == "structured":
            dim = method.dim % t.dim()
            left = [slice(None)] * t.dim()
            left[dim] = default_mask.sum(dim=[other for other in range(t.dim()) if other != dim]) != 0
            left = tuple(left)
        elif method.PRUNING_TYPE == "global":
            left = (slice(None),) * t.dim()
        else:
            raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
        mask = default_mask.to(dtype=t.dtype)
        mask[left] = method.compute_mask(t[left], default_mask=default_mask[left]).to(dtype=mask.dtype)
        return mask


class Identity(BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        return default_mask


class _Unstructured(BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def __init__(self, amount):
        self.amount = _asked(amount)

    def compute_mask(self, t, default_mask):
        gone = _count(self.amount, t.numel())
        return _without(default_mask, self._first(t, gone)) if gone else default_mask.clone()


class RandomUnstructured(_Unstructured):
    def _first(self, t, gone):
        return torch.topk(torch.rand_like(t).view(-1), k=gone).indices


class L1Unstructured(_Unstructured):
    def _first(self, t, gone):
        return torch.topk(torch.abs(t).view(-1), k=gone, largest=False).indices


class RandomStructured(BasePruningMethod):
    PRUNING_TYPE = "structured"

    def __init__(self, amount, dim=-1):
        self.amount, self.dim = _asked(amount), dim

    def compute_mask(self, t, default_mask):
        size = _channels(t, self.dim)
        gone = _count(self.amount, size)
        if not gone:
            return default_mask
        drawn = torch.rand(size)
        return _along(t, self.dim, drawn > torch.kthvalue(drawn, k=gone).values) * default_mask.to(dtype=t.dtype)


class LnStructured(BasePruningMethod):
    PRUNING_TYPE = "structured"

    def __init__(self, amount, n, dim=-1):
        self.amount, self.n, self.dim = _asked(amount), n, dim

    def compute_mask(self, t, default_mask):
        size = _channels(t, self.dim)
        gone = _count(self.amount, size)
        if not gone:
            return default_mask
        others = [each for each in range(t.dim()) if each != self.dim % t.dim()]
        kept = torch.topk(torch.norm(t, p=self.n, dim=others), k=size - gone, largest=True).indices
        return _along(t, self.dim, kept) * default_mask.to(dtype=t.dtype)


class CustomFromMask(BasePruningMethod):
    PRUNING_TYPE = "global"

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape {default_mask.shape} must match self.mask shape {self.mask.shape}"
            )
        return default_mask * self.mask.to(dtype=default_mask.dtype)


def identity(module, name):
    Identity.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module, name, amount, importance_scores=None):
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module, name, mask):
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    """One choice over all (module, name) of `parameters`."""
    parameters = list(parameters)
    scores = importance_scores or {}
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. '
            f"Found method {pruning_method} of type {method.PRUNING_TYPE}"
        )
    weights = [getattr(module, name) for module, name in parameters]
    together = PruningContainer()
    together._tensor_name = method._tensor_name = "temp"
    together.add_pruning_method(method)
    vector = torch.nn.utils.parameters_to_vector
    mask = together.compute_mask(
        vector([scores.get(place, weight) for place, weight in zip(parameters, weights)]),
        vector([getattr(m, name + "_mask", torch.ones_like(w)) for (m, name), w in zip(parameters, weights)]),
    )
    start = 0
    for (module, name), weight in zip(parameters, weights):
        custom_from_mask(module, name, mask=mask[start : start + weight.numel()].view_as(weight))
        start += weight.numel()


def remove(module, name):
    """Keep the masked weight as the parameter."""
    method = _method_on(module, name)
    if method is None:
        raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")
    method.remove(module)
    method._handle.remove()
    return module


def is_pruned(module):
    for part in module.modules():
        if any([isinstance(hook, BasePruningMethod) for hook in _hooks_before(part)]):
            return True
    return False
