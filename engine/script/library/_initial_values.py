# type: ignore
"""States that start somewhere and go where a derivative leads: pairs of Runge and Kutta's methods over NumPy."""

import warnings
from itertools import groupby

import numpy as np
from _roots import EPS, brentq
from torchdiffeq._tables import PRINCE_DORMAND

ENDED = {
    0: "The solver successfully reached the end of the integration interval.",
    1: "A termination event occurred.",
}
TOO_SMALL = "Required step size is less than spacing between numbers."


def _rows(text):
    """A table in a text: a row a line, whose fractions are divided as floats are."""
    return np.array(
        [
            [int(top) / int(bottom or 1) for top, _, bottom in (each.partition("/") for each in row.split())]
            for row in text.strip().split("\n")
        ]
    )


class Pair:
    """Stages at `at`, each from those before by `before`; a step takes `takes` of them, is off by `off` of them, and
    in it the state is a polynomial by `curve`. `order` is that of the method that tells the error."""

    def __init__(self, order, at, before, takes, off, curve):
        self.order, self.at, self.before, self.takes, self.off, self.curve = order, at, before, takes, off, curve


BOGACKI_SHAMPINE = Pair(
    2,
    _rows("0 1/2 3/4")[0],
    _rows("0 0 0\n1/2 0 0\n0 3/4 0"),
    _rows("2/9 1/3 4/9")[0],
    _rows("5/72 -1/12 -1/9 1/8")[0],
    _rows("1 -4/3 5/9\n0 1 -2/3\n0 4/3 -8/9\n0 -1 1"),
)
DORMAND_PRINCE = Pair(
    4,
    _rows("0 1/5 3/10 4/5 8/9 1")[0],
    _rows(
        "0 0 0 0 0\n1/5 0 0 0 0\n3/40 9/40 0 0 0\n44/45 -56/15 32/9 0 0\n"
        "19372/6561 -25360/2187 64448/6561 -212/729 0\n9017/3168 -355/33 46732/5247 49/176 -5103/18656"
    ),
    _rows("35/384 0 500/1113 125/192 -2187/6784 11/84")[0],
    _rows("-71/57600 0 71/16695 -71/1920 17253/339200 -22/525 1/40")[0],
    _rows(
        "1 -8048581381/2820520608 8663915743/2820520608 -12715105075/11282082432\n"
        "0 0 0 0\n"
        "0 131558114200/32700410799 -68118460800/10900136933 87487479700/32700410799\n"
        "0 -1754552775/470086768 14199869525/1410260304 -10690763975/1880347072\n"
        "0 127303824393/49829197408 -318862633887/49829197408 701980252875/199316789632\n"
        "0 -282668133/205662961 2019193451/616988883 -1453857185/822651844\n"
        "0 40617522/29380423 -110615467/29380423 69997945/29380423"
    ),
)
PAIRS = {"RK23": BOGACKI_SHAMPINE, "RK45": DORMAND_PRINCE}
ELSEWHERE = ("DOP853", "Radau", "BDF", "LSODA")


def _norm(x):
    return np.linalg.norm(x) / x.size**0.5


class Stepper:
    """Steps from t0 to `end`, each as long as the error of the last one allows."""

    def __init__(self, pair, fun, t0, y0, end, max_step=np.inf, rtol=1e-3, atol=1e-6, first_step=None, **more):
        if more:
            named = ", ".join(f"`{name}`" for name in more)
            warnings.warn(f"The following arguments have no effect for a chosen solver: {named}.")
        y0 = np.asarray(y0)
        dtype = complex if np.issubdtype(y0.dtype, np.complexfloating) else float
        y0 = y0.astype(dtype, copy=False)
        if y0.ndim != 1:
            raise ValueError("`y0` must be 1-dimensional.")
        if not np.isfinite(y0).all():
            raise ValueError("All components of the initial state `y0` must be finite.")
        if max_step <= 0:
            raise ValueError("`max_step` must be positive.")
        if np.any(np.asarray(rtol) < 100 * EPS):
            least = 100 * EPS
            warnings.warn(f"At least one element of `rtol` is too small. Setting `rtol = np.maximum(rtol, {least})`.")
            rtol = np.maximum(rtol, least)
        atol = np.asarray(atol)
        if atol.ndim > 0 and atol.shape != y0.shape:
            raise ValueError("`atol` has wrong shape.")
        if np.any(atol < 0):
            raise ValueError("`atol` must be positive.")
        self.pair, self.given, self.dtype, self.nfev = pair, fun, dtype, 0
        self.t, self.y, self.end, self.max_step, self.rtol, self.atol = t0, y0, end, max_step, rtol, atol
        self.direction = np.sign(end - t0) if end != t0 else 1
        self.t_old = self.y_old = None
        self.status = "running"
        self.f = self._fun(t0, y0)
        if first_step is None:
            self.wide = self._guess()
        elif first_step <= 0:
            raise ValueError("`first_step` must be positive.")
        elif first_step > np.abs(end - t0):
            raise ValueError("`first_step` exceeds bounds.")
        else:
            self.wide = first_step
        self.stages = np.empty((len(pair.at) + 1, y0.size), dtype=dtype)

    def _fun(self, t, y):
        self.nfev += 1
        return np.asarray(self.given(t, y), dtype=self.dtype)

    def _guess(self):
        """Hairer, Norsett and Wanner's ("Solving Ordinary Differential Equations I", II.4)."""
        whole = abs(self.end - self.t)
        if self.y.size == 0:
            return np.inf
        if whole == 0.0:
            return 0.0
        scale = self.atol + np.abs(self.y) * self.rtol
        d0, d1 = _norm(self.y / scale), _norm(self.f / scale)
        h0 = min(1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1, whole)
        y1 = self.y + h0 * self.direction * self.f
        d2 = _norm((self._fun(self.t + h0 * self.direction, y1) - self.f) / scale) / h0
        if d1 <= 1e-15 and d2 <= 1e-15:
            h1 = max(1e-6, h0 * 1e-3)
        else:
            h1 = (0.01 / max(d1, d2)) ** (1 / (self.pair.order + 1))
        return min(100 * h0, h1, whole, self.max_step)

    def step(self):
        """One step; what went wrong, or None."""
        t = self.t
        if self.y.size == 0 or t == self.end:
            self.t_old, self.t, self.status = t, self.end, "finished"
            return None
        least = 10 * np.abs(np.nextafter(t, self.direction * np.inf) - t)
        wide = self.max_step if self.wide > self.max_step else least if self.wide < least else self.wide
        power, rejected = -1 / (self.pair.order + 1), False
        while True:
            if wide < least:
                self.status = "failed"
                return TOO_SMALL
            there = t + wide * self.direction
            if self.direction * (there - self.end) > 0:
                there = self.end
            h = there - t
            wide = np.abs(h)
            y, f = self._tried(t, h)
            scale = self.atol + np.maximum(np.abs(self.y), np.abs(y)) * self.rtol
            off = _norm(np.dot(self.stages.T, self.pair.off) * h / scale)
            if off < 1:
                break
            wide *= max(0.2, 0.9 * off**power)
            rejected = True
        factor = 10 if off == 0 else min(10, 0.9 * off**power)
        self.wide = wide * (min(1, factor) if rejected else factor)
        self.t_old, self.y_old, self.t, self.y, self.f = t, self.y, there, y, f
        if self.direction * (there - self.end) >= 0:
            self.status = "finished"
        return None

    def _tried(self, t, h):
        stages, pair = self.stages, self.pair
        stages[0] = self.f
        for place in range(1, len(pair.at)):
            moved = np.dot(stages[:place].T, pair.before[place][:place]) * h
            stages[place] = self._fun(t + pair.at[place] * h, self.y + moved)
        y = self.y + h * np.dot(stages[:-1].T, pair.takes)
        stages[-1] = f = self._fun(t + h, y)
        return y, f

    def between(self):
        if self.y.size == 0 or self.t == self.t_old:
            return Between(self.t_old, self.t, self.y, None)
        return Between(self.t_old, self.t, self.y_old, self.stages.T.dot(self.pair.curve))


class Between:
    """The state in the step from t_old to t."""

    def __init__(self, t_old, t, y, curve):
        self.t_old, self.t, self.t_min, self.t_max = t_old, t, min(t, t_old), max(t, t_old)
        self._y, self._curve = y, curve

    def __call__(self, t):
        t = np.asarray(t)
        if t.ndim > 1:
            raise ValueError("`t` must be a float or a 1-D array.")
        if self._curve is None:
            return self._y if t.ndim == 0 else np.tile(self._y[:, None], (1, t.size))
        h, many = self.t - self.t_old, self._curve.shape[1]
        x = (t - self.t_old) / h
        powers = np.cumprod(np.tile(x, many)) if t.ndim == 0 else np.cumprod(np.tile(x, (many, 1)), axis=0)
        y = h * np.dot(self._curve, powers)
        y += self._y[:, None] if y.ndim == 2 else self._y
        return y


class OdeSolution:
    """The state at any time, from what is known of each step."""

    def __init__(self, ts, interpolants):
        self.ts, self.interpolants, self.n_segments = np.asarray(ts), interpolants, len(interpolants)
        self._up = self.ts[-1] >= self.ts[0]
        self._sorted = self.ts if self._up else self.ts[::-1]
        self.t_min, self.t_max = self._sorted[0], self._sorted[-1]

    def _segments(self, t):
        found = np.clip(
            np.searchsorted(self._sorted, t, side="left" if self._up else "right") - 1, 0, self.n_segments - 1
        )
        return found if self._up else self.n_segments - 1 - found

    def __call__(self, t):
        t = np.asarray(t)
        if t.ndim == 0:
            return self.interpolants[int(self._segments(t))](t)
        order = np.argsort(t)
        ordered, back, found, start = t[order], np.empty_like(order), [], 0
        back[order] = np.arange(order.shape[0])
        for segment, group in groupby(self._segments(ordered).tolist()):
            end = start + len(list(group))
            found.append(self.interpolants[segment](ordered[start:end]))
            start = end
        return np.hstack(found)[:, back]


class Events:
    """Functions of time and state that get zero."""

    def __init__(self, events, args, t0, y0):
        events = (events,) if callable(events) else events
        self.direction = np.array([getattr(each, "direction", 0) for each in events], dtype=float)
        self.most = np.empty(len(events))
        for place, event in enumerate(events):
            terminal = getattr(event, "terminal", None)
            if terminal is None or terminal == 0:
                self.most[place] = np.inf
            elif int(terminal) == terminal and terminal > 0:
                self.most[place] = terminal
            else:
                raise ValueError("The `terminal` attribute of each event must be a boolean or positive integer.")
        self.events = [lambda t, y, event=event: event(t, y, *args) for event in events]
        self.count = np.zeros(len(events))
        self.values = np.asarray([event(t0, y0) for event in self.events])
        self.times, self.states = [[] for _ in events], [[] for _ in events]

    def look(self, solver):
        """What happened in the last step; the time and state at which it ends everything, or None."""
        before, self.values = self.values, np.asarray([event(solver.t, solver.y) for event in self.events])
        up, down = (before <= 0) & (self.values >= 0), (before >= 0) & (self.values <= 0)
        wanted = self.direction
        hit = np.nonzero(up & (wanted > 0) | down & (wanted < 0) | (up | down) & (wanted == 0))[0]
        if hit.size == 0:
            return None
        state = solver.between()
        self.count[hit] += 1
        exact = {"xtol": 4 * EPS, "rtol": 4 * EPS}
        times = np.asarray(
            [
                brentq(lambda t, event=self.events[place]: event(t, state(t)), solver.t_old, solver.t, **exact)
                for place in hit
            ]
        )
        full = self.count[hit] >= self.most[hit]
        ends = bool(np.any(full))
        if ends:
            order = np.argsort(times if solver.t > solver.t_old else -times)
            hit, times = hit[order], times[order]
            last = np.nonzero(self.count[hit] >= self.most[hit])[0][0]
            hit, times = hit[: last + 1], times[: last + 1]
        for place, time in zip(hit, times):
            self.times[place].append(time)
            self.states[place].append(state(time))
        return (times[-1], state(times[-1])) if ends else None


def _asked_at(t_eval, t0, tf):
    if t_eval is None:
        return None
    t_eval = np.asarray(t_eval)
    if t_eval.ndim != 1:
        raise ValueError("`t_eval` must be 1-dimensional.")
    if np.any(t_eval < min(t0, tf)) or np.any(t_eval > max(t0, tf)):
        raise ValueError("Values in `t_eval` are not within `t_span`.")
    apart = np.diff(t_eval)
    if (tf > t0 and np.any(apart <= 0)) or (tf < t0 and np.any(apart >= 0)):
        raise ValueError("Values in `t_eval` are not properly sorted.")
    return t_eval


def solved(result, fun, t_span, y0, method, t_eval, dense_output, events, args, options):
    """What solve_ivp() answers, in a `result`."""
    if method in ELSEWHERE:
        raise NotImplementedError(f"solve_ivp(method='{method}') does not exist here: RK45 and RK23 do")
    if method not in PAIRS:
        raise ValueError(f"`method` must be one of {(*PAIRS, *ELSEWHERE)}")
    t0, tf = map(float, t_span)
    args = () if args is None else tuple(args)
    t_eval = _asked_at(t_eval, t0, tf)
    solver = Stepper(PAIRS[method], lambda t, y: fun(t, y, *args), t0, y0, tf, **options)
    happening = None if events is None else Events(events, args, t0, y0)
    times, states = ([t0], [y0]) if t_eval is None else ([], [])
    known, knots, done, status, message = [], [t0], 0, None, None
    while status is None:
        message = solver.step()
        if solver.status == "failed":
            status = -1
            break
        if solver.status == "finished":
            status = 0
        t, y = solver.t, solver.y
        state = solver.between() if dense_output else None
        end = None if happening is None else happening.look(solver)
        if end is not None:
            status, (t, y) = 1, end
        if dense_output and not (len(knots) > 1 and knots[-1] == t):
            known.append(state)
            knots.append(t)
        if t_eval is None:
            if not (dense_output and len(times) > 1 and times[-1] == t):
                times.append(t)
                states.append(y)
            continue
        passed = int(np.sum(t_eval <= t if solver.direction > 0 else t_eval >= t))
        if passed > done:
            times.append(t_eval[done:passed])
            states.append((solver.between() if state is None else state)(t_eval[done:passed]))
            done = passed
    if t_eval is None:
        times, states = np.array(times), np.vstack(states).T
    elif times:
        times, states = np.hstack(times), np.hstack(states)
    told = happening is not None
    return result(
        message=ENDED.get(status, message),
        success=status >= 0,
        status=status,
        t=times,
        y=states,
        sol=OdeSolution(knots, known) if dense_output else None,
        t_events=[np.asarray(each) for each in happening.times] if told else None,
        y_events=[np.asarray(each) for each in happening.states] if told else None,
        nfev=solver.nfev,
        njev=0,
        nlu=0,
    )


def _eighth():
    """Prince and Dormand's pair of orders eight and seven, which takes its last stage where a step ends."""
    at, before, takes, off, _ = PRINCE_DORMAND
    rows = np.zeros((len(at), len(at)))
    for place, row in enumerate(before[:-1]):
        rows[place + 1][: len(row)] = row
    return Pair(7, np.array([0.0, *at[:-1]]), rows, np.array(takes[:-1]), np.array(off), None)


def states_at(fun, y0, t, rtol, atol):
    """The states at the times `t`, each reached by steps of its own, a tenth as far off as is tolerated."""
    t = np.asarray(t, dtype=float)
    y = np.array(y0, dtype=float).reshape(-1)
    found, pair, wide = np.empty((len(t), y.size)), _eighth(), None
    found[0] = y
    for place in range(1, len(t)):
        if t[place] == t[place - 1]:
            found[place] = y
            continue
        first = None if wide is None else min(wide, abs(t[place] - t[place - 1]))
        solver = Stepper(pair, fun, t[place - 1], y, t[place], np.inf, rtol / 10, np.asarray(atol) / 10, first)
        while solver.status == "running":
            solver.step()
        if solver.status == "failed":
            return found, False
        y, wide = solver.y, solver.wide
        found[place] = y
    return found, True
