# type: ignore
"""Areas under functions: Gauss and Kronrod's rules, in halves and halves of halves where they are not exact enough."""

import math

EPS, TINY = 2.220446049250313e-16, 2.2250738585072014e-308
# From the middle out. Kronrod's weights are for all nodes, Gauss's for every other one.
NODES_21 = [
        0.0, 0.14887433898163122, 0.2943928627014602, 0.4333953941292472, 0.5627571346686047, 0.6794095682990244,
        0.7808177265864169, 0.8650633666889845, 0.9301574913557082, 0.9739065285171717, 0.9956571630258081,
    ]  # fmt: skip
KRONROD_21 = [
        0.1494455540029169, 0.14773910490133849, 0.14277593857706009, 0.13470921731147334, 0.12349197626206584,
        0.10938715880229764, 0.0931254545836976, 0.07503967481091996, 0.054755896574351995, 0.032558162307964725,
        0.011694638867371874,
    ]  # fmt: skip
GAUSS_10 = [0.29552422471475287, 0.26926671930999635, 0.21908636251598204, 0.1494513491505806, 0.06667134430868814]
NODES_15 = [
        0.0, 0.20778495500789848, 0.4058451513773972, 0.5860872354676911, 0.7415311855993945, 0.8648644233597691,
        0.9491079123427585, 0.9914553711208126,
    ]  # fmt: skip
KRONROD_15 = [
        0.20948214108472782, 0.20443294007529889, 0.19035057806478542, 0.1690047266392679, 0.14065325971552592,
        0.10479001032225019, 0.06309209262997856, 0.022935322010529224,
    ]  # fmt: skip
GAUSS_7 = [0.4179591836734694, 0.3818300505051189, 0.27970539148927664, 0.1294849661688697]


def _rule(f, a, b, endless):
    """The area from a to b, how far off it may be, and the area of what is positive. Sums are in QUADPACK's order."""
    nodes, kronrod, gauss = (NODES_15, KRONROD_15, GAUSS_7) if endless else (NODES_21, KRONROD_21, GAUSS_10)
    center, half = 0.5 * (a + b), 0.5 * (b - a)
    middle = f(center)
    fine, coarse = kronrod[0] * middle, gauss[0] * middle if endless else 0.0
    size = abs(fine)
    pairs = [None] * len(nodes)
    inwards = range(len(nodes) - 1, 0, -1)
    for place in inwards if endless else [*inwards[1::2], *inwards[0::2]]:
        away, weight = half * nodes[place], kronrod[place]
        pairs[place] = one, other = f(center - away), f(center + away)
        fine += weight * (one + other)
        if place % 2 != endless:
            coarse += gauss[place // 2] * (one + other)
        size += weight * (abs(one) + abs(other))
    mean = fine * 0.5
    spread = kronrod[0] * abs(middle - mean)
    for place in inwards:
        spread += kronrod[place] * (abs(pairs[place][0] - mean) + abs(pairs[place][1] - mean))
    size, spread, off = size * half, spread * half, abs((fine - coarse) * half)
    if spread != 0 and off != 0:
        off = spread * min(1.0, (200 * off / spread) ** 1.5)
    if size > TINY / (50 * EPS):
        off = max(50 * EPS * size, off)
    return fine * half, off, size


def area(f, a, b, epsabs, epsrel, limit):
    """The area under f from a to b, either of which may be infinite, and how far off it may be."""
    if b < a:
        value, off = area(f, b, a, epsabs, epsrel, limit)
        return -value, off
    endless = math.isinf(a) or math.isinf(b)
    if endless:
        f, a, b = _squeezed(f, a, b), 0.0, 1.0
    value, off, size = _rule(f, a, b, endless)
    parts = [(off, a, b, value)]
    while off > max(epsabs, epsrel * abs(value)) and not off <= 100 * EPS * size and len(parts) < limit:
        parts.sort(key=lambda part: part[0])
        _, left, right, _ = parts.pop()
        middle = 0.5 * (left + right)
        for start, end in ((left, middle), (middle, right)):
            found, by, _ = _rule(f, start, end, endless)
            parts.append((by, start, end, found))
        value, off = sum(part[3] for part in parts), sum(part[0] for part in parts)
    return value, off


def _squeezed(f, a, b):
    """A function whose area from 0 to 1 is that of f over an endless way: x = a + (1 - t) / t."""
    if math.isinf(a) and math.isinf(b):
        return lambda t: (f((1 - t) / t) + f(-((1 - t) / t))) / t / t
    start, way = (b, -1) if math.isinf(a) else (a, 1)
    return lambda t: f(start + way * ((1 - t) / t)) / t / t
