# type: ignore
"""The numbers of the methods, as their authors published them."""

from fractions import Fraction
from functools import cache


def _read(text):
    """Numbers in a text: fractions are divided, as floats are."""
    return [int(top) / int(bottom or 1) for top, _, bottom in (each.partition("/") for each in text.split())]


def _pair(alpha, beta, solution, other, middle):
    """Where stages are asked, what of them each takes, what the step takes, how that differs from the other method,
    and what the state in the middle of a step takes. The last three have a number for every stage."""
    solution, other = _read(solution), _read(other)
    return _read(alpha), [_read(row) for row in beta], solution, [a - b for a, b in zip(solution, other)], middle


DORMAND_PRINCE = _pair(
    "1/5 3/10 4/5 8/9 1 1",
    [
        "1/5",
        "3/40 9/40",
        "44/45 -56/15 32/9",
        "19372/6561 -25360/2187 64448/6561 -212/729",
        "9017/3168 -355/33 46732/5247 49/176 -5103/18656",
        "35/384 0 500/1113 125/192 -2187/6784 11/84",
    ],
    "35/384 0 500/1113 125/192 -2187/6784 11/84 0",
    "1951/21600 0 22642/50085 451/720 -12231/42400 649/6300 1/60",
    # Shampine's
    [
        each / 2
        for each in _read(
            "6025192743/30085553152 0 51252292925/65400821598 -2691868925/45128329728 187940372067/1594534317056"
            " -1776094331/19743644256 11237099/235043384"
        )
    ],
)
BOGACKI_SHAMPINE = _pair(
    "1/2 3/4 1", ["1/2", "0 3/4", "2/9 1/3 4/9"], "2/9 1/3 4/9 0", "7/24 1/4 1/3 1/8", [0.0, 0.5, 0.0, 0.0]
)
FEHLBERG = _pair("1/2 1", ["1/2", "1/256 255/256"], "1/512 255/256 1/512", "1/256 255/256 0", [0.0, 0.5, 0.0])
HEUN = _pair("1", ["1"], "1/2 1/2", "0 1", [0.5, 0.0])
_EIGHTH = (
    "14005451/335480064 0 0 0 0 -59238493/1068277825 181606767/758867731 561292985/797845732 -1041891430/1371343529"
    " 760417239/1151165299 118820643/751138087 -528747749/2220607170 1/4"
)
PRINCE_DORMAND = _pair(
    "1/18 1/12 1/8 5/16 3/8 59/400 93/200 5490023248/9719169821 13/20 1201146811/1299019798 1 1 1",
    [
        "1/18",
        "1/48 1/16",
        "1/32 0 3/32",
        "5/16 0 -75/64 75/64",
        "3/80 0 0 3/16 3/20",
        "29443841/614563906 0 0 77736538/692538347 -28693883/1125000000 23124283/1800000000",
        "16016141/946692911 0 0 61564180/158732637 22789713/633445777 545815736/2771057229 -180193667/1043307555",
        "39632708/573591083 0 0 -433636366/683701615 -421739975/2616292301 100302831/723423059 790204164/839813087"
        " 800635310/3783071287",
        "246121993/1340847787 0 0 -37695042795/15268766246 -309121744/1061227803 -12992083/490766935"
        " 6005943493/2108947869 393006217/1396673457 123872331/1001029789",
        "-1028468189/846180014 0 0 8478235783/508512852 1311729495/1432422823 -10304129995/1701304382"
        " -48777925059/3047939560 15336726248/1032824649 -45442868181/3398467696 3065993473/597172653",
        "185892177/718116043 0 0 -3185094517/667107341 -477755414/1098053517 -703635378/230739211"
        " 5731566787/1027545527 5232866602/850066563 -4093664535/808688257 3962137247/1805957418 65686358/487910083",
        "403863854/491063109 0 0 -5068492393/434740067 -411421997/543043805 652783627/914296604"
        " 11173962825/925320556 -13158990841/6184727034 3936647629/1978049680 -160528059/685178525"
        " 248638103/1413531060 0",
        _EIGHTH,
    ],
    f"{_EIGHTH} 0",
    "13451932/455176623 0 0 0 0 -808719846/976000145 1757004468/5645159321 656045339/265891186 -3867574721/1518517206"
    " 465885868/322736535 53011238/667516719 2/45 0 0",
    [
        0.04103130360739393,
        0.0,
        0.0,
        0.0,
        0.0,
        0.05100562801991382,
        0.2388930677412202,
        0.3096870143996103,
        -0.2172325471755352,
        0.07833405679331928,
        -0.0018614369715579948,
        0.007072844202678841,
        0.00690847373200576,
        -0.013838404349047373,
    ],
)


@cache
def adams(order):
    """What the derivatives at the latest `order` times, the latest first, are multiplied with: to go on from them
    (Bashforth), and, from the one at the end of the step on, to get there (Moulton). Tensors of float64."""
    import torch

    known, with_end = _through(range(order)), _through(range(-1, order))
    return tuple(torch.tensor([float(each) for each in row], dtype=torch.float64) for row in (known, with_end))


def _through(places):
    """For times at -places, the integral from 0 to 1 of the polynomial that is 1 at one of them and 0 at the others."""
    rows = []
    for place in places:
        polynomial = [Fraction(1)]
        for other in places:
            if other != place:
                shifted = [Fraction(0), *polynomial]
                raised = [each * other for each in polynomial] + [Fraction(0)]
                polynomial = [(a + b) / (other - place) for a, b in zip(shifted, raised)]
        rows.append(sum(each / (power + 1) for power, each in enumerate(polynomial)))
    return rows
