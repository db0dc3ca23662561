# a class with most things
class Animal:
    """An animal."""
    kingdom = "animals"
    def __init__(self, name, legs=4):
        self.name = name
        self._legs = legs
        self.__secret = name[::-1]
    @property
    def legs(self):
        return self._legs
    @legs.setter
    def legs(self, value):
        if value < 0:
            raise ValueError("legs must not be negative")
        self._legs = value
    @staticmethod
    def noise():
        return "..."
    @classmethod
    def make(cls, name):
        return cls(name)
    def secret(self):
        return self.__secret
    def __repr__(self):
        return f"{self.__class__.__name__}({self.name!r})"
class Dog(Animal):
    def __init__(self, name):
        super().__init__(name)
        self.tricks = []
    def noise(self):
        return "wuff " + super().noise()
    def add(self, *tricks):
        self.tricks.extend(tricks)
        return self
d = Dog.make("rex")
print(d, d.legs, d.noise(), d.add("sit", "roll").tricks, d.kingdom, Dog.kingdom, Animal.noise())
d.legs = 3
print(d._legs, d.secret(), isinstance(d, Animal), issubclass(Dog, Animal), type(d).__name__, type(d) is Dog)
print(Animal.__doc__, Animal.__name__, d._Animal__secret, hasattr(d, "nope"), getattr(d, "nope", 7))
setattr(d, "age", 5)
print(d.age, vars(d)["age"])
del d.age
print(hasattr(d, "age"))
try:
    d.legs = -1
except ValueError as e:
    print(e)
d.age
# ----
# dunder methods
class V:
    def __init__(self, *v): self.v = list(v)
    def __add__(self, o): return V(*[a + b for a, b in zip(self.v, o.v)])
    def __radd__(self, o): return self if o == 0 else NotImplemented
    def __mul__(self, k): return V(*[a * k for a in self.v])
    __rmul__ = __mul__
    def __neg__(self): return V(*[-a for a in self.v])
    def __sub__(self, o): return self + -o
    def __matmul__(self, o): return sum(a * b for a, b in zip(self.v, o.v))
    def __eq__(self, o): return isinstance(o, V) and self.v == o.v
    def __lt__(self, o): return self.v < o.v
    def __len__(self): return len(self.v)
    def __getitem__(self, i): return self.v[i]
    def __setitem__(self, i, x): self.v[i] = x
    def __delitem__(self, i): del self.v[i]
    def __contains__(self, x): return x in self.v
    def __iter__(self): return iter(self.v)
    def __bool__(self): return any(self.v)
    def __call__(self, x): return x * 2
    def __repr__(self): return "V(" + ", ".join(map(str, self.v)) + ")"
    def __iadd__(self, o):
        self.v = [a + 1 for a in self.v]
        return self
    def __abs__(self): return sum(self.v)
    def __float__(self): return float(self.v[0])
    def __int__(self): return int(self.v[0])
    def __pow__(self, n): return V(*[a ** n for a in self.v])
    def __truediv__(self, n): return V(*[a / n for a in self.v])
    def __format__(self, spec): return f"<{spec}>"
    def __getattr__(self, name): return "got " + name
a, b = V(1, 2), V(3, 4)
print(a + b, a * 2, 2 * a, -a, a - b, a @ b, a == V(1, 2), a != b, a < b, len(a), a[0], a[-1], 2 in a, list(a))
print(sum([a, b]), bool(V(0)), a(4), [*a], abs(b), float(b), int(b), a ** 2, a / 2, f"{a:xy}", a.anything)
a[0] = 9
a += b
del a[1]
print(a, sorted([V(3), V(1)]), max(V(1), V(5)), a[0:1])
x, = a
print(x)
print(a + 1)
# ----
# iterators
class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n
print(list(Countdown(3)), [x for x in Countdown(2)], sum(Countdown(4)), dict(enumerate(Countdown(2))))
class Seq:
    def __getitem__(self, i):
        if i > 2: raise IndexError
        return i * 10
    def __len__(self): return 3
print(list(Seq()), 20 in Seq(), [v for v in reversed(Seq())])
class Gen:
    def __iter__(self):
        yield 1
        yield 2
print(list(Gen()), tuple(Gen()), max(Gen()))
# ----
# inheritance
class A:
    def __init__(self): print("A"); self.a = 1
    def who(self): return "A"
class B(A):
    def __init__(self): print("B"); super().__init__()
    def who(self): return "B" + super().who()
class C(A):
    def __init__(self): print("C"); super().__init__()
    def who(self): return "C" + super().who()
class D(B, C):
    def __init__(self): print("D"); super(D, self).__init__()
    def who(self): return "D" + super().who()
d = D()
print(d.who(), d.a, A.who(d), isinstance(d, (str, C)))
class E(A):
    def __init__(self):
        A.__init__(self)
        self.e = 2
print(E().e)
# ----
# class body is a scope of its own
x = "global"
class A:
    x = "class"
    y = x
    def m(self):
        return x
    for i in range(3):
        z = i
    if z:
        w = "w"
    del i
print(A.x, A.y, A().m(), A.z, A.w, hasattr(A, "i"))
def f():
    v = "enclosing"
    class L:
        u = v
        def m(self): return v
    return L
print(f().u, f()().m(), f().__qualname__)
# ----
# class attributes shared, instance attributes not
class A:
    shared = []
    n = 0
    def up(self):
        A.n += 1
        self.shared.append(self.n)
A().up(); A().up()
print(A.shared, A.n, A().shared is A.shared)
A.new = 5
print(A().new)
# ----
# default repr, str and comparison
class A: pass
a, b = A(), A()
print(a == a, a == b, a != b, repr(a)[:22], str(a)[:22])
class S:
    def __str__(self): return "str"
print(S(), [S()][0], f"{S()}", "%s" % S(), str(S()))
class R:
    def __repr__(self): return "repr"
print(R(), [R()], f"{R()!s}")
print({a: 1}[a], a in [a, b], len({a, b}))
# ----
# no such method
class A: pass
A().m()
# ----
# not callable with arguments
class A: pass
A(1)
# ----
# error in __init__
class A:
    def __init__(self, x):
        self.x = x.upper()
A(5)
# ----
# __init__ must return None
class A:
    def __init__(self):
        return 5
A()
# ----
# class attribute missing
class A: pass
A.x
# ----
# callable object, bound methods as values
class Adder:
    def __init__(self, n): self.n = n
    def __call__(self, x): return x + self.n
    def method(self, x): return x - self.n
a = Adder(3)
print(a(1), list(map(a, [1, 2])), a.method(10), list(map(a.method, [5])), callable(a))
f = a.method
print(f(4), f.__name__)
# ----
# name mangling
class A:
    __x = 1
    def get(self): return self.__x, A.__x
print(A().get(), A._A__x)
A().__x
# ----
# __new__ and singletons
class One:
    instance = None
    def __new__(cls):
        if cls.instance is None:
            cls.instance = super().__new__(cls)
        return cls.instance
print(One() is One())
# ----
# __setattr__ and __getattr__
class Log:
    def __init__(self):
        self.seen = []
    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        if name != "seen":
            self.seen.append(name)
    def __getattr__(self, name):
        if name.startswith("x"):
            return name * 2
        raise AttributeError(name)
l = Log()
l.a = 1
l.b = 2
print(l.seen, l.xy, l.a)
l.zz
# ----
# nested classes and class decorators
def register(c):
    c.registered = True
    return c
@register
class A:
    class B:
        v = 1
    def make(self): return self.B()
print(A.registered, A().make().v, A.B.__qualname__)
# ----
# abstract by raising
class Base:
    def run(self): raise NotImplementedError("write run")
    def go(self): return self.run()
class Child(Base): pass
Child().go()
