# type: ignore
"""Pairs of Runge and Kutta's methods: the difference between the two says how long the next step may be."""

import bisect
import warnings

import torch
from torchdiffeq._tables import BOGACKI_SHAMPINE, DORMAND_PRINCE, FEHLBERG, HEUN, PRINCE_DORMAND
from torchdiffeq._asked import rms
from torchdiffeq._events import found


def unused(solver, more):
    if more:
        warnings.warn(f"{type(solver).__name__}: Unexpected arguments {more}")


def off_by(error, rtol, atol, y0, y1, norm):
    """`error` as a multiple of what is tolerated."""
    return norm(error / (atol + rtol * torch.max(y0.abs(), y1.abs()))).abs()


def first_step(func, t0, y0, order, rtol, atol, norm, f0):
    """Hairer, Norsett and Wanner's guess ("Solving Ordinary Differential Equations I", II.4)."""
    scale = atol + torch.abs(y0) * rtol
    d0, d1 = norm(y0 / scale).abs(), norm(f0 / scale).abs()
    h0 = torch.tensor(1e-6, dtype=y0.dtype) if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
    h0 = h0.abs()
    f1 = func(t0 + h0, y0 + h0 * f0)
    d2 = torch.abs(norm((f1 - f0) / scale) / h0)
    if d1 <= 1e-15 and d2 <= 1e-15:
        h1 = torch.max(torch.tensor(1e-6, dtype=y0.dtype), h0 * 1e-3)
    else:
        h1 = (0.01 / max(d1, d2)) ** (1.0 / float(order + 1))
    return torch.min(100 * h0, h1.abs()).to(t0.dtype)


class Adaptive:
    heard = {"callback_step", "callback_accept_step", "callback_reject_step"}

    def __init__(
        self,
        func,
        y0,
        rtol,
        atol,
        min_step=0,
        max_step=float("inf"),
        first_step=None,
        step_t=None,
        jump_t=None,
        safety=0.9,
        ifactor=10.0,
        dfactor=0.2,
        max_num_steps=2**31 - 1,
        dtype=torch.float64,
        norm=rms,
        **more,
    ):
        unused(self, more)
        dtype = torch.promote_types(dtype, y0.abs().dtype)
        self.func, self.y0, self.norm, self.dtype, self.max_num_steps = func, y0, norm, dtype, max_num_steps
        self.rtol, self.atol, self.min_step, self.max_step, self.safety, self.ifactor, self.dfactor = (
            torch.as_tensor(each, dtype=dtype) for each in (rtol, atol, min_step, max_step, safety, ifactor, dfactor)
        )
        self.first_step, self.step_t, self.jump_t = (
            None if each is None else torch.as_tensor(each, dtype=dtype) for each in (first_step, step_t, jump_t)
        )
        alpha, beta, solution, error, middle = self.table
        self.alpha, self.solution, self.error, self.middle = (
            torch.tensor(each, dtype=torch.float64).to(y0.dtype) for each in (alpha, solution, error, middle)
        )
        self.beta = [torch.tensor(each, dtype=torch.float64).to(y0.dtype) for each in beta]
        last = solution[-1] == 0 and list(solution[:-1]) == list(beta[-1])
        self.ends_with_solution = last  # the last stage is taken where the step ends

    def integrate(self, t):
        states = torch.empty(len(t), *self.y0.shape, dtype=self.y0.dtype)
        states[0] = self.y0
        t = t.to(self.dtype)
        self._begin(t)
        for place in range(1, len(t)):
            states[place] = self._advance(t[place])
        return states

    def integrate_until_event(self, t0, event_fn):
        self._begin(t0.to(self.dtype).reshape(-1))
        at, y1 = self._until(event_fn)
        return at, torch.stack([self.y0, y1], dim=0)

    def _begin(self, t):
        f0 = self.func(t[0], self.y0)
        step = self.first_step
        if step is None:
            step = first_step(self.func, t[0], self.y0, self.order - 1, self.rtol, self.atol, self.norm, f0)
        self.y1, self.f1, self.t0, self.t1, self.dt, self.curve = self.y0, f0, t[0], t[0], step, [self.y0] * 5
        self.step_t, self.jump_t = self._later(self.step_t, t[0]), self._later(self.jump_t, t[0])
        if (torch.cat([self.step_t, self.jump_t]).unique(return_counts=True)[1] > 1).any():
            raise ValueError("`step_t` and `jump_t` must not have any repeated elements between them.")
        self.next_step = min(bisect.bisect(self.step_t.tolist(), t[0]), len(self.step_t) - 1)
        self.next_jump = min(bisect.bisect(self.jump_t.tolist(), t[0]), len(self.jump_t) - 1)

    def _later(self, times, t0):
        if times is None:
            return torch.tensor([], dtype=self.dtype)
        return torch.sort(times[times >= t0]).values.to(self.dtype)

    def _advance(self, t):
        """The state at `t`, after as many steps as it takes."""
        steps = 0
        while t > self.t1:
            self._another(steps)
            steps += 1
        return self._at(t)

    def _until(self, event_fn):
        if event_fn(self.t1, self.y1) == 0:
            return self.t1, self.y1
        steps, sign = 0, torch.sign(event_fn(self.t1, self.y1))
        while sign == torch.sign(event_fn(self.t1, self.y1)):
            self._another(steps)
            steps += 1
        return found(self._at, sign, self.t0, self.t1, event_fn, self.atol)

    def _another(self, steps):
        assert steps < self.max_num_steps, f"max_num_steps exceeded ({steps}>={self.max_num_steps})"
        y0, f0, t0, dt = self.y1, self.f1, self.t1, self.dt
        if not torch.isfinite(dt):
            dt = self.min_step
        dt = dt.clamp(self.min_step, self.max_step)
        self.func.callback_step(t0, y0, dt)
        t1 = t0 + dt
        assert t1 > t0, f"underflow in dt {dt.item()}"
        assert torch.isfinite(y0).all(), f"non-finite values in state `y`: {y0}"
        on_step = on_jump = False
        if len(self.step_t):
            mark = self.step_t[self.next_step]
            on_step = bool(t0 < mark < t0 + dt)
            if on_step:
                t1, dt = mark, mark - t0
        if len(self.jump_t):
            mark = self.jump_t[self.next_jump]
            on_jump = bool(t0 < mark < t0 + dt)
            if on_jump:
                on_step, t1, dt = False, mark, mark - t0
        y1, f1, error, stages = self._stages(y0, f0, t0, dt, t1)
        ratio = off_by(error, self.rtol, self.atol, y0, y1, self.norm)
        accepted = ratio <= 1
        if dt > self.max_step:
            accepted = False
        if dt <= self.min_step:
            accepted = True
        if accepted:
            self.func.callback_accept_step(t0, y0, dt)
            self.curve = self._fit(y0, y1, stages, dt)
            if on_step and self.next_step != len(self.step_t) - 1:
                self.next_step += 1
            if on_jump:
                if self.next_jump != len(self.jump_t) - 1:
                    self.next_jump += 1
                f1 = self.func(t1, y1, 1)
            self.y1, self.f1, self.t0, self.t1 = y1, f1, t0, t1
        else:
            self.func.callback_reject_step(t0, y0, dt)
            self.y1, self.f1, self.t0, self.t1 = y0, f0, t0, t0
        self.dt = self._next(dt, ratio).clamp(self.min_step, self.max_step)

    def _stages(self, y0, f0, t0, dt, t1):
        dtype = y0.abs().dtype
        t0, dt, t1 = t0.to(dtype), dt.to(dtype), t1.to(dtype)
        known = [f0]
        for alpha, beta in zip(self.alpha, self.beta):
            y = y0 + torch.sum(torch.stack(known, dim=-1) * (beta * dt), dim=-1).view_as(f0)
            # the end is asked from before: the function may jump there
            known.append(self.func(t1, y, -1) if alpha == 1.0 else self.func(t0 + alpha * dt, y))
        stages = torch.stack(known, dim=-1)
        if not self.ends_with_solution:
            y = y0 + torch.sum(stages * (dt * self.solution), dim=-1).view_as(f0)
        return y, known[-1], torch.sum(stages * (dt * self.error), dim=-1), stages

    @torch.no_grad()
    def _next(self, dt, ratio):
        if ratio == 0:
            return dt * self.ifactor
        least = torch.ones((), dtype=dt.dtype) if ratio < 1 else self.dfactor
        exponent = torch.tensor(self.order, dtype=dt.dtype).reciprocal()
        return dt * torch.min(self.ifactor, torch.max(self.safety / ratio.type_as(dt) ** exponent, least))

    def _fit(self, y0, y1, stages, dt):
        """What a polynomial of the fourth degree has to be multiplied with, from the constant on."""
        dt = dt.type_as(y0)
        middle = y0 + torch.sum(stages * (dt * self.middle), dim=-1).view_as(y0)
        f0, f1 = stages[..., 0], stages[..., -1]
        a = 2 * dt * (f1 - f0) - 8 * (y1 + y0) + 16 * middle
        b = dt * (5 * f0 - 3 * f1) + 18 * y0 + 14 * y1 - 32 * middle
        c = dt * (f1 - 4 * f0) - 11 * y0 - 5 * y1 + 16 * middle
        return [y0, dt * f0, c, b, a]

    def _at(self, t):
        t0, t1, curve = self.t0, self.t1, self.curve
        assert (t0 <= t) & (t <= t1), f"invalid interpolation, fails `t0 <= t <= t1`: {t0}, {t}, {t1}"
        x = ((t - t0) / (t1 - t0)).to(curve[0].dtype)
        total, power = curve[0] + x * curve[1], x
        for each in curve[2:]:
            power = power * x
            total = total + power * each
        return total


class Dopri8(Adaptive):
    order, table = 8, PRINCE_DORMAND


class Dopri5(Adaptive):
    order, table = 5, DORMAND_PRINCE


class Bosh3(Adaptive):
    order, table = 3, BOGACKI_SHAMPINE


class Fehlberg2(Adaptive):
    order, table = 2, FEHLBERG


class AdaptiveHeun(Adaptive):
    order, table = 2, HEUN
