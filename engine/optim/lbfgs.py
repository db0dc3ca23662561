"""L-BFGS (Nocedal & Wright, chapter 7), with the strong Wolfe line search of Schmidt's minFunc."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import observe
from engine.autograd import grad_mode
from engine.ops.dispatch import wrap
from engine.optim.line_search import strong_wolfe
from engine.optim.optimizer import Optimizer
from engine.optim.shared import settings

Array = np.ndarray[Any, Any]


class LBFGS(Optimizer):
    """A quasi-Newton method: up to `max_iter` moves per step(), each along a direction that the last `history_size`
    changes of position and gradient suggest. `closure` clears the gradients, computes the loss, calls backward and
    returns the loss. One param group only."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        if max_eval is None:
            max_eval = max_iter * 5 // 4
        super().__init__(
            params,
            settings(locals(), "lr max_iter max_eval tolerance_grad tolerance_change history_size line_search_fn"),
        )
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params = self.param_groups[0]["params"]

    # -- all parameters as one vector --------------------------------------------------------------------------------

    def _gradient(self) -> Array:
        parts = [
            (np.zeros_like(p._array) if p._grad is None else p._grad._array).reshape(-1).astype(p._array.dtype)
            for p in self._params
        ]
        return np.concatenate(parts)

    def _move(self, size: Any, direction: Array) -> None:
        at = 0
        for p in self._params:
            n = p._array.size
            p._array += (direction[at : at + n] * size).reshape(p._array.shape)
            p._changed()
            at += n

    def _place(self, values: list[Array]) -> None:
        for p, value in zip(self._params, values, strict=True):
            p._array[...] = value
            p._changed()

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """One round of moves. Returns the loss before the first."""
        if closure is None:
            raise TypeError("LBFGS.step() missing 1 required positional argument: 'closure'")
        given: tuple[Any, ...] = (self, closure)
        if self._opt_called is False:
            self._opt_called = True
        given, named = self._before_step(given)
        closure = named.get("closure", given[1] if len(given) > 1 else closure)
        watcher = observe.active
        group = self.param_groups[0]

        def evaluate() -> Any:
            with grad_mode.enable_grad():
                return closure()

        if watcher is not None:
            for p in self._params:
                watcher.will_update(self, p, group)
        mode = grad_mode.enabled
        grad_mode.enabled = False
        try:
            loss = self._round(evaluate, group)
        finally:
            grad_mode.enabled = mode
        if watcher is not None:
            for p in self._params:
                watcher.updated(self, p, group)
        for hook in list(self._post_hooks):
            hook(self, given, named)
        return loss

    def _round(self, evaluate: Callable[[], Any], group: dict[str, Any]) -> Any:
        lr = float(group["lr"]) if hasattr(group["lr"], "_array") else group["lr"]
        change, tolerance = group["tolerance_change"], group["tolerance_grad"]
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first_loss = evaluate()
        loss, evaluations = float(first_loss), 1
        state["func_evals"] += 1
        g = self._gradient()
        if np.abs(g).max() <= tolerance:
            return first_loss

        memory = _Memory(state, group["history_size"])
        d, t = memory.direction, memory.size
        previous_loss = state.get("prev_loss")
        n = 0
        while n < group["max_iter"]:
            n += 1
            state["n_iter"] += 1
            d = memory.first(g) if state["n_iter"] == 1 else memory.next(g, d, t)
            memory.previous = g.copy()
            previous_loss = loss
            t = lr
            if state["n_iter"] == 1:
                total = np.abs(g).sum()
                t = 1 / total * lr if 1 / total < 1.0 else 1.0 * lr
            slope = np.dot(g, d)
            if slope > -change:
                break
            used = 0
            if group["line_search_fn"] is not None:
                if group["line_search_fn"] != "strong_wolfe":
                    raise RuntimeError("only 'strong_wolfe' is supported")
                loss, g, t, used = strong_wolfe(
                    self._along(evaluate, d), t, d, loss, g, slope, group["max_eval"] - evaluations
                )
                self._move(t, d)
                flat = bool(np.abs(g).max() <= tolerance)
            else:
                self._move(t, d)
                flat = False
                if n != group["max_iter"]:
                    loss = float(evaluate())
                    g = self._gradient()
                    flat = bool(np.abs(g).max() <= tolerance)
                    used = 1
            evaluations += used
            state["func_evals"] += used
            done = n == group["max_iter"] or evaluations >= group["max_eval"] or flat
            if done or np.abs(d * t).max() <= change or abs(loss - previous_loss) < change:
                break
        if t is lr:
            t = group["lr"]
        memory.keep(state, d, t, previous_loss)
        return first_loss

    def _along(self, evaluate: Callable[[], Any], direction: Array) -> Callable[[Any], tuple[float, Array]]:
        """The loss and gradient at a distance from here; the parameters come back to where they are now."""
        here = [p._array.copy() for p in self._params]

        def at(distance: Any) -> tuple[float, Array]:
            self._move(distance, direction)
            loss = float(evaluate())
            g = self._gradient()
            self._place(here)
            return loss, g

        return at


class _Memory:
    """The last changes of gradient and position, and the direction they suggest. Kept in the optimizer's state in
    PyTorch's shape."""

    def __init__(self, state: dict[str, Any], longest: int) -> None:
        def array(value: Any) -> Any:
            return value._array if hasattr(value, "_array") else value

        self.direction = array(state.get("d"))
        self.size = array(state.get("t"))
        self.changes = [array(each) for each in state.get("old_dirs") or ()]  # of the gradient
        self.moves = [array(each) for each in state.get("old_stps") or ()]
        self.ro = [array(each) for each in state.get("ro") or ()]
        self.scale = array(state.get("H_diag"))
        self.previous = array(state.get("prev_flat_grad"))
        self.longest = longest
        self.weights: list[Any] | None = state.get("al")

    def first(self, g: Array) -> Array:
        self.changes, self.moves, self.ro, self.scale = [], [], [], 1
        return -g

    def next(self, g: Array, d: Array, t: Any) -> Array:
        change = g - self.previous
        move = d * t
        product = np.dot(change, move)
        if product > 1e-10:
            if len(self.changes) == self.longest:
                for each in (self.changes, self.moves, self.ro):
                    each.pop(0)
            self.changes.append(change)
            self.moves.append(move)
            self.ro.append(np.asarray(1.0 / product, g.dtype))
            self.scale = np.asarray(product / np.dot(change, change), g.dtype)
        if self.weights is None:
            self.weights = [None] * self.longest
        al = self.weights
        q = -g
        for i in range(len(self.changes) - 1, -1, -1):
            al[i] = np.asarray(np.dot(self.moves[i], q) * self.ro[i], g.dtype)
            q = q - self.changes[i] * al[i]
        r = q * self.scale
        for i in range(len(self.changes)):
            beta = np.dot(self.changes[i], r) * self.ro[i]
            r = r + self.moves[i] * (al[i] - beta)
        return np.asarray(r, g.dtype)

    def keep(self, state: dict[str, Any], d: Any, t: Any, loss: Any) -> None:
        def tensor(value: Any) -> Any:
            return wrap(np.asarray(value)) if isinstance(value, (np.ndarray, np.generic)) else value

        if self.weights is not None:
            state["al"] = [tensor(each) for each in self.weights]
        state["d"], state["t"] = tensor(d), tensor(t)
        state["old_dirs"] = [tensor(each) for each in self.changes]
        state["old_stps"] = [tensor(each) for each in self.moves]
        state["ro"] = [tensor(each) for each in self.ro]
        state["H_diag"] = tensor(self.scale)
        state["prev_flat_grad"], state["prev_loss"] = tensor(self.previous), loss
