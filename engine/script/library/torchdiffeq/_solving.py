# type: ignore
"""odeint(), and its methods by their names."""

from torchdiffeq._adaptive import AdaptiveHeun, Bosh3, Dopri5, Dopri8, Fehlberg2
from torchdiffeq._asked import asked, shaped
from torchdiffeq._grids import RK4, AdamsBashforth, AdamsBashforthMoulton, Euler, Heun2, Heun3, Midpoint

METHODS = {
    "dopri8": Dopri8,
    "dopri5": Dopri5,
    "bosh3": Bosh3,
    "fehlberg2": Fehlberg2,
    "adaptive_heun": AdaptiveHeun,
    "euler": Euler,
    "midpoint": Midpoint,
    "heun2": Heun2,
    "heun3": Heun3,
    "rk4": RK4,
    "explicit_adams": AdamsBashforth,
    "implicit_adams": AdamsBashforthMoulton,
    "fixed_adams": AdamsBashforthMoulton,
}


def odeint(func, y0, t, *, rtol=1e-7, atol=1e-9, method=None, options=None, event_fn=None):
    """The states at the times `t`, (len(t), *y0.shape), from y0 at t[0]; a tuple of them where y0 is a tuple.

    With `event_fn`: the time at which it gets zero, and the states at t[0] and then.
    """
    problem = asked(METHODS, func, y0, t, rtol, atol, method, options, event_fn)
    solver = METHODS[problem.method](
        func=problem.func, y0=problem.y0, rtol=problem.rtol, atol=problem.atol, **problem.options
    )
    if event_fn is None:
        return shaped(solver.integrate(problem.t), (len(t),), problem.shapes)
    at, states = solver.integrate_until_event(problem.t[0], problem.event)
    at = at.to(problem.t)
    return -at if problem.backwards else at, shaped(states, (len(t),), problem.shapes)
