"""Everything that a script can read, followed to the end: no host module, frame, code, namespace or file is among it.

From every builtin, every module and an instance of each kind of value, all names that Python knows of a value are read
through the one door (attributes.get), and what comes out is followed further."""

from __future__ import annotations

import builtins
import io
import os
import subprocess
import sys
import types

import pytest

import engine
from engine.script.executing.machine import Machine
from engine.script.frames import Code, Frame, ScriptFunction
from engine.script.interpreter import Interpreter
from engine.script.limits import Limits
from engine.script.modules import MODULES, module
from engine.script.reading.source import read_script
from engine.script.surface import ScriptModule, names
from engine.script.values import attributes
from engine.script.values.builtin import BUILTINS

FORBIDDEN = (
    types.ModuleType,
    types.CodeType,
    types.FrameType,
    types.TracebackType,
    types.MappingProxyType,
    types.CellType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    io.IOBase,
    Code,
    Frame,
    Machine,
    Interpreter,
)
NEVER = [
    open, eval, exec, compile, __import__, builtins.getattr, builtins.setattr, builtins.vars, builtins.globals,
    builtins.locals, builtins.input, builtins.breakpoint, os.system, os.popen, subprocess.Popen, subprocess.run,
    type.__subclasses__, object.__subclasses__, object.__reduce_ex__, object.__reduce__, object.__getattribute__,
    type.__getattribute__, sys.modules, builtins.__dict__, engine.__dict__,
]  # fmt: skip
HOMES = ("engine", "copy", "__main__", "collections", "numpy", "_strptime", "namedtuple_", "re._c", "json.d")
SECRETS = names(
    """
__globals__ __code__ __closure__ __builtins__ __dict__ __class__ __bases__ __base__ __mro__ __subclasses__ mro
__self__ __func__ __wrapped__ __module__ __init__ __new__ __getattribute__ __setattr__ __delattr__ __reduce__
__reduce_ex__ __getstate__ __setstate__ __init_subclass__ __subclasshook__ __sizeof__ __dir__ __loader__
__spec__ __file__ __path__ __annotations__ __defaults__ __kwdefaults__ __name__ __qualname__ __doc__
__traceback__ __context__ __cause__ __suppress_context__ __weakref__ __slots__ __call__ __get__ __set__
__iter__ __next__ __array_interface__ __array_struct__ __array__ __array_ufunc__ __array_function__
__members__ _member_map_ _member_type_ _new_member_ gi_frame gi_code gi_yieldfrom cr_frame ag_frame tb_frame
tb_next f_globals f_locals f_builtins f_back co_code _array _data grad_fn saved tag func args keywords frame
code globals outer locals slots stack machine machines _modules _parameters _buffers _forward_hooks ctypes
base data obj with_traceback add_note _settings _members _make _replace _fields _asdict _field_defaults
default_factory fget fset fdel function instance owner kind
"""
)
VALUES = """
class Own:
    x = 1
    def method(self): return self
    @property
    def prop(self): return 1
    @staticmethod
    def static(): return 1
    @classmethod
    def klass(cls): return cls
def function(a, b=2): return a
def generator(): yield 1
import torch, numpy, collections, enum, dataclasses, re, json, random, datetime, functools, itertools, types, pathlib
import argparse, contextlib, matplotlib.pyplot as plt, math, copy, time, tqdm, logging, operator, typing, warnings
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(1, 1)
    def forward(self, x): return self.layer(x)
class Colour(enum.Enum):
    RED = 1
class Mixed(str, enum.Enum):
    A = "a"
@dataclasses.dataclass
class Data:
    x: int = 1
class Problem(Exception): pass
Point = collections.namedtuple("Point", "x y")
net = Net()
w = torch.ones(1, requires_grad=True)
loss = (net(w) * 2).sum()
opt = torch.optim.Adam(net.parameters())
try:
    1 / 0
except Exception as e:
    error = e
try:
    None.nothing
except Exception as e:
    missing = e
values = [
    Own, Own(), Own().method, Own.method, Own.prop, Own.static, Own.klass, function, generator(), (i for i in []),
    lambda: 1, net, Net, net.forward, net.layer, w, loss, loss.grad_fn, opt, opt.state, opt.param_groups, error,
    missing, Problem("x"), Problem, Colour, Colour.RED, Mixed.A, Data, Data(), Point, Point(1, 2), 1, 1.5, True, None,
    "s", b"b",
    (1,), [1], {1: 2}, {1}, frozenset([1]), range(3), slice(1), {1: 2}.items(), {1: 2}.keys(), iter([1]), zip([1]),
    map(function, [1]), filter(None, [1]), enumerate([1]), reversed([1]), super(Net, net), print, len, int, type,
    object, NotImplemented, ..., numpy.ones(2), numpy.float64(1), numpy.dtype("f8"), numpy.random.default_rng(0),
    re.compile("a"), re.match("a", "a"), datetime.datetime.now(), datetime.timedelta(1), collections.Counter("a"),
    collections.deque(), collections.defaultdict(list), collections.OrderedDict(), functools.partial(function, 1),
    functools.lru_cache(function), itertools.chain([1]), itertools.count(), types.SimpleNamespace(a=1),
    pathlib.Path("a"), argparse.ArgumentParser(), contextlib.suppress(ValueError), plt.figure(), plt.gca(),
    torch.no_grad(), torch.device("cpu"), torch.float32, torch.Size([1]), torch.Generator(), torch.max(w, 0),
    torch.utils.data.TensorDataset(w), torch.utils.data.DataLoader([1]), iter(torch.utils.data.DataLoader([1])),
    torch.optim.lr_scheduler.StepLR(opt, 1), net.parameters(), net.named_parameters(), net.state_dict(),
    torch.autograd.Function, torch.finfo(torch.float32), tqdm.tqdm([1]), logging.getLogger("a"), random.random,
    property(function), staticmethod(function), classmethod(function), typing.List, time.gmtime(), NameError,
]
"""


def names_of(value: object) -> set[str]:
    found = set(SECRETS)
    for each in type(value).__mro__:
        found |= set(vars(each))
    if isinstance(value, type):
        for each in value.__mro__:
            found |= set(vars(each))
    if isinstance(value, ScriptModule):
        found |= set(value.public())
    return found


@pytest.mark.slow
def test_nothing_of_the_host_can_be_read() -> None:
    interpreter = Interpreter(read_script(VALUES), limits=Limits(time=3600.0))  # however busy the machine is
    assert interpreter.run() is None
    never = {id(each): each for each in NEVER}
    with interpreter.executing():
        pending: list[tuple[str, object]] = [(name, value) for name, value in BUILTINS.items()]
        pending += [(name, module(name)) for name in MODULES]
        pending += [(f"values[{i}]", value) for i, value in enumerate(interpreter.globals["values"])]
        seen: dict[int, object] = {}
        kinds: dict[tuple[type, str], int] = {}
        reads = 0
        while pending:
            path, value = pending.pop()
            if id(value) in seen:
                continue
            seen[id(value)] = value
            assert not isinstance(value, FORBIDDEN), path
            assert id(value) not in never, path
            if isinstance(value, types.FunctionType):
                assert value.__module__.startswith(HOMES), (path, value)
            if isinstance(value, (dict, list, tuple)) and path.count(".") < 4:
                items = value.values() if isinstance(value, dict) else value
                pending += [(f"{path}[...]", item) for item in list(items)[:50]]
            for name in names_of(value):
                key = (value if isinstance(value, (type, ScriptModule)) else type(value), name)
                kinds[key] = kinds.get(key, 0) + 1  # type: ignore[index]
                if kinds[key] > 2:  # type: ignore[index]
                    continue
                reads += 1
                try:
                    got = attributes.get(value, name)
                except Exception:
                    continue
                pending.append((f"{path}.{name}", got))
    assert reads > 10_000
    assert len(seen) > 1_000


@pytest.mark.parametrize("route", ["v.{0}", "getattr(v, '{0}')", "'{{0.{0}}}'.format(v)", "f'{{v.{0}}}'"])
def test_secret_names_of_every_value_by_every_route(route: str) -> None:
    """Where a secret name can be read, it is one that scripts may have; the others are AttributeErrors."""
    from engine.script.check import ALLOWED_DUNDERS

    secret = [name for name in SECRETS if name.startswith("__") and name not in ALLOWED_DUNDERS]
    secret = [name for name in secret if name not in ("__members__", "__call__", "__init__")]
    body = "".join(
        f"    try:\n        {route.format(name)}\n        leaks.append(('{name}', repr(v)[:60]))\n"
        "    except (AttributeError, TypeError):\n        refused += 1\n"
        for name in secret
    )
    source = VALUES + "leaks, refused = [], 0\nfor v in values:\n" + body
    interpreter = Interpreter(read_script(source), limits=Limits(time=3600.0))
    assert interpreter.run() is None
    assert interpreter.globals["leaks"] == []
    assert interpreter.globals["refused"] == len(secret) * len(interpreter.globals["values"])
    assert interpreter.globals["refused"] > 1_500


def test_functions_of_scripts_do_not_show_how_they_are_made() -> None:
    interpreter = Interpreter(read_script("def f(): pass\n"))
    assert interpreter.run() is None
    function = interpreter.globals["f"]
    assert isinstance(function, ScriptFunction)
    with interpreter.executing():
        for name in ("code", "globals", "outer", "defaults", "keyword_defaults"):
            with pytest.raises(AttributeError):
                attributes.get(function, name)
