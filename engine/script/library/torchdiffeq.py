# type: ignore
"""torchdiffeq: what a derivative leads to from a state, with gradients through the steps or by the adjoint equation.

The steps are chosen, and their numbers added up, in the order in which torchdiffeq 0.2.5 does it.
"""

import torch
from torchdiffeq._adjoint import odeint_adjoint
from torchdiffeq._asked import asked, shaped
from torchdiffeq._events import rerouted
from torchdiffeq._solving import METHODS, odeint

__all__ = ["odeint", "odeint_adjoint", "odeint_event"]


def odeint_event(func, y0, t0, *, event_fn, reverse_time=False, odeint_interface=odeint, **kwargs):
    """The time after `t0` at which `event_fn` gets zero, and the states at both, with the gradient of that time."""
    start = t0.reshape(-1)
    t = torch.cat([start, start.detach() + (-1.0 if reverse_time else 1.0)])
    at, states = odeint_interface(func, y0, t, event_fn=event_fn, **kwargs)
    problem = asked(METHODS, func, y0, t, 0.0, 0.0, None, None, event_fn)
    many = problem.shapes is not None
    last = torch.cat([state[-1].reshape(-1) for state in states]) if many else states[-1]
    at, last = rerouted(problem.func, problem.event, -at if reverse_time else at, last)
    if reverse_time:
        at = -at
    if not many:
        return at, torch.cat([states[:-1], last[None]], dim=0)
    ends = shaped(last, (), problem.shapes)
    return at, tuple(torch.cat([state[:-1], end[None]], dim=0) for state, end in zip(states, ends))
