# type: ignore
"""operator."""


def itemgetter(item, *items):
    if not items:
        return lambda value: value[item]
    return lambda value: tuple([value[each] for each in (item, *items)])


def _walk(value, path):
    for name in path.split("."):
        value = getattr(value, name)
    return value


def attrgetter(attribute, *attributes):
    if not attributes:
        return lambda value: _walk(value, attribute)
    return lambda value: tuple([_walk(value, each) for each in (attribute, *attributes)])


def methodcaller(name, /, *args, **keywords):
    return lambda value: getattr(value, name)(*args, **keywords)


def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


def truediv(a, b):
    return a / b


def floordiv(a, b):
    return a // b


def mod(a, b):
    return a % b


def pow(a, b):
    return a**b


def matmul(a, b):
    return a @ b


def neg(a):
    return -a


def pos(a):
    return +a


def inv(a):
    return ~a


def abs(a):
    return a if a >= 0 else -a


def lt(a, b):
    return a < b


def le(a, b):
    return a <= b


def gt(a, b):
    return a > b


def ge(a, b):
    return a >= b


def eq(a, b):
    return a == b


def ne(a, b):
    return a != b


def is_(a, b):
    return a is b


def is_not(a, b):
    return a is not b


def and_(a, b):
    return a & b


def or_(a, b):
    return a | b


def xor(a, b):
    return a ^ b


def not_(a):
    return not a


def truth(a):
    return bool(a)


def concat(a, b):
    return a + b


def contains(a, b):
    return b in a


def getitem(a, b):
    return a[b]


def setitem(a, b, c):
    a[b] = c


def delitem(a, b):
    del a[b]


def iadd(a, b):
    a += b
    return a


def index(a):
    return range(a).stop


def indexOf(a, b):
    for i, item in enumerate(a):
        if item is b or item == b:
            return i
    raise ValueError("sequence.index(x): x not in sequence")


def length_hint(obj, default=0):
    return len(obj) if hasattr(obj, "__len__") else default


def countOf(a, b):
    return sum([1 for item in a if item is b or item == b])


def lshift(a, b):
    return a << b


def rshift(a, b):
    return a >> b


def isub(a, b):
    a -= b
    return a


def imul(a, b):
    a *= b
    return a


def itruediv(a, b):
    a /= b
    return a


def ifloordiv(a, b):
    a //= b
    return a


def imod(a, b):
    a %= b
    return a


def ipow(a, b):
    a **= b
    return a


def iand(a, b):
    a &= b
    return a


def ior(a, b):
    a |= b
    return a


def ixor(a, b):
    a ^= b
    return a


def imatmul(a, b):
    a @= b
    return a


def ilshift(a, b):
    a <<= b
    return a


def irshift(a, b):
    a >>= b
    return a


def iconcat(a, b):
    a += b
    return a


def invert(a):
    return ~a
