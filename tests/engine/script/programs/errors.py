# try in all its forms
def f(x):
    try:
        if x == 0: raise ValueError("v")
        if x == 1: raise KeyError("k")
        if x == 2: return "returned"
        if x == 3: [][1]
    except ValueError as e:
        print("value", e, e.args)
    except (KeyError, IndexError) as e:
        print("lookup", type(e).__name__, e, repr(e))
    else:
        print("else")
    finally:
        print("finally", x)
    return "end"
for i in range(5):
    print(f(i))
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise
except ArithmeticError as e:
    print("again", e)
try:
    raise ValueError
except ValueError as e:
    print(repr(e), str(e) == "")
try:
    int("x")
except:
    print("bare")
# ----
# the name of an except clause goes away
try:
    1 / 0
except ZeroDivisionError as e:
    pass
print(e)
# ----
# raise from, causes
try:
    try:
        {}["a"]
    except KeyError as e:
        raise RuntimeError("outer") from e
except RuntimeError as e:
    print(e, repr(e.__cause__))
try:
    raise ValueError("x") from None
except ValueError as e:
    print(e.__cause__)
# ----
# own exceptions
class Mine(Exception):
    pass
class Rich(ValueError):
    def __init__(self, code, text="t"):
        super().__init__(text)
        self.code = code
    def __str__(self):
        return f"{self.code}: {super().__str__()}"
try:
    raise Mine("a", 1)
except Mine as e:
    print(e, e.args, repr(e))
try:
    raise Rich(7)
except ValueError as e:
    print(e, e.code, e.args, isinstance(e, Rich))
raise Rich(8, "end")
# ----
# raising something else
raise 5
# ----
# nothing to raise again
raise
# ----
# catching with something else
try:
    1 / 0
except 5:
    pass
# ----
# errors in finally and except
try:
    try:
        1 / 0
    finally:
        print("cleanup")
        [].pop()
except IndexError as e:
    print(e)
try:
    try:
        1 / 0
    except ZeroDivisionError:
        "a" + 1
except TypeError as e:
    print(e)
try:
    print("x")
finally:
    print("y")
def f():
    try:
        1 / 0
    finally:
        print("cleanup f")
f()
# ----
# bare raise in a function called from an except clause
def again():
    raise
try:
    try:
        1 / 0
    except ZeroDivisionError:
        again()
except ZeroDivisionError as e:
    print("ok", e)
# ----
# loop, try and else
for i in range(3):
    try:
        if i == 1:
            raise ValueError(i)
    except ValueError as e:
        print("e", e)
        continue
    else:
        print("fine", i)
    finally:
        print("f", i)
# ----
# messages: index
[1, 2][5]
# ----
# messages: key
{"a": 1}["b"]
# ----
# messages: attribute
"x".nothing
# ----
# messages: attribute of None
None.shape
# ----
# messages: type
1 + "a"
# ----
# messages: type the other way
"a" + 1
# ----
# messages: multiply
"a" * "b"
# ----
# messages: subscript
(5)[0]
# ----
# messages: item assignment
(1, 2)[0] = 5
# ----
# messages: len
len(5)
# ----
# messages: iteration
for x in 5:
    pass
# ----
# messages: comparison
1 < "a"
# ----
# messages: list comparison
[1] < ["a"]
# ----
# messages: unhashable
{[1]: 2}
# ----
# messages: unhashable in a set
{[1]}
# ----
# messages: int
int("12a")
# ----
# messages: float
float("abc")
# ----
# messages: zero
1 % 0
# ----
# messages: float zero
1.0 / 0
# ----
# messages: power
0 ** -1
# ----
# messages: not callable
"abc"()
# ----
# messages: remove
[1].remove(2)
# ----
# messages: index of list
[1].index(2)
# ----
# messages: pop empty
[].pop()
# ----
# messages: unary
-"a"
# ----
# messages: bad index type
[1][1.0]
# ----
# messages: str index
"abc"["a"]
# ----
# messages: join
", ".join([1, 2])
# ----
# messages: math domain
import math
math.sqrt(-1)
# ----
# messages: max of nothing
max([])
# ----
# messages: sum of strings
sum(["a"])
# ----
# messages: no module
import nonexistent_module
# ----
# messages: module attribute
import math
math.nothing
# ----
# messages: chr
chr(-1)
# ----
# messages: in
1 in 5
# ----
# messages: set attribute on int
(5).x = 1
# ----
# messages: builtin arguments
abs()
# ----
# messages: StopIteration
next(iter([]))
# ----
# an error on the second line of a call
def f(a, b): return a
f(1,
  2 / 0)
# ----
# an error in a multi-line expression
x = [1,
     2,
     3 + None]
# ----
# an error in a chain of methods
"abc".upper(
).lower().nope()
# ----
# error after output
print("before")
print(1, 1 / 0)
print("after")
# ----
# SystemExit
print("a")
raise SystemExit(3)
