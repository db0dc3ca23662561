# strings
s = "Hello, World"
print(s.lower(), s.upper(), s[0], s[-1], s[1:5], s[::-1], len(s), "lo" in s, s.find("W"), s.replace("l", "L"))
print(s.split(", "), ",".join(["a", "b"]), " x ".strip(), "a-b-c".split("-", 1), s.startswith("He"), s.count("l"))
print("abc".center(9, "*"), "5".zfill(3), "a".ljust(3) + "|", "a".rjust(3), "A b".title(), "ab" * 3, "a" "b")
print("%d %s %5.2f %r %x %e %g %%" % (3, "s", 3.14159, "r", 255, 12345.678, 0.0001))
print("%s" % [1, 2], "%(a)s-%(b)03d" % {"a": 1, "b": 2}, "%-5s|%+d|% d" % ("a", 1, 2), "%c" % "x", "%5s" % "ab")
print("{} {}".format(1, 2), "{1} {0}".format("a", "b"), "{x:.2f} {y!r:>5}".format(x=1.5, y="s"))
print("{0[0]} {1[k]} {2.real}".format([1], {"k": 2}, 3), "{{}}".format(), "{:>{w}}".format("a", w=4))
print("{:,} {:08.3f} {:+} {:e} {:%} {:b} {:o} {:X} {:c}".format(1234567, 3.14159, 5, 12345.6, 0.5, 5, 8, 255, 65))
x, y, n = 3.14159, "text", 42
print(f"{x} {x:.2f} {x:8.3f}| {y!r} {y:>8}| {n:05d} {n:,} {n:b} {n:#x} {n + 1} {y.upper()} {{}} {n=} {x=:.1f}")
print(f"{x:{n // 10}.{1 + 1}f} {'nested ' + f'{n}'} {[i for i in range(3)]} {n if n else 0}", f"{n!s:>5}", f"{None}")
print("tab\tnew\\n", r"raw\n", """multi
line""", 'a' 'b', "\u00e9\N{BULLET}")
print("a,b,,c".split(","), "  a b ".split(), "x=1".partition("="), "abc".isalpha(), "12".isdigit(), "a\nb".splitlines())
print("abc" < "abd", "a" == 'a', "abc".index("c"), sorted("hello"), list("abc"), tuple("ab"), "abc".encode(), ord("a"))
print("é".encode("utf-8"), b"abc".decode(), "x".join("abc"), "Hi".swapcase(), "aXbX".rsplit("X", 1), "ab".translate({97: "z"}))
print(repr("it's"), str(5), ascii("é"), format(3.14159, ".3f"), format("a", ">4"), hex(255), bin(5), oct(8), "{:>10}".format("r"))
# ----
# not enough arguments for a format
"%d %d" % (1,)
# ----
# too many arguments for a format
"%d" % (1, 2)
# ----
# wrong type for a format
"%d" % "a"
# ----
# unknown format code
f"{'a':d}"
# ----
# replacement index
"{} {}".format(1)
# ----
# missing key in format
"{a}".format(b=1)
# ----
# numbers
print(7 // 2, -7 // 2, 7 % 3, -7 % 3, 7 / 2, 2 ** 10, 2 ** -1, 2 ** 0.5, 10 % 3.5, divmod(7, 2), abs(-3), round(2.5), round(3.14159, 2))
print(1e3, 1.0, 0.1 + 0.2, 1 / 3, 1e-5, 1e16, 123456789.123, float("inf"), -float("inf"), 5 // 0.3, 3 == 3.0, True + 1)
print(int(3.9), int("12"), int("ff", 16), float("1e3"), bool(0), bool("a"), complex(1, 2), 1_000_000, 0xff, 0b11, 0o17)
print(5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 4, 256 >> 2, not 0, 1 < 2 < 3, 1 < 3 < 2, 1 == 1 != 2, None is None, 3 is not None)
print(min(3, 1, 2), max([1, 5, 2]), sum([1, 2, 3]), sum([0.1] * 3), sum([[1], [2]], []), pow(2, 3), pow(2, 3, 5))
print((5).bit_length(), (2.5).is_integer(), (0.5).as_integer_ratio(), round(1234, -2), round(0.5), round(1.5), -(-3), +3)
print(1 and 2, 0 or "b", "" or None, not "", 0 and 1 / 0, 1 or 1 / 0, [] or {} or 0)
x = 5
print(x if x > 3 else 0, (x > 3) + 1, x.__class__.__name__, isinstance(True, int), 3.0 .real)
# ----
# lists
a = [3, 1, 2]
a.append(5); a.extend([7, 8]); a.insert(0, 0); a.remove(1)
print(a, a.pop(), a.pop(0), a.index(2), a.count(5), len(a), a[1:], a[-2:], a[::2], a[::-1], 5 in a)
a.sort(); print(a); a.sort(reverse=True); print(a); a.reverse(); print(a)
a[0] = 9; a[1:3] = [4, 4, 4]; del a[0]; print(a); a[::2] = [0, 0]; print(a)
b = a.copy(); b.clear(); print(a, b, a == [0, 4, 0, 5], [1, 2] < [1, 3], [1] + [2] * 3, [[0] * 2 for _ in range(2)])
print(list(range(0, 10, 3)), sorted(["b", "A", "c"], key=str.lower), list(reversed([1, 2])), [*range(3), *"ab"], list(enumerate("ab")))
print(list(zip([1, 2, 3], "ab")), [x for x in [1, 2]], any([0, 1]), all([1, 0]), [1, [2, [3]]], min([2, 1]), list(map(str, [1, 2])))
m = [[1, 2], [3, 4]]
print(list(zip(*m)), [sum(r) for r in m], [list(c) for c in zip(*m)], m[1][0])
l = [1]
l.append(l)
print(l)
# ----
# tuples and sets
t = (1, 2, 3)
print(t + (4,), t * 2, t[1:], (1,), (), tuple([1]), t.index(2), t.count(1), (1, 2) == (1, 2), hash((1, 2)) == hash((1, 2)))
s = {3, 1, 2}
s.add(5); s.discard(9); s.remove(1)
print(s, s | {7}, s & {2, 3}, s - {2}, s ^ {2, 9}, {1} <= {1, 2}, 2 in s, len(s), sorted(s), set("a"), s.issubset({2, 3, 5, 6}))
s |= {10}; s -= {2}; s.update([4], (6,))
print(s, s.union([0]), s.intersection([3]), s.difference([3]), s.copy() == s, set() == {1} - {1}, frozenset([1, 2]), {(1, 2), (3, 4)})
print(isinstance(s, set), type(s), min(s), sum(s), list({1, 2}), bool(set()), {1, 2} == {2, 1}, {1} == 1, s.isdisjoint({100}))
s.remove(99)
# ----
# dicts
d = {"a": 1, "b": 2}
d["c"] = 3
d.update(x=9, a=0); d.update({"y": 8}); d.update([("z", 7)])
print(d, d.get("a"), d.get("q"), d.get("q", 5), d.pop("x"), d.pop("n", None), "a" in d, len(d), list(d), list(d.values()), list(d.items()))
print(d.setdefault("s", []), d.setdefault("a", 4), d.keys(), d.values(), d.items(), dict(a=1), dict([(1, 2)]), dict(zip("ab", [1, 2])))
for k, v in d.items():
    print(k, v, end=";")
print()
del d["a"]
print({**d, "n": 1}, {k: v for k, v in d.items() if v}, d == dict(d), d.copy() is d, {1: 2} | {3: 4}, sorted(d), max(d), dict.fromkeys("ab", 0))
print({1: "a", 1.0: "b", True: "c"}, {(1, 2): 3}[1, 2], d.popitem(), {}.keys() == set(), list(reversed({"a": 1, "b": 2})))
print("a" in d.keys(), {"a": 1}.items() , dict(a=1) == {"a": 1}, {"n": {"m": {}}}, len({}), bool({}), {i: i for i in range(3)})
d.pop("missing")
# ----
# slices, ranges
r = range(10)
print(r[2], r[2:5], len(r), 3 in r, r[-1], list(r[::-3]), range(0, 10, 2), r == range(10), r.index(4), range(5, 0, -1)[1], sum(range(101)))
s = slice(1, 5, 2)
print(list(r)[s], s.start, "abcdef"[s], s, [1, 2, 3][slice(None)])
for i in range(10 ** 12):
    if i > 2: break
print(i, 10 ** 11 in range(10 ** 12), len(range(10 ** 12)), range(10 ** 12)[5], range(10 ** 12))
# ----
# copying, identity, equality
import copy
a = [[1], 2]
b = copy.copy(a); c = copy.deepcopy(a)
a[0].append(5)
print(b, c, a is not b, a == b, [1, 2] is [1, 2])
class P:
    def __init__(self): self.l = [1]
p = P(); q = copy.deepcopy(p); r = copy.copy(p)
p.l.append(2)
print(q.l, r.l, type(q) is P)
# ----
# builtin functions
print(isinstance(1, (int, str)), isinstance("a", str), type(3) == int, type("") is str, callable(len), id(1) == id(1))
print(list(iter([1])), next(iter("a")), repr("a"), bool([]), chr(97), sorted([2, 1], reverse=True), max("abc"), list(reversed("ab")))
print(getattr("a", "upper")(), hasattr([], "append"), hasattr([], "nope"), getattr(5, "zz", "default"), len("é"), round(-0.5), divmod(-7, 3))
print(max(1, 2, key=lambda v: -v), min([], default=3), sum(range(5), 10), list(filter(str.isdigit, "a1b2")), list(map(lambda a, b: a + b, [1], [2])))
print(str.upper("a"), list(map(str.strip, [" a "])), dict.get({1: 2}, 1), int.__name__, str, [int, float], type(print).__name__, print)
print(any(x > 2 for x in [1, 3]), all([]), abs(-2.5), enumerate, zip, type(x for x in []).__name__, sum([]), "".join(reversed("abc")))
print(globals()["__name__"], __name__, bytes([65, 66]), bytes(3), "abc".__len__() if False else len("abc"), slice(3))
if __name__ == "__main__":
    print("main")
# ----
# locals, vars
def f(a):
    b = 2
    return sorted(locals())
print(f(1))
# ----
# chained comparison evaluates once
def v():
    print("v")
    return 2
print(1 < v() < 3, 1 > v() > 0, 1 in [1] == True)
