# assignment in all its forms
a = b = 3
c, d = 1, 2
(e, [f, g]), h = (1, [2, 3]), 4
first, *rest = range(5)
*start, last = "abc"
x, *y, z = [1, 2]
print(a, b, c, d, e, f, g, h, first, rest, start, last, x, y, z)
n: int = 5
m: "str"
print(n)
i = 1
i += 2; i *= 3; i -= 1; i //= 2; i **= 2; i %= 7; i <<= 2; i |= 1; i ^= 3; i &= 14; i >>= 1
print(i)
v = [1, 2]
w = v
w += [3]
print(v, w is v)
q = {"k": [1]}
q["k"][0] += 5
q["k"] += (7,)
print(q)
if (k := len(v)) > 2:
    print("walrus", k)
print([p := 5, p + 1], p)
del a, q["k"]
print(q)
print(a)
# ----
# unpacking too many
a, b = 1, 2, 3
# ----
# unpacking too few
a, b, c = [1, 2]
# ----
# unpacking too few with star
a, *b, c, d = [1, 2]
# ----
# unpacking something that is not iterable
a, b = 5
# ----
# if, elif, else
for i in range(4):
    if i == 0:
        print("zero")
    elif i == 1:
        print("one")
    elif i == 2: print("two")
    else:
        print("many")
print("yes" if 1 < 2 else "no")
# ----
# loops with else, break, continue
for i in range(10):
    if i == 3:
        continue
    if i == 6:
        break
    print(i)
else:
    print("never")
for i in []:
    pass
else:
    print("else of empty", i)
n = 0
while n < 5:
    n += 1
    if n == 2:
        continue
    for j in "ab":
        if j == "b":
            break
        print(n, j)
else:
    print("while else", n)
while True:
    n -= 1
    if n < 0:
        break
else:
    print("not here")
for i, (a, b) in enumerate(zip([1, 2], "xy"), start=1):
    print(i, a, b)
for x[0] in []:
    pass
for d in {"a": 1, "b": 2}.items():
    print(d)
# ----
# changing a list while looping over it
items = [1, 2, 3]
for item in items:
    if item < 3:
        items.append(item + 10)
    if len(items) > 8:
        break
print(items)
# ----
# changing a dict while looping over it
d = {1: 2}
for k in d:
    d[k + 1] = 1
# ----
# nested loops and breaks out of try
for i in range(3):
    try:
        if i == 1:
            continue
        if i == 2:
            break
        print("body", i)
    finally:
        print("finally", i)
print("after", i)
# ----
# with statements
class Manager:
    def __init__(self, name, swallow=False):
        self.name = name
        self.swallow = swallow
    def __enter__(self):
        print("enter", self.name)
        return self.name.upper()
    def __exit__(self, kind, value, trace):
        print("exit", self.name, kind.__name__ if kind else None, value)
        return self.swallow
with Manager("a") as a, Manager("b") as b:
    print(a, b)
with Manager("s", True):
    raise ValueError("swallowed")
print("on")
for i in range(3):
    with Manager(str(i)):
        if i == 0:
            continue
        break
def f():
    with Manager("in f"):
        return "result"
print(f())
with (Manager("p"), Manager("q")):
    pass
with Manager("last"):
    1 / 0
# ----
# with something that is not a context manager
with 5:
    pass
# ----
# assert
assert 1 + 1 == 2
try:
    assert False, "message"
except AssertionError as e:
    print(repr(e))
assert [] == [1]
# ----
# del of what is not there
x = 1
del x
del x
# ----
# pass, ellipsis, doc
"""A docstring."""
pass
...
print(...)
# ----
# several statements on one line; line continuation
a = 1; b = 2; print(a + b)
c = (a +
     b)
d = a + \
    b
print(c, d)
total = sum([
    1,
    2,
    undefined,
])
# ----
# printing
print()
print(1, "a", None, True, [1, "b"], {"k": (1,)}, sep="|", end="!\n")
print("x", sep=None, end=None)
print("no newline", end="")
print()
print({1, 2, 3}, frozenset([1]), set(), range(3), b"ab", 1e100, float("nan"), -0.0, 1j)
print([[]], [()], {}, [None], "quote's", ["it's", 'say "hi"', "\n\t\\"])
print(type(1), type("a"), type([]), type(None), int, ValueError)
