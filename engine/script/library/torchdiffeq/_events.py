# type: ignore
"""When something happens between two times, and how that time changes with the state."""

import math

import torch
from torch.autograd.functional import vjp


def found(between, sign, t0, t1, event_fn, tolerance):
    """The time between t0 and t1 at which `event_fn` leaves `sign`, to `tolerance`, and `between` of it."""
    with torch.no_grad():
        halvings = torch.ceil(torch.log((t1 - t0) / tolerance) / math.log(2.0))
        for _ in range(int(halvings)):
            middle = (t1 + t0) / 2.0
            before = sign == torch.sign(event_fn(middle, between(middle)))
            t0, t1 = torch.where(before, middle, t0), torch.where(before, t1, middle)
        at = (t0 + t1) / 2.0
    return at, between(at)


class ImplicitFnGradientRerouting(torch.autograd.Function):
    @staticmethod
    def forward(ctx, func, event_fn, at, state):
        ctx.func, ctx.event_fn = func, event_fn
        ctx.save_for_backward(at, state)
        return at.detach(), state.detach()

    @staticmethod
    def backward(ctx, grad_at, grad_state):
        at, state = (each.detach().clone().requires_grad_(True) for each in ctx.saved_tensors)
        moving = ctx.func(at, state)
        with torch.enable_grad():
            event, (by_time, by_state) = vjp(ctx.event_fn, (at, state))
        slope = by_time + torch.sum(by_state * moving)
        grad_at = grad_at + torch.sum(grad_state * moving)
        return None, None, None, grad_state + by_state * (-grad_at / (slope + 1e-12)).reshape_as(event)


def rerouted(func, event_fn, at, state):
    """Time and state of an event, whose gradients say that event_fn(time, state) stays zero."""
    return ImplicitFnGradientRerouting.apply(func, event_fn, at, state)
