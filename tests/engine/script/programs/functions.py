# parameters of every kind
def f(a, b=2, *args, c, d=4, **kw):
    return a, b, args, c, d, kw
print(f(1, c=3))
print(f(1, 2, 3, 4, c=5, e=6))
print(f(*[1, 2], **{"c": 3, "z": 1}))
def g(a, b, /, c, *, d):
    return a + b + c + d
print(g(1, 2, 3, d=4), g(1, 2, c=3, d=4))
h = lambda x, y=2, *z, **k: (x, y, z, k)
print(h(1), h(1, 3, 4, k=5))
print((lambda: 5)())
def defaults(a, into=[]):
    into.append(a)
    return into
print(defaults(1), defaults(2))
# ----
# missing one argument
def f(a, b): pass
f(1)
# ----
# missing several
def f(a, b, c, d): pass
f(1)
# ----
# too many
def f(a, b=1): pass
f(1, 2, 3)
# ----
# too many for none
def f(): pass
f(1)
# ----
# unexpected keyword
def f(a): pass
f(1, b=2)
# ----
# twice
def f(a): pass
f(1, a=2)
# ----
# keyword-only missing
def f(*, a, b): pass
f()
# ----
# positional only by keyword
def f(a, /): pass
f(a=1)
# ----
# method with too many arguments
class A:
    def m(self): pass
A().m(1)
# ----
# duplicate keyword through **
def f(**k): return k
print(f(a=1, **{"b": 2}))
f(a=1, **{"a": 2})
# ----
# not a mapping after **
def f(**k): return k
f(**[1])
# ----
# not an iterable after *
def f(*k): return k
f(*5)
# ----
# calling what cannot be called
x = 5
x(1)
# ----
# None is not callable
def f(): pass
f()()
# ----
# closures, nonlocal, global
def counter():
    n = 0
    def up(by=1):
        nonlocal n
        n += by
        return n
    def look():
        return n
    return up, look
up, look = counter()
up(); up(5)
print(look())
count = 0
def inc():
    global count, fresh
    count += 1
    fresh = "made"
inc(); inc()
print(count, fresh)
fs = [lambda: i for i in range(3)]
print([f() for f in fs])
gs = [lambda i=i: i for i in range(3)]
print([f() for f in gs])
def outer(x):
    def middle():
        def inner():
            return x
        return inner
    return middle()
print(outer(9)())
def shadow():
    print = 5
    return print
print(shadow())
# ----
# unbound local
x = 1
def f():
    print(x)
    x = 2
f()
# ----
# unbound free variable
def f():
    def g():
        return late
    g()
    late = 1
f()
# ----
# undefined name in a function
def f():
    return missing_name
f()
# ----
# recursion
def fact(n):
    return 1 if n < 2 else n * fact(n - 1)
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)
print(fact(20), fib(15))
def even(n): return n == 0 or odd(n - 1)
def odd(n): return n != 0 and even(n - 1)
print(even(100))
# ----
# decorators
def twice(f):
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs) * 2
    return wrapper
def add(n):
    def decorate(f):
        return lambda *a: f(*a) + n
    return decorate
@twice
@add(3)
def f(x):
    return x
print(f(4))
# ----
# functions as values
def f(x):
    "Doc."
    return x
print(f.__name__, f.__doc__, f.__qualname__, callable(f))
f.calls = 3
print(f.calls, hasattr(f, "calls"), hasattr(f, "other"))
print(list(map(f, [1, 2])), sorted([3, 1, 2], key=lambda v: -v), max("ab", "c", key=len))
print(list(filter(None, [0, 1, 2])), list(filter(lambda v: v > 1, [1, 2, 3])))
print(f.missing)
# ----
# generators
def count(n):
    for i in range(n):
        yield i
    return "done"
print(list(count(3)), sum(count(4)))
g = count(2)
print(next(g), next(g), next(g, "end"))
def echo():
    received = None
    while True:
        received = yield received
        if received is None:
            break
e = echo()
print(next(e), e.send(5), e.send("x"))
try:
    e.send(None)
except StopIteration as stop:
    print("stopped", stop.value)
def chained():
    result = yield from count(2)
    print("got", result)
    yield from [7, 8]
print(list(chained()))
def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
for v in fib():
    if v > 20:
        break
    print(v, end=" ")
print()
print(list(x * y for x in range(3) for y in range(3) if x != y))
def closing():
    try:
        yield 1
        yield 2
    finally:
        print("closed")
c = closing()
next(c)
c.close()
def throwing():
    while True:
        try:
            yield "value"
        except ValueError as e:
            print("inside", e)
t = throwing()
next(t)
print(t.throw(ValueError("thrown")))
next(count(0))
# ----
# a generator that fails
def g():
    yield 1
    raise KeyError("k")
for v in g():
    print(v)
# ----
# generator expression sees names late, first iterable early
n = 3
g = (n * i for i in [1, 2])
n = 5
print(list(g))
print(sum(v for v in range(10) if v % 2), any(v > 3 for v in [1, 5]), all(v for v in []))
# ----
# return in odd places
def f():
    for i in range(3):
        try:
            return i
        finally:
            print("fin", i)
def g():
    try:
        return 1
    finally:
        return 2
def h():
    while True:
        try:
            raise ValueError
        except ValueError:
            return "caught"
        finally:
            print("out")
def k():
    return
print(f(), g(), h(), k())
# ----
# comprehensions
print([x for x in range(5)], [x * y for x in range(3) for y in range(x)])
print({x % 3 for x in range(10)}, {x: x * x for x in range(4) if x != 2})
print([[j for j in range(i)] for i in range(4)])
print([(a, b) for a, b in [(1, 2), (3, 4)]], [y := 1, y + 1])
x = "outer"
[x for x in range(3)]
print(x)
def f(n):
    return [n + i for i in range(3) if i < n]
print(f(2))
print([last := i for i in range(3)], last)
class A:
    size = 3
    items = [i for i in range(size)]
print(A.items)
# ----
# error inside a comprehension
print([1 / x for x in (1, 0)])
# ----
# lambda error line
f = lambda v: v.nothing
print(1)
f(3)
# ----
# error deep inside calls
def a(x):
    return b(x)
def b(x):
    y = x + 1
    return c(y)
def c(x):
    return x + "s"
a(1)
# ----
# arguments are evaluated in order
def show(x):
    print("arg", x)
    return x
def f(*a, **k): return a, k
print(f(show(1), *[show(2)], k=show(3), **{"z": show(4)}))
print(show(1) + show(2) * show(3), [show(4), show(5)], {show(6): show(7)})
show(8) if show(0) else show(9)
a = [0, 0]
a[show(0)] = show(1)
