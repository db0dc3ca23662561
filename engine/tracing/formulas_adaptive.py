"""The lines of the optimizers beside SGD and Adam: their relatives, the adaptive ones, Rprop and ASGD."""

from __future__ import annotations

import math

from engine.tracing.wording import factor, number
from engine.tracing.working import Work, divided


def _root(value: float) -> float:
    return math.sqrt(value) if value >= 0 else math.nan


def nadam(work: Work) -> None:
    lr, eps = work.setting("lr"), work.setting("eps")
    beta1, beta2 = work.pair("betas", (0.9, 0.999))
    decay = work.setting("momentum_decay")
    w, g, text = work.decayed(bool(work.group.get("decoupled_weight_decay")))
    step = work.old("step") + 1
    mu, ahead = (beta1 * (1 - 0.5 * 0.96 ** (at * decay)) for at in (step, step + 1))
    work.add(
        "μ", f"β₁ × (1 − 0.5 × 0.96^(step × ψ)) = {number(beta1)} × (1 − 0.5 × {number(0.96 ** (step * decay))})", mu
    )
    product = work.old("mu_product", 1.0) * mu
    m = work.first_moment(g, text, beta1)
    v = work.second_moment(g, text, beta2)
    m_hat = work.add(
        "m̂",
        f"μ′ × m / (1 − Πμ × μ′) + (1 − μ) × {text} / (1 − Πμ) = {number(ahead)} × {factor(m)}"
        f" / (1 − {number(product * ahead)}) + (1 − {number(mu)}) × {factor(g)} / (1 − {number(product)})",
        divided(ahead * m, 1 - product * ahead) + divided((1 - mu) * g, 1 - product),
    )
    root = _root(work.corrected("v", v, "β₂", beta2, step))
    work.result(
        f"{work.w} − lr × m̂ / (√v̂ + eps) = {number(w)} − {number(lr)} × {factor(m_hat)}"
        f" / ({number(root)} + {number(eps)})"
    )


def radam(work: Work) -> None:
    lr, eps = work.setting("lr"), work.setting("eps")
    beta1, beta2 = work.pair("betas", (0.9, 0.999))
    w, g, text = work.decayed(bool(work.group.get("decoupled_weight_decay")))
    step = work.old("step") + 1
    m = work.first_moment(g, text, beta1)
    v = work.second_moment(g, text, beta2)
    m_hat = work.corrected("m", m, "β₁", beta1, step)
    longest = 2 / (1 - beta2) - 1
    length = work.add(
        "ρ",
        f"ρ∞ − 2 × step × β₂^step / (1 − β₂^step), with ρ∞ {number(longest)} and step {number(step)}",
        longest - 2 * step * beta2**step / (1 - beta2**step),
    )
    if length <= 5:
        work.result(f"{work.w} − lr × m̂ (ρ ≤ 5) = {number(w)} − {number(lr)} × {factor(m_hat)}")
        return
    r = work.add(
        "r",
        "√((ρ − 4) × (ρ − 2) × ρ∞ / ((ρ∞ − 4) × (ρ∞ − 2) × ρ))",
        math.sqrt((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)),
    )
    size = work.add(
        "l",
        f"√(1 − β₂^{number(step)}) / (√v + eps) = {number(math.sqrt(1 - beta2**step))}"
        f" / ({number(_root(v))} + {number(eps)})",
        divided(math.sqrt(1 - beta2**step), _root(v) + eps),
    )
    work.result(
        f"{work.w} − lr × m̂ × r × l = {number(w)} − {number(lr)} × {factor(m_hat)} × {number(r)} × {number(size)}"
    )


def adamax(work: Work) -> None:
    lr, eps = work.setting("lr"), work.setting("eps")
    beta1, beta2 = work.pair("betas", (0.9, 0.999))
    g, text = work.gradient(decay=True)
    step = work.old("step") + 1
    m = work.first_moment(g, text, beta1)
    old = work.old("exp_inf")
    u = work.add(
        "u",
        f"max(β₂ × u, |{text}| + eps) = max({number(beta2)} × {number(old)}, {number(abs(g))} + {number(eps)})",
        max(beta2 * old, abs(g) + eps),
    )
    work.result(
        f"{work.w} − lr / (1 − β₁^{number(step)}) × m / u = {number(work.before)} − {number(lr)}"
        f" / {number(1 - beta1**step)} × {factor(m)} / {number(u)}"
    )


def adagrad(work: Work) -> None:
    lr, eps, decay = work.setting("lr"), work.setting("eps"), work.setting("lr_decay")
    g, text = work.gradient(decay=True)
    before = work.old("step")
    rate, word = lr, "lr"
    if decay:
        rate, word = lr / (1 + before * decay), "rate"
        work.add(
            "rate",
            f"lr / (1 + {number(before)} × lr_decay) = {number(lr)} / (1 + {number(before)} × {number(decay)})",
            rate,
        )
    old = work.old("sum", work.setting("initial_accumulator_value"))
    total = work.add("sum", f"sum + {text}² = {number(old)} + {factor(g)}²", old + g * g)
    work.result(
        f"{work.w} − {word} × {text} / (√sum + eps) = {number(work.before)} − {number(rate)} × {factor(g)}"
        f" / ({number(_root(total))} + {number(eps)})"
    )


def adadelta(work: Work) -> None:
    lr, eps, rho = work.setting("lr"), work.setting("eps"), work.setting("rho")
    g, text = work.gradient(decay=True)
    old, moved = work.old("square_avg"), work.old("acc_delta")
    v = work.add(
        "v",
        f"ρ × v + (1 − ρ) × {text}² = {number(rho)} × {number(old)} + {number(1 - rho)} × {factor(g)}²",
        rho * old + (1 - rho) * g * g,
    )
    delta = work.add(
        "Δ",
        f"√(u + eps) / √(v + eps) × {text} = {number(_root(moved + eps))} / {number(_root(v + eps))} × {factor(g)}",
        divided(_root(moved + eps), _root(v + eps)) * g,
    )
    work.add(
        "u",
        f"ρ × u + (1 − ρ) × Δ² = {number(rho)} × {number(moved)} + {number(1 - rho)} × {factor(delta)}²",
        rho * moved + (1 - rho) * delta * delta,
    )
    work.result(f"{work.w} − lr × Δ = {number(work.before)} − {number(lr)} × {factor(delta)}")


def rmsprop(work: Work) -> None:
    lr, eps, alpha, momentum = (work.setting(name) for name in ("lr", "eps", "alpha", "momentum"))
    g, text = work.gradient(decay=True)
    old = work.old("square_avg")
    v = work.add(
        "v",
        f"α × v + (1 − α) × {text}² = {number(alpha)} × {number(old)} + {number(1 - alpha)} × {factor(g)}²",
        alpha * old + (1 - alpha) * g * g,
    )
    word = "√v"
    if work.group.get("centered"):
        mean = work.old("grad_avg")
        mean = work.add(
            "ḡ",
            f"α × ḡ + (1 − α) × {text} = {number(alpha)} × {factor(mean)} + {number(1 - alpha)} × {factor(g)}",
            alpha * mean + (1 - alpha) * g,
        )
        v = work.add("v̄", f"v − ḡ² = {number(v)} − {factor(mean)}²", v - mean * mean)
        word = "√v̄"
    size = f"({number(_root(v))} + {number(eps)})"
    if not momentum:
        work.result(
            f"{work.w} − lr × {text} / ({word} + eps) = {number(work.before)} − {number(lr)} × {factor(g)} / {size}"
        )
        return
    buffer = work.old("momentum_buffer")
    buffer = work.add(
        "buf",
        f"momentum × buf + {text} / ({word} + eps) = {number(momentum)} × {factor(buffer)} + {factor(g)} / {size}",
        momentum * buffer + divided(g, _root(v) + eps),
    )
    work.result(f"{work.w} − lr × buf = {number(work.before)} − {number(lr)} × {factor(buffer)}")


def rprop(work: Work) -> None:
    shrink, grow = work.pair("etas", (0.5, 1.2))
    smallest, largest = work.pair("step_sizes", (1e-6, 50))
    g, text = work.gradient(decay=False)
    previous, size = work.old("prev"), work.old("step_size", work.setting("lr"))
    agreement = work.add("s", f"{text} × the one before = {factor(g)} × {factor(previous)}", g * previous)
    word, by = ("η₊", grow) if agreement > 0 else ("η₋", shrink) if agreement < 0 else ("1", 1.0)
    size = work.add(
        "step_size",
        f"step_size × {word}, within its bounds = {number(size)} × {number(by)}",
        min(max(size * by, smallest), largest),
    )
    if agreement < 0:
        work.result(f"{work.w} (the sign has changed: it waits) = {number(work.before)}")
    else:
        sign = 1 if g > 0 else -1 if g < 0 else 0
        work.result(f"{work.w} − sign({text}) × step_size = {number(work.before)} − {factor(sign)} × {number(size)}")


def asgd(work: Work) -> None:
    lr, lambd = work.setting("lr"), work.setting("lambd")
    g, text = work.gradient(decay=True)
    rate, share = work.old("eta", lr), work.old("mu", 1.0)
    work.result(
        f"{work.w} × (1 − λ × η) − η × {text} = {number(work.before)} × (1 − {number(lambd)} × {number(rate)})"
        f" − {number(rate)} × {factor(g)}"
    )
    average = work.old("ax")
    if share == 1:
        work.add("ax", f"{work.w} (the average begins) = {number(work.after)}", work.after)
    else:
        work.add(
            "ax",
            f"ax + μ × ({work.w} − ax) = {number(average)} + {number(share)}"
            f" × ({number(work.after)} − {factor(average)})",
            average + share * (work.after - average),
        )
