# type: ignore
"""Gradients by an equation that is integrated backwards: no step of the way there is kept."""

import warnings

import torch
from torch import nn
from torchdiffeq._asked import CALLBACKS, asked, largest_rms, shaped
from torchdiffeq._solving import METHODS, odeint


class OdeintAdjointMethod(torch.autograd.Function):
    @staticmethod
    def forward(ctx, problem, back, y0, t, wants_t, *parameters):
        ctx.func, ctx.back, ctx.wants_t, ctx.event = problem.func, back, wants_t, problem.event is not None
        with torch.no_grad():
            answer = odeint(
                problem.func,
                y0,
                t,
                rtol=problem.rtol,
                atol=problem.atol,
                method=problem.method,
                options=problem.options,
                event_fn=problem.event,
            )
            if ctx.event:
                at, states = answer
                ctx.save_for_backward(t, states, at, *parameters)
            else:
                ctx.save_for_backward(t, answer, *parameters)
        return answer

    @staticmethod
    def backward(ctx, *grads):
        with torch.no_grad():
            if ctx.event:
                times, states, at, *parameters = ctx.saved_tensors
                t = torch.cat([times[0].reshape(-1), at.reshape(-1)])
                grad = grads[1]
            else:
                t, states, *parameters = ctx.saved_tensors
                grad = grads[0]
            func, wants_t = ctx.func, ctx.wants_t
            dynamics = _dynamics(func, tuple(parameters), wants_t)
            for name in CALLBACKS:
                if hasattr(func, f"{name}_adjoint"):
                    setattr(dynamics, name, getattr(func, f"{name}_adjoint"))
            whole = [torch.zeros((), dtype=states.dtype), states[-1], grad[-1]]
            whole.extend([torch.zeros_like(each) for each in parameters])
            by_time = torch.empty(len(t), dtype=t.dtype) if wants_t else None
            for place in range(len(t) - 1, 0, -1):
                if wants_t:
                    moved = func(t[place], states[place]).reshape(-1).dot(grad[place].reshape(-1))
                    whole[0] -= moved
                    by_time[place] = moved
                went = odeint(dynamics, tuple(whole), t[place - 1 : place + 1].flip(0), **ctx.back)
                whole = [each[1] for each in went]
                whole[1] = states[place - 1]  # as it was found on the way there
                whole[2] += grad[place - 1]
            if wants_t:
                by_time[0] = whole[0]
                if ctx.event:
                    by_time = torch.cat([by_time[0].reshape(-1), torch.zeros_like(times[1:])])
        return (None, None, whole[2], by_time, None, *whole[3:])


def _dynamics(func, parameters, wants_t):
    """Of the state, and of the gradients with respect to it, to time and to the parameters."""

    def augmented(t, whole):
        with torch.enable_grad():
            still = t.detach()
            t = still.requires_grad_(True)
            y = whole[1].detach().requires_grad_(True)
            moving = func(t if wants_t else still, y)
            inputs = (t, y, *parameters)
            slopes = torch.autograd.grad(moving, inputs, -whole[2], allow_unused=True, retain_graph=True)
        by_t, by_y, *rest = (torch.zeros_like(of) if slope is None else slope for of, slope in zip(inputs, slopes))
        return (by_t, moving, by_y, *rest)

    return augmented


def odeint_adjoint(
    func,
    y0,
    t,
    *,
    rtol=1e-7,
    atol=1e-9,
    method=None,
    options=None,
    event_fn=None,
    adjoint_rtol=None,
    adjoint_atol=None,
    adjoint_method=None,
    adjoint_options=None,
    adjoint_params=None,
):
    """As odeint(); gradients come from the adjoint equation, and go to `adjoint_params`: all of the module's."""
    if adjoint_params is None and not isinstance(func, nn.Module):
        raise ValueError(
            "func must be an instance of nn.Module to specify the adjoint parameters; alternatively they "
            "can be specified explicitly via the `adjoint_params` argument. If there are no parameters "
            "then it is allowable to set `adjoint_params=()`."
        )
    adjoint_rtol = rtol if adjoint_rtol is None else adjoint_rtol
    adjoint_atol = atol if adjoint_atol is None else adjoint_atol
    adjoint_method = method if adjoint_method is None else adjoint_method
    if adjoint_method != method and options is not None and adjoint_options is None:
        raise ValueError(
            "If `adjoint_method != method` then we cannot infer `adjoint_options` from `options`. So as "
            "`options` has been passed then `adjoint_options` must be passed as well."
        )
    if adjoint_options is None:
        adjoint_options = {name: value for name, value in (options or {}).items() if name != "norm"}
    else:
        adjoint_options = adjoint_options.copy()
    parameters = tuple(func.parameters() if adjoint_params is None else adjoint_params)
    wanted = tuple(each for each in parameters if each.requires_grad)
    if len(wanted) != len(parameters) and callable(adjoint_options.get("norm")):
        warnings.warn(
            "An adjoint parameter was passed without requiring gradient. For efficiency this will be "
            "excluded from the adjoint pass, and will not appear as a tensor in the adjoint norm."
        )
    problem = asked(METHODS, func, y0, t, rtol, atol, method, options, event_fn)
    adjoint_options["norm"] = _norm(adjoint_options.get("norm"), problem.shapes, problem.options["norm"])
    back = {"rtol": adjoint_rtol, "atol": adjoint_atol, "method": adjoint_method, "options": adjoint_options}
    answer = OdeintAdjointMethod.apply(problem, back, problem.y0, problem.t, problem.t.requires_grad, *wanted)
    if event_fn is None:
        return shaped(answer, (len(t),), problem.shapes)
    at, states = answer
    at = at.to(problem.t)
    return -at if problem.backwards else at, shaped(states, (len(t),), problem.shapes)


def _norm(norm, shapes, of_state):
    """How far off the whole backward state is: the largest of its parts, or what the caller says."""
    if norm is None:
        return lambda parts: max(parts[0].abs(), of_state(parts[1]), of_state(parts[2]), largest_rms(parts[3:]))
    if norm == "seminorm":
        return lambda parts: max(parts[0].abs(), of_state(parts[1]), of_state(parts[2]))
    if shapes is None:
        return norm
    return lambda parts: norm((parts[0], *shaped(parts[1], (), shapes), *shaped(parts[2], (), shapes), *parts[3:]))
