# type: ignore
"""torch.func: functions of functions. vmap() calls the function once for each example and stacks what it gives."""

import _batched
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


def _spec(tree):
    """A nesting as PyTorch's messages draw it: * for what is none."""
    if not isinstance(tree, (tuple, list, dict)):
        return "*"
    parts = list(tree.values()) if isinstance(tree, dict) else tree
    inside = ",\n".join(_spec(part) for part in parts).replace("\n", "\n  ")
    return f"TreeSpec({type(tree).__name__}, {list(tree) if isinstance(tree, dict) else None}, [{inside}])"


def _name(func):
    return getattr(func, "__name__", func)


def _check_argnums(argnums, args):
    numbers = argnums
    if isinstance(argnums, int):
        numbers = (argnums,)
    elif not isinstance(argnums, tuple):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    elif not argnums:
        raise RuntimeError("argnums must be non-empty")
    elif len(set(argnums)) != len(argnums):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    for number in numbers:
        if not -len(args) <= number < len(args):
            raise RuntimeError(f"Got argnum={number}, but only {len(args)} positional inputs")


def _check_tensors(output, told):
    for leaf in _leaves(output):
        if not isinstance(leaf, torch.Tensor):
            raise RuntimeError(f"{told} to return only tensors, got unsupported type {type(leaf)}")


def _fresh(tensor):
    """A tensor to differentiate by: what was computed from others stays connected with them."""
    if not isinstance(tensor, torch.Tensor):
        raise ValueError(f"Thing passed to transform API must be Tensor, got {type(tensor)}")
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


def _called(told, has_aux, func, *args, **kwargs):
    """What `func` gives to be differentiated, and what it gives beside (None without `has_aux`)."""
    made = func(*args, **kwargs)
    if has_aux and not (isinstance(made, tuple) and len(made) == 2):
        raise RuntimeError(f"{told}: output of function f should be a tuple: (output, aux) if has_aux is True")
    if has_aux:
        for leaf in _leaves(made[1]):
            if not isinstance(leaf, torch.Tensor):
                raise RuntimeError(f"Expected tensors, got unsupported type {type(leaf)}")
    return made if has_aux else (made, None)


def _value_and_gradients(func, argnums, has_aux, args, kwargs):
    _check_argnums(argnums, args)
    inputs = _chosen(args, argnums)
    own = [_fresh(leaf) for leaf in _leaves(inputs)]
    with torch.enable_grad():
        output, aux = _called(
            "grad_and_value(f)(*args)", has_aux, func, *_replaced(args, argnums, _rebuilt(inputs, own)), **kwargs
        )
        if not isinstance(output, torch.Tensor):
            raise RuntimeError(f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {type(output)}")
        if output.dim() != 0:
            raise RuntimeError(
                "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with "
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
        output, aux = _called("vjp(f, *primals)", has_aux, func, *_rebuilt(primals, own))
    _check_tensors(output, "vjp(f, *primals): expected f(*primals)")

    def pull(cotangents, retain_graph=True, create_graph=None):
        given = cotangents
        if _spec(given) != _spec(output):
            told = [_spec(each).replace("TreeSpec(tuple, None, [", "(").replace("])", ")") for each in (given, output)]
            told = [each.replace(",\n  ", ", ") for each in told]
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function."
                f" cotangents: {told[0]}, primal output: {told[1]}"
            )
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
    told = "jvp(f, primals, tangents)"
    if not isinstance(primals, tuple):
        raise RuntimeError(f"{told}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals).")
    if _spec(primals) != _spec(tangents):
        raise RuntimeError(
            f"{told}: Expected primals and tangents to have the same python structure. For example, if primals is a"
            " tuple of 3 tensors, tangents also must be. Got primals with structure"
            f" {_spec(primals)} and tangents with structure {_spec(tangents)}"
        )
    if not _leaves(primals):
        raise RuntimeError(f"{told}: Expected primals to contain at least one Tensor.")
    for word, tree in (("primals", primals), ("tangents", tangents)):
        for leaf in _leaves(tree):
            if not isinstance(leaf, torch.Tensor):
                raise RuntimeError(f"{told}: Expected {word} to only contain Tensors, got {type(leaf)}")
    for primal, tangent in zip(_leaves(primals), _leaves(tangents)):
        if primal.shape != tangent.shape:
            raise RuntimeError(
                "Trying to set a forward gradient that has a different size than that of the original Tensor, this is"
                f" not supported. Tensor is of size {list(primal.shape)} while the given forward gradient is of size"
                f" {list(tangent.shape)}."
            )
    own = [_fresh(leaf) for leaf in _leaves(primals)]
    with torch.enable_grad():
        output, aux = _called(told, has_aux, func, *_rebuilt(primals, own))
        _check_tensors(output, f"{told}: expected f(*primals)")

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


def _jacobian(told, expected, func, argnums, has_aux):
    def function(*args, **kwargs):
        _check_argnums(argnums, args)
        inputs = _chosen(args, argnums)
        own = [_fresh(leaf) for leaf in _leaves(inputs)]
        with torch.enable_grad():
            output, aux = _called(told, has_aux, func, *_replaced(args, argnums, _rebuilt(inputs, own)), **kwargs)
            _check_tensors(output, f"{told}: {expected}")

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


def jacrev(func, argnums=0, *, has_aux=False, chunk_size=None, _preallocate_and_copy=False):
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")
    return _jacobian("vjp(f, *primals)", "expected f(*primals)", func, argnums, has_aux)


def jacfwd(func, argnums=0, has_aux=False, *, randomness="error"):
    return _of_floats(_jacobian("jvp(f, primals, tangents)", "expected f(*primals)", func, argnums, has_aux), argnums)


def _of_floats(jacobian, argnums):
    """The same function, which refuses whole numbers as forward mode does."""

    def compute(*args, **kwargs):
        _check_argnums(argnums, args)
        for leaf in _leaves(_chosen(args, argnums)):
            if isinstance(leaf, torch.Tensor) and not leaf.is_floating_point():
                raise ValueError(f"Expected primal to be floating point or complex, but got: {leaf.dtype}")
        return jacobian(*args, **kwargs)

    return compute


def hessian(func, argnums=0):
    return _of_floats(jacrev(jacrev(func, argnums), argnums), argnums)


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


def _check_mapped(func, in_dims, args):
    """Raise ValueError where arguments cannot be mapped so."""
    told = f"vmap({_name(func)}, in_dims={in_dims}, ...)(<inputs>)"
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(
            f"{told}: expected `in_dims` to be int or a (potentially nested) tuple matching the structure of inputs,"
            f" got: {type(in_dims)}."
        )
    if not args:
        raise ValueError(
            f"vmap({_name(func)})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap"
            " over a function with no inputs. The latter is unsupported."
        )
    if not _fits(in_dims, args):
        raise ValueError(
            f"{told}: in_dims is not compatible with the structure of `inputs`. in_dims has structure"
            f" {_spec(in_dims)} but inputs has structure {_spec(args)}."
        )
    for leaf, axis in zip(_leaves(args), _spread(in_dims, args)):
        if axis is not None and not isinstance(leaf, torch.Tensor):
            raise ValueError(
                f"{told}: Got in_dim={axis} for an input but the input is of type {type(leaf)}. We cannot vmap over"
                " non-Tensor arguments, please use None as the respective in_dim"
            )
        if axis is not None and not -leaf.dim() <= axis < leaf.dim():
            raise ValueError(
                f"{told}: Got in_dim={axis} for some input, but that input is a Tensor of dimensionality {leaf.dim()}"
                f" so expected in_dim to satisfy -{leaf.dim()} <= in_dim < {leaf.dim()}."
            )


def _fits(axes, tree):
    """Whether dimensions are told for a nesting like this one: one number may stand for all that is below it."""
    if axes is None or isinstance(axes, int):
        return True
    if isinstance(axes, dict):
        return isinstance(tree, dict) and list(axes) == list(tree) and all(_fits(axes[k], tree[k]) for k in axes)
    same = isinstance(axes, (tuple, list)) and type(axes) is type(tree) and len(axes) == len(tree)
    return same and all(_fits(axis, part) for axis, part in zip(axes, tree))


def _check_outputs(func, out_dims, output):
    name = _name(func)
    for leaf in _leaves(output):
        if not isinstance(leaf, torch.Tensor):
            raise ValueError(
                f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(leaf)}. Did you mean to set"
                " out_dims= to None for output?"
            )
    if not isinstance(out_dims, (int, tuple, list, dict, type(None))):
        raise ValueError(
            f"vmap({name}, ..., out_dims={out_dims}): `out_dims` must be an int, None or a python collection of ints"
            " representing where in the outputs the vmapped dimension should appear."
        )
    if not _fits(out_dims, output) and not (isinstance(out_dims, tuple) and len(out_dims) == 1):
        raise ValueError(
            f"vmap({name}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure of"
            f" `outputs`. out_dims has structure {_spec(out_dims)} but outputs has structure {_spec(output)}."
        )


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    def function(*args, **kwargs):
        _check_mapped(func, in_dims, args)
        leaves, axes = _leaves(args), _spread(in_dims, args)
        sizes = [leaf.size(axis) for leaf, axis in zip(leaves, axes) if axis is not None]
        if not sizes:
            raise ValueError("vmap: Expected at least one Tensor to vmap over")
        if len(set(sizes)) > 1:
            raise ValueError(
                "vmap: Expected all tensors to have the same size in the mapped dimension, "
                f"got sizes {sizes} for the mapped dimension"
            )
        made, given = [], []
        before = torch.get_rng_state()
        for number in range(sizes[0]):
            if randomness == "same":
                torch.set_rng_state(before)
            one = [leaf if axis is None else leaf.select(axis, number) for leaf, axis in zip(leaves, axes)]
            given.append(one)
            made.append(func(*_rebuilt(args, one), **kwargs))
            if number == 0 and randomness == "error" and not torch.equal(before, torch.get_rng_state()):
                raise RuntimeError(
                    "vmap: called random operation while in randomness error mode. Please either use the 'same' or"
                    " 'different' randomness flags on vmap or perform the randomness operation out of vmap"
                )
            _check_outputs(func, out_dims, made[-1])
        shape = made[0]
        columns = [_leaves(each) for each in made]
        out = _spread(out_dims, shape)

        def together(i):
            for leaf, axis, *parts in zip(leaves, axes, *given):
                if axis == out[i] and all(column[i] is part for column, part in zip(columns, parts)):
                    return leaf  # the function gives what it is given
            stacked = torch.stack([column[i] for column in columns], out[i])
            return _batched.shown_like(stacked, columns[0][i], out[i] not in (0, -stacked.dim()))

        return _rebuilt(shape, [together(i) for i in range(len(columns[0]))])

    return function


def _owner(module, name):
    *path, last = name.split(".")
    for part in path:
        module = getattr(module, part)
    return module, last


def _check_names(module, given):
    known = [name for name, _ in [*module.named_parameters(), *module.named_buffers()]]
    missing = [name for name in known if name not in given]
    unexpected = [name for name in given if name not in known]
    told = []
    if unexpected:
        told.append("Unexpected key(s): " + ", ".join(map(repr, unexpected)) + ".")
    if missing:
        told.append("Missing key(s): " + ", ".join(map(repr, missing)) + ".")
    if told:
        lines = "\n\t".join(told)
        raise RuntimeError(f"Error(s) in reparametrizing for {type(module).__name__}:\n\t{lines}")


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    given = parameter_and_buffer_dicts
    if not isinstance(given, (dict, tuple, list)):
        raise ValueError(
            f"Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got {type(given)}"
        )
    if isinstance(given, (tuple, list)):
        if not all(isinstance(each, dict) for each in given):
            raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
        given = {name: value for each in given for name, value in each.items()}
    if strict:
        _check_names(module, given)
    held = []
    for name, value in given.items():
        if not isinstance(value, torch.Tensor):
            raise TypeError(f"{value} is not an instance of torch.Tensor")
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
    if any(type(each) is not type(models[0]) for each in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    if any(each.training != models[0].training for each in models):
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")

    def stacked(listed):
        made = {}
        for name, first in listed[0].items():
            made[name] = torch.stack([each[name].detach() for each in listed]).requires_grad_(first.requires_grad)
        return made

    return stacked([dict(m.named_parameters()) for m in models]), stacked([dict(m.named_buffers()) for m in models])
