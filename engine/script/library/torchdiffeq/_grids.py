# type: ignore
"""Methods whose steps are given: the times themselves, or as long as `step_size` says."""

import collections
import warnings

import torch
from torchdiffeq._adaptive import off_by, unused
from torchdiffeq._events import found
from torchdiffeq._tables import adams


class Grid:
    heard = {"callback_step"}

    def __init__(self, func, y0, step_size=None, grid_constructor=None, interp="linear", perturb=False, **more):
        self.atol = more.pop("atol")
        more.pop("rtol", None)
        more.pop("norm", None)
        unused(self, more)
        self.func, self.y0, self.step_size, self.interp, self.perturb = func, y0, step_size, interp, perturb
        if step_size is not None and grid_constructor is not None:
            raise ValueError("step_size and grid_constructor are mutually exclusive arguments.")
        self.grid_constructor = grid_constructor

    def _grid(self, t):
        if self.step_size is None:
            return t if self.grid_constructor is None else self.grid_constructor(self.func, self.y0, t)
        many = torch.ceil((t[-1] - t[0]) / self.step_size + 1).item()
        grid = torch.arange(0, many, dtype=t.dtype) * self.step_size + t[0]
        grid[-1] = t[-1]
        return grid

    def integrate(self, t):
        grid = self._grid(t)
        assert grid[0] == t[0] and grid[-1] == t[-1]
        states = torch.empty(len(t), *self.y0.shape, dtype=self.y0.dtype)
        states[0] = y0 = self.y0
        place = 1
        for t0, t1 in zip(grid[:-1], grid[1:]):
            dt = t1 - t0
            self.func.callback_step(t0, y0, dt)
            dy, f0 = self.step(t0, dt, t1, y0)
            y1 = y0 + dy
            while place < len(t) and t1 >= t[place]:
                states[place] = self._between(t0, y0, f0, t1, y1)(t[place])
                place += 1
            y0 = y1
        return states

    def integrate_until_event(self, t0, event_fn):
        if self.step_size is None:
            raise AssertionError(
                "Event handling for fixed step solvers currently requires `step_size` to be provided in options."
            )
        t0, y0 = t0.type_as(self.y0.abs()), self.y0
        sign = torch.sign(event_fn(t0, y0))
        for _ in range(20000):
            t1 = t0 + self.step_size
            dy, f0 = self.step(t0, self.step_size, t1, y0)
            y1 = y0 + dy
            if sign != torch.sign(event_fn(t1, y1)):
                at, y1 = found(self._between(t0, y0, f0, t1, y1), sign, t0, t1, event_fn, float(self.atol))
                return at, torch.stack([self.y0, y1], dim=0)
            t0, y0 = t1, y1
        raise RuntimeError("Reached maximum number of iterations 20000.")

    def _between(self, t0, y0, f0, t1, y1):
        """The state at times from t0 to t1."""
        if self.interp == "linear":

            def line(t):
                if t == t0:
                    return y0
                if t == t1:
                    return y1
                return y0 + (t - t0) / (t1 - t0) * (y1 - y0)

            return line
        if self.interp != "cubic":
            raise ValueError(f"Unknown interpolation method {self.interp}")
        f1, dt = self.func(t1, y1), t1 - t0

        def curve(t):
            h = (t - t0) / (t1 - t0)
            ends = (1 + 2 * h) * (1 - h) * (1 - h), h * (1 - h) * (1 - h), h * h * (3 - 2 * h), h * h * (h - 1)
            return ends[0] * y0 + ends[1] * dt * f0 + ends[2] * y1 + ends[3] * dt * f1

        return curve

    def first(self, t0, y0):
        return self.func(t0, y0, 1 if self.perturb else 0)

    def last(self, t1, y1):
        return self.func(t1, y1, -1 if self.perturb else 0)

    def three_eighths(self, t0, dt, t1, y0, k1):
        """Kutta's other method of four stages, whose error is smaller."""
        k2 = self.func(t0 + dt * (1 / 3), y0 + dt * k1 * (1 / 3))
        k3 = self.func(t0 + dt * (2 / 3), y0 + dt * (k2 - k1 * (1 / 3)))
        k4 = self.last(t1, y0 + dt * (k1 - k2 + k3))
        return (k1 + 3 * (k2 + k3) + k4) * dt * 0.125


class Euler(Grid):
    def step(self, t0, dt, t1, y0):
        f0 = self.first(t0, y0)
        return dt * f0, f0


class Midpoint(Grid):
    def step(self, t0, dt, t1, y0):
        half = 0.5 * dt
        f0 = self.first(t0, y0)
        return dt * self.func(t0 + half, y0 + f0 * half), f0


class RK4(Grid):
    def step(self, t0, dt, t1, y0):
        f0 = self.first(t0, y0)
        return self.three_eighths(t0, dt, t1, y0, f0), f0


class Heun3(Grid):
    def step(self, t0, dt, t1, y0):
        k1 = self.first(t0, y0)
        k2 = self.func(t0 + dt * (1 / 3), y0 + dt * k1 * (1 / 3))
        k3 = self.func(t0 + dt * (2 / 3), y0 + dt * (k1 * 0.0 + k2 * (2 / 3)))
        return dt * (k1 * (1 / 4) + k2 * 0.0 + k3 * (3 / 4)), k1


class Heun2(Grid):
    def step(self, t0, dt, t1, y0):
        k1 = self.first(t0, y0)
        k2 = self.last(t0 + dt * 1.0, y0 + dt * k1 * 1.0)
        return dt * (k1 * (1 / 2) + k2 * (1 / 2)), k1


class AdamsBashforthMoulton(Grid):
    implicit = True

    def __init__(self, func, y0, rtol=1e-3, atol=1e-4, implicit=True, max_iters=4, max_order=12, **more):
        super().__init__(func, y0, rtol=rtol, atol=rtol, **more)
        assert max_order <= 12, "max_order must be at most 12"
        if max_order < 4:
            warnings.warn("max_order is below 4, so the solver reduces to `rk4`.")
        self.rtol, self.atol = torch.as_tensor(rtol, dtype=y0.dtype), torch.as_tensor(atol, dtype=y0.dtype)
        self.implicit, self.max_iters, self.max_order = implicit, max_iters, int(max_order)
        self.known, self.known_at = collections.deque(maxlen=self.max_order - 1), None

    def _keep(self, t, f):
        if self.known_at is None or self.known_at != t:
            self.known.appendleft(f)
            self.known_at = t

    def step(self, t0, dt, t1, y0):
        f0 = self.first(t0, y0)
        self._keep(t0, f0)
        order = min(len(self.known), self.max_order - 1)
        if order < 3:
            return self.three_eighths(t0, dt, t1, y0, self.known[0]), f0
        explicit, implicit = adams(order)
        dy = _sum_of(dt * explicit, self.known).type_as(y0)
        if not self.implicit:
            return dy, f0
        rest = dt * _sum_of(implicit[1:], self.known).type_as(y0)
        for _ in range(self.max_iters):
            before = dy
            f = self.last(t1, y0 + dy)
            dy = (dt * implicit[0] * f).type_as(y0) + rest
            change = torch.abs(before - dy)
            if off_by(change, self.rtol, self.atol, before, dy, lambda each: each.abs().max()) < 1:
                break
        else:
            warnings.warn("Functional iteration did not converge. Solution may be incorrect.")
            self.known.pop()
        self._keep(t0, f)
        return dy, f0


class AdamsBashforth(AdamsBashforthMoulton):
    def __init__(self, func, y0, **more):
        super().__init__(func, y0, implicit=False, **more)


def _sum_of(weights, values):
    return sum(weight * value for weight, value in zip(weights, values))
