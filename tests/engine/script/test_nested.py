"""Containers that hold themselves many times over: wherever the host would compare, hash, show or convert them, the
script ends in a limit (or an ordinary error) at once."""

from __future__ import annotations

import time

import pytest

from engine.script.interpreter import Interpreter
from engine.script.limits import Limits
from engine.script.reading.source import read_script

MAKE = {
    "list": "a, b = [1.0], [1.0]\nfor i in range(60): a, b = [a, a], [b, b]\n",
    "tuple": "a, b = (1.0,), (1.0,)\nfor i in range(60): a, b = (a, a), (b, b)\n",
    "dict": "a, b = {}, {}\nfor i in range(60): a, b = {1: a, 2: a}, {1: b, 2: b}\n",
    "named": "from collections import namedtuple\nP = namedtuple('P', 'x y')\na = b = P(0, 0)\n"
    "for i in range(60): a, b = P(a, a), P(b, b)\n",
    "slice": "a, b = slice(0), slice(0)\nfor i in range(60): a, b = slice(a, a), slice(b, b)\n",
    "frozenset": "a = b = frozenset([0])\nfor i in range(60):\n"
    "    a, b = frozenset([(a, 1), (a, 2)]), frozenset([(b, 1), (b, 2)])\n",
    "own list": "class L(list):\n    def __len__(self): return 1\n    def __iter__(self): return iter(())\n"
    "a, b = L([1.0]), L([1.0])\nfor i in range(60): a, b = L((a, a)), L((b, b))\n",
    "own dict": "class D(dict): pass\na, b = D(), D()\nfor i in range(60): a, b = D({1: a, 2: a}), D({1: b, 2: b})\n",
    "wide": "a, b = [0] * 1000, [1] * 1000\nfor i in range(5): a, b = [a] * 1000, [b] * 1000\n",
}
USES = """\
a == b
a != b
a < b
[a] == [b]
b in [a]
b in {1: a}.values()
(1, b) in {1: a}.items()
{1: a}.items() == {1: b}.items()
{1: a} == {1: b}
hash(a)
{a: 1}
{a}
print(a)
repr(a)
str(a)
f"{a}"
"%s" % (a,)
"%r" % (a,)
"{}".format(a)
"{!r:>10}".format(a)
ascii(a)
sorted([a, b])
sorted([("k", a), ("k", b)])
max(a, b)
min([a, b])
[a].index(b)
[a].count(b)
[a].remove(b)
(a,).index(b)
import collections; collections.deque([a]).index(b)
import collections; collections.deque([a]) == collections.deque([b])
import collections; collections.Counter(x=a) == collections.Counter(x=b)
import collections; collections.OrderedDict(x=a) == collections.OrderedDict(x=b)
import json; json.dumps(a)
import heapq; heapq.heapify([a, b])
import bisect; bisect.bisect([a], b)
import copy; copy.deepcopy(a) == b
raise ValueError(a)
raise KeyError(a)
assert False, a
import sys; sys.exit(a)
import torch; torch.tensor(a)
import torch; torch.Tensor(a)
import torch; torch.zeros(a)
import torch; torch.zeros(3)[a]
import torch; torch.zeros(3)[0] = a
import torch; torch.zeros(3) == a
import torch; torch.zeros(3) + a
import torch; torch.zeros(3).reshape(a)
import torch; torch.stack(a)
import torch; torch.where(torch.ones(2) > 0, a, 1)
import torch; torch.zeros(2).new_tensor(a)
import torch; torch.optim.SGD(a, lr=0.1)
import torch; torch.utils.data.default_collate(a)
import numpy as np; np.array(a)
import numpy as np; np.zeros(3) + a
import numpy as np; a + np.zeros(3)
import numpy as np; np.zeros(3) * a
import numpy as np; np.zeros(3) ** a
import numpy as np; np.zeros(3) @ a
import numpy as np; np.zeros(3) % a
import numpy as np; np.zeros(3) & a
import numpy as np; np.zeros(3) < a
import numpy as np; np.zeros(3) == a
import numpy as np; a in np.zeros(3)
import numpy as np; np.zeros(3)[a]
import numpy as np; np.zeros(3).dot(a)
import numpy as np; np.linalg.inv(a)
import torch; torch.linalg.inv(a)
import numpy as np; np.vectorize(lambda x: x)(a)
import numpy as np; np.zeros(3).sum(a)
import functools; functools.lru_cache(len)(a)
dict(a=a).update(a)
import numpy as np; np.add(a, a)
import numpy as np; np.float64(a)
import numpy as np; np.random.choice(a)
import numpy as np; np.random.seed(a)
""".splitlines()
LIMITS = Limits(time=0.15, memory=512 << 20, string_chars=100_000)


@pytest.mark.parametrize(
    ("kind", "uses"), [("list", USES[::4]), *(pytest.param(kind, USES, marks=pytest.mark.slow) for kind in MAKE)]
)
def test_nothing_walks_through_it_without_end(kind: str, uses: list[str]) -> None:
    for use in uses:
        interpreter = Interpreter(read_script(f"{MAKE[kind]}{use}\n"), limits=LIMITS)
        begun = time.process_time()  # the work, however little of the processor there is
        interpreter.run()
        took = time.process_time() - begun
        assert took < 5, (use, took)


def test_what_is_shown_and_compared_here_is_what_cpython_shows_and_compares() -> None:
    source = """
from collections import deque, namedtuple, OrderedDict, Counter
P = namedtuple("P", "x y")
d = deque([1, [2]], maxlen=3)
print(P(1, "a"), [P(1, [2])], d, deque("ab"), slice(1, None), {1: 2}.keys(), {1: 2}.values(), {1: (2,)}.items())
print(repr(ValueError([1])), str(KeyError("k")), str(ValueError([1], 2)), repr(OSError(2, "x")), str(KeyError(("a",))))
print(P(1, 2) == (1, 2), (1, 2) == P(1, 2), [1, 2] == (1, 2), deque([1]) == [1])
print(OrderedDict(a=1, b=2) == OrderedDict(b=2, a=1), Counter("ab") == {"a": 1, "b": 1}, slice(1, 2) == slice(1, 2))
print({1: 2}.items() == {1: 2.0}.items(), (1, 2) in {1: 2}.items(), [1] in {1: [1]}.values(), float("nan") in [1.0])
print(P(1, 2) < (1, 3), [1, [2]] < [1, [3]], [[1]] != [[1]], 5 in (1, 5), "a" in {"a": 1}, [1] in [[1]], {} == {1: 1})
"""
    from tests.engine.script.compare import in_cpython, in_interpreter

    assert in_interpreter(source) == in_cpython(source)


@pytest.mark.parametrize("drawn", ["random.sample([a] * 10, 3)", "random.choice([a, a])", "random.shuffle([a, b])"])
def test_what_draws_from_many_items_looks_into_none(drawn: str) -> None:
    interpreter = Interpreter(read_script(f"import random\n{MAKE['list']}found = {drawn}\n"), limits=LIMITS)
    assert interpreter.run() is None
