# type: ignore
"""What odeint() was asked, in one form: one tensor as the state, times that go up, a norm, and a function that knows
on which side of a time it is asked."""

import warnings

import torch

CALLBACKS = ("callback_step", "callback_accept_step", "callback_reject_step")


def nothing(*args, **kwargs):
    """What is called back where nobody asked."""


def rms(tensor):
    return tensor.abs().pow(2).mean().sqrt()


def largest_rms(tensors):
    return max([rms(each) for each in tensors]) if len(tensors) else 0.0


def shaped(tensor, length, shapes):
    """The parts of a state that was put together, as `shapes` says; the state itself where there is one part only."""
    if shapes is None:
        return tensor
    parts, start = [], 0
    for shape in shapes:
        parts.append(tensor[..., start : start + shape.numel()].view((*length, *shape)))
        start += shape.numel()
    return tuple(parts)


class Derivative:
    """`base` at times of the state's dtype; `side` -1 or 1 asks just before or after a time, where it may jump."""

    def __init__(self, base):
        self.base = base
        for name in CALLBACKS:
            setattr(self, name, nothing)

    def __call__(self, t, y, side=0):
        if torch.is_complex(t):
            t = t.real
        t = t.to(y.abs().dtype)
        if side:
            with torch.no_grad():
                beside = torch.nextafter(t, t + side)
            # exact, as it is one step of the last digit, and its gradient is that of t
            t = t + (beside - t).detach() if t.requires_grad else beside
        return self.base(t, y)


class Problem:
    """What is asked of a solver."""


def asked(methods, func, y0, t, rtol, atol, method, options, event_fn):
    problem = Problem()
    original = func
    if event_fn is not None:
        if len(t) != 2:
            raise ValueError(f"We require len(t) == 2 when in event handling mode, but got len(t)={len(t)}.")
        event_fn = _positive_first(event_fn, t[0], y0)
    shapes = None
    many = not isinstance(y0, torch.Tensor)
    if many:
        assert isinstance(y0, tuple), "y0 must be either a torch.Tensor or a tuple"
        shapes = [each.shape for each in y0]
        rtol, atol = _spread("rtol", rtol, shapes), _spread("atol", atol, shapes)
        y0 = torch.cat([each.reshape(-1) for each in y0])
        func, event_fn = _of_parts(func, shapes), _of_one(event_fn, shapes)
    options = {} if options is None else options.copy()
    method = "dopri5" if method is None else method
    if method not in methods:
        names = '{"' + '", "'.join(methods) + '"}.'
        raise ValueError(f'Invalid method "{method}". Must be one of {names}')
    if many:
        norm = options.get("norm", largest_rms)
        options["norm"] = lambda tensor: norm(shaped(tensor, (), shapes))
    else:
        options.setdefault("norm", rms)
    _times(t)
    backwards = len(t) > 1 and bool(t[0] > t[1])
    if backwards:
        t = -t
        func = _reversed(func, -1.0)
        event_fn = None if event_fn is None else _reversed(event_fn, 1.0)
        if "grid_constructor" in options:
            constructor = options["grid_constructor"]
            options["grid_constructor"] = lambda func, y0, t: -constructor(func, y0, -t)
        for name in ("step_t", "jump_t"):
            if isinstance(options.get(name), torch.Tensor):
                options[name] = -options[name]
    assert (t[1:] > t[:-1]).all(), "t must be strictly increasing or decreasing"
    for name, tolerance in (("rtol", rtol), ("atol", atol)):
        assert not (torch.is_tensor(tolerance) and tolerance.requires_grad), f"{name} cannot require gradient"
    func = Derivative(func)
    _listen(func, original, methods[method].heard, method, shapes, backwards)
    problem.func, problem.y0, problem.t, problem.shapes = func, y0, t, shapes
    problem.rtol, problem.atol, problem.method, problem.options = rtol, atol, method, options
    problem.event, problem.backwards = event_fn, backwards
    return problem


def _listen(func, original, heard, method, shapes, backwards):
    """Have `func` call back what the function that was given wants to hear of steps."""
    unheard = set()
    for name in CALLBACKS:
        callback = getattr(original, name, nothing)
        if callback is nothing:
            continue
        if name not in heard:
            unheard.add(name)

        def called(t0, y0, dt, callback=callback):
            return callback(-t0 if backwards else t0, shaped(y0, (), shapes), dt)

        # what is asked again about a function that was asked about is in its form already
        setattr(func, name, callback if isinstance(original, Derivative) else called)
    for name in CALLBACKS:
        if hasattr(original, f"{name}_adjoint"):
            setattr(func, f"{name}_adjoint", getattr(original, f"{name}_adjoint"))
    if unheard:
        warnings.warn(f"Solver '{method}' does not support callbacks {unheard}")


def _times(t):
    assert isinstance(t, torch.Tensor), "t must be a torch.Tensor"
    if not torch.is_floating_point(t):
        raise TypeError(f"`t` must be a floating point Tensor but is a {t.type()}")
    assert t.ndimension() == 1, "t must be one dimensional"
    up = t[1:] > t[:-1]
    assert up.all() or (~up).all(), "t must be strictly increasing or decreasing"


def _spread(name, tolerance, shapes):
    """A tolerance for each part of a state as one for each entry."""
    try:
        iter(tolerance)
    except TypeError:
        return tolerance
    tolerance = tuple(tolerance)
    assert len(tolerance) == len(shapes), f"If using tupled {name} it must have the same length as the tuple y0"
    return torch.cat([torch.as_tensor(each).expand(shape.numel()) for each, shape in zip(tolerance, shapes)])


def _of_parts(func, shapes):
    return lambda t, y: torch.cat([each.reshape(-1) for each in func(t, shaped(y, (), shapes))])


def _of_one(func, shapes):
    return None if func is None else lambda t, y: func(t, shaped(y, (), shapes))


def _reversed(func, factor):
    return lambda t, y: factor * func(-t, y)


def _positive_first(event_fn, t0, y0):
    """One number out of all that `event_fn` answers, which is positive at first and zero with the first of them."""
    with torch.no_grad():
        signs = torch.sign(event_fn(t0, y0))
    return lambda t, y: torch.min(event_fn(t, y) * signs)
