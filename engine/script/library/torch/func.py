# type: ignore
"""torch.func: functions of functions. vmap() calls the function once for each example and stacks what it gives."""

import torch


def _leaves(tree):
    """The tensors in nested tuples, lists and dicts, in order."""
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, (list, tuple)):
        return [leaf for part in tree for leaf in _leaves(part)]
    return [tree]


def _mapped(function, tree, *others):
    """The same nesting with function(leaf, ...) in place of each leaf."""
    if isinstance(tree, dict):
        return {key: _mapped(function, value, *[other[key] for other in others]) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        parts = [_mapped(function, *each) for each in zip(tree, *others)]
        if hasattr(tree, "_fields"):
            return type(tree)(*parts)
        return tuple(parts) if isinstance(tree, tuple) else parts
    return function(tree, *others)


def _rebuilt(tree, leaves):
    rest = iter(leaves)
    return _mapped(lambda _: next(rest), tree)


def _fresh(tensor):
    """A tensor to differentiate by: what was computed from others stays connected with them."""
    return tensor.view_as(tensor) if tensor.requires_grad else tensor.detach().requires_grad_()


def _chosen(args, argnums):
    return args[argnums] if isinstance(argnums, int) else tuple(args[number] for number in argnums)


def _replaced(args, argnums, values):
    made = list(args)
    if isinstance(argnums, int):
        made[argnums] = values
    else:
        for number, value in zip(argnums, values):
            made[number] = value
    return made


def _needs(tree):
    return any(isinstance(leaf, torch.Tensor) and leaf.requires_grad for leaf in _leaves(tree))


def _reaches(node, own, seen):
    """Whether a graph leads to a leaf that is not among `own`."""
    todo = [node]
    while todo:
        node = todo.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            if not any(node.variable is each for each in own):
                return True
        else:
            todo += [following for following, _ in node.next_functions]
    return False


def _settled(tree, own):
    """Results that only depend on the tensors made here are plain numbers."""

    def settle(tensor):
        if isinstance(tensor, torch.Tensor) and tensor.grad_fn is not None:
            return tensor if _reaches(tensor.grad_fn, own, set()) else tensor.detach()
        return tensor.detach() if any(tensor is each for each in own) else tensor

    return _mapped(settle, tree)


def _gradients(output, leaves, grad_outputs=None):
    if not output.requires_grad:
        return [torch.zeros_like(leaf) for leaf in leaves]
    found = torch.autograd.grad(output, leaves, grad_outputs, create_graph=True, allow_unused=True)
    return [torch.zeros_like(leaf) if each is None else each for leaf, each in zip(leaves, found)]


def _called(has_aux, func, *args, **kwargs):
    """What `func` gives to be differentiated, and what it gives beside (None without `has_aux`)."""
    made = func(*args, **kwargs)
    return made if has_aux else (made, None)


def _value_and_gradients(func, argnums, has_aux, args, kwargs):
    inputs = _chosen(args, argnums)
    own = [_fresh(leaf) for leaf in _leaves(inputs)]
    with torch.enable_grad():
        output, aux = _called(has_aux, func, *_replaced(args, argnums, _rebuilt(inputs, own)), **kwargs)
        if not isinstance(output, torch.Tensor):
            raise RuntimeError(f"grad_and_value(f)(*args): Expected f(*args) to return a tensor, got {type(output)}")
        if output.dim() != 0:
            raise RuntimeError(
                "grad_and_value(f)(*args): Expected f(*args) to return a scalar tensor, got tensor with "
                f"{output.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
            )
        made = _gradients(output, own)
    return _settled((_rebuilt(inputs, made), output, aux), own)


def grad_and_value(func, argnums=0, has_aux=False):
    def function(*args, **kwargs):
        gradients, output, aux = _value_and_gradients(func, argnums, has_aux, args, kwargs)
        return (gradients, (output, aux)) if has_aux else (gradients, output)

    return function


def grad(func, argnums=0, has_aux=False):
    def function(*args, **kwargs):
        gradients, _, aux = _value_and_gradients(func, argnums, has_aux, args, kwargs)
        return (gradients, aux) if has_aux else gradients

    return function


def vjp(func, *primals, has_aux=False):
    own = [_fresh(leaf) for leaf in _leaves(primals)]
    with torch.enable_grad():
        output, aux = _called(has_aux, func, *_rebuilt(primals, own))

    def pull(*cotangents, **_):
        given = cotangents[0] if len(cotangents) == 1 else cotangents
        total = None
        with torch.enable_grad():
            for each, cotangent in zip(_leaves(output), _leaves(given)):
                found = _gradients(each, own, cotangent)
                total = found if total is None else [a + b for a, b in zip(total, found)]
        made = _settled(_rebuilt(primals, total), own)
        return made if isinstance(made, tuple) else (made,)

    shown, aux = _settled((output, aux), own)
    return (shown, pull, aux) if has_aux else (shown, pull)


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    own = [_fresh(leaf) for leaf in _leaves(primals)]
    with torch.enable_grad():
        output, aux = _called(has_aux, func, *_rebuilt(primals, own))

        def along(each):
            if not each.requires_grad:
                return torch.zeros_like(each)
            dummy = torch.zeros_like(each, requires_grad=True)
            back = _gradients(each, own, dummy)
            total = sum((b * t).sum() for b, t in zip(back, _leaves(tangents)))
            return _gradients(total, [dummy])[0]

        tangent = _mapped(along, output)
    made = _settled((output, tangent, aux), own)
    return made if has_aux else made[:2]


def jacrev(func, argnums=0, has_aux=False, **_):
    def function(*args, **kwargs):
        inputs = _chosen(args, argnums)
        own = [_fresh(leaf) for leaf in _leaves(inputs)]
        with torch.enable_grad():
            output, aux = _called(has_aux, func, *_replaced(args, argnums, _rebuilt(inputs, own)), **kwargs)

            def rows(each):
                found = [_gradients(one, own) for one in each.reshape(-1)]
                return _rebuilt(
                    inputs,
                    [
                        torch.stack([row[i] for row in found]).reshape(each.shape + leaf.shape)
                        for i, leaf in enumerate(own)
                    ],
                )

            made = _mapped(rows, output)
        made, aux = _settled((made, aux), own)
        return (made, aux) if has_aux else made

    return function


jacfwd = jacrev


def hessian(func, argnums=0):
    return jacrev(jacrev(func, argnums), argnums)


def linearize(func, *primals):
    output = func(*primals)
    return output, lambda *tangents: jvp(func, primals, tangents)[1]


def _spread(axes, tree):
    """For every leaf the dimension that is mapped, or None."""
    if axes is None or isinstance(axes, int):
        return [axes] * len(_leaves(tree))
    if isinstance(tree, dict):
        return [axis for key in tree for axis in _spread(axes[key], tree[key])]
    return [axis for axis_, part in zip(axes, tree) for axis in _spread(axis_, part)]


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    def function(*args, **kwargs):
        leaves, axes = _leaves(args), _spread(in_dims, args)
        sizes = [leaf.size(axis) for leaf, axis in zip(leaves, axes) if axis is not None]
        if not sizes:
            raise ValueError(
                f"vmap({getattr(func, '__name__', func)}, in_dims={in_dims}, ...)(<inputs>): "
                "at least one input must be mapped over (in_dims cannot be all None)"
            )
        if len(set(sizes)) > 1:
            raise ValueError(
                "vmap: Expected all tensors to have the same size in the mapped dimension, "
                f"got sizes {sizes} for the mapped dimension"
            )
        made = []
        for number in range(sizes[0]):
            one = [leaf if axis is None else leaf.select(axis, number) for leaf, axis in zip(leaves, axes)]
            made.append(func(*_rebuilt(args, one), **kwargs))
        shape = made[0]
        columns = [_leaves(each) for each in made]
        out = _spread(out_dims, shape)
        stacked = [torch.stack([column[i] for column in columns], out[i]) for i in range(len(columns[0]))]
        return _rebuilt(shape, stacked)

    return function


def _owner(module, name):
    *path, last = name.split(".")
    for part in path:
        module = getattr(module, part)
    return module, last


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    given = parameter_and_buffer_dicts
    if isinstance(given, (tuple, list)):
        given = {name: value for each in given for name, value in each.items()}
    held = []
    for name, value in given.items():
        owner, last = _owner(module, name)
        for table in (owner._parameters, owner._buffers):
            if last in table:
                held.append((table, last, table[last]))
                table[last] = value
    arguments = () if args is None else args if isinstance(args, tuple) else (args,)
    try:
        return module(*arguments, **(kwargs or {}))
    finally:
        for table, last, value in reversed(held):
            table[last] = value


def stack_module_state(models):
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")

    def stacked(listed):
        made = {}
        for name, first in listed[0].items():
            made[name] = torch.stack([each[name].detach() for each in listed]).requires_grad_(first.requires_grad)
        return made

    return stacked([dict(m.named_parameters()) for m in models]), stacked([dict(m.named_buffers()) for m in models])
