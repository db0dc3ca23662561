"""The data of a suspended program: code, frames and the functions that scripts define. Everything here can be copied:
a frame is a position, variables and a few slots, never a host generator or a host stack."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from types import MethodType
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from engine.script.executing.machine import Machine

Evaluate = Callable[["Frame"], Any]
Run = Callable[["Frame"], int]

RETURN = -1
YIELD = -2


class Current:
    """The machine that executes now. One script executes at a time in a process."""

    __slots__ = ("machine",)
    machine: Machine


current = Current()


class Dropping:
    """What is done about a generator that nobody holds any longer (filled in by executing/dropping.py)."""

    __slots__ = ("drop",)

    def __init__(self) -> None:
        self.drop: Callable[[Machine, ScriptGenerator], None] = lambda machine, generator: None


dropping = Dropping()


@dataclass(frozen=True, slots=True)
class Where:
    """A place in the script; columns count from 1."""

    line: int
    column: int
    end_line: int
    end_column: int


NOWHERE = Where(0, 0, 0, 0)
"""Where code stands that is not the script's own (library/)."""


@dataclass(eq=False, slots=True)
class Block:
    """A piece of code that must be left in an orderly way. `slot` is where a frame keeps its iterator, context
    manager, exception or pending action. `target` is where control goes: the first except clause, or the finally."""

    kind: Literal["for", "with", "try", "handler", "finally"]
    slot: int
    target: int = -1
    after: int = -1
    name: str | None = None
    clauses: tuple[Evaluate | None, ...] = ()
    store: Callable[[Frame, Any], None] | None = None
    delete: Callable[[Frame], None] | None = None


@dataclass(eq=False, slots=True)
class Call:
    """A call that is a statement's whole value, so that a debugger can step into it: `prepare` gives the callable and
    its arguments, `finish` takes the result and gives the next position."""

    prepare: Callable[[Frame], tuple[Any, tuple[Any, ...], dict[str, Any]]]
    finish: Callable[[Frame, Any], int]


@dataclass(eq=False, slots=True)
class Part:
    """The expression with which a statement begins, taken apart so that a debugger can step into the calls inside of
    it: `make` gives the code that evaluates it call by call, `finish` takes its value and gives the next position. The
    statement is instruction `place`."""

    make: Callable[[], Code]
    finish: Callable[[Frame, Any], int]
    place: tuple[Code, int] | None = None
    code: Code | None = None

    def taken(self) -> Code:
        """The code, made when it is wanted first."""
        if self.code is None:
            self.code = self.make()
            self.code.part = self
        return self.code


@dataclass(eq=False, slots=True)
class Info:
    """What is known about one instruction. Instructions that are not `visible` belong to the statement before."""

    statement: ast.stmt
    where: Where
    visible: bool
    blocks: tuple[Block, ...]
    depth: int
    in_loop: bool
    call: Call | None = None
    part: Part | None = None
    value: Evaluate | None = None
    next: int = -1
    begin: Evaluate | None = None  # of a for loop: what gives its iterator
    delegates: bool = False  # a `yield from` that waits: what is thrown in goes to its iterator
    test: Where | None = None  # what an `if`, `while` or `assert` asks: nothing else in the instruction fails by itself

    @property
    def fails_at(self) -> Where:
        """Where an error arose that says nothing of it."""
        return self.test or self.where


class Thrown:
    """An error on its way into the iterator of a `yield from`."""

    __slots__ = ("error",)

    def __init__(self, error: BaseException) -> None:
        self.error = error


class Code:
    """A block of statements as a flat list of instructions. Shared by all frames and all copies; never changed."""

    __slots__ = (
        "doc",
        "entry",
        "expression",
        "fast",
        "faster",
        "first",
        "gives",
        "info",
        "is_generator",
        "keyword_only",
        "kwarg",
        "marks",
        "name",
        "part",
        "positional",
        "positional_only",
        "qualname",
        "run",
        "simple",
        "slots",
        "starts",
        "taken",
        "through",
        "vararg",
        "where",
    )

    def __init__(self, name: str, qualname: str) -> None:
        self.name = name
        self.qualname = qualname
        self.run: list[Run] = []
        self.info: list[Info] = []
        self.starts: dict[ast.stmt, int] = {}
        self.slots = 0
        self.is_generator = False
        self.gives: type[ScriptGenerator] = ScriptGenerator  # what a call of a generator gives
        self.positional: tuple[str, ...] = ()
        self.positional_only = 0
        self.keyword_only: tuple[str, ...] = ()
        self.vararg: str | None = None
        self.kwarg: str | None = None
        self.simple = True
        self.expression: Evaluate | None = None
        self.where: Where | None = None
        self.doc: str | None = None
        self.fast: list[Run] | None = None
        self.faster: Callable[[], list[Run]] | None = None
        self.taken: set[int] = set()
        self.marks: frozenset[int] = frozenset()  # the positions of lines at which somebody wants to stop
        self.part: Part | None = None  # what this is the code of, when it is a part of a statement
        self.through = False  # its frames are seen through: only what they call has statements of its own

    def quick(self) -> list[Run]:
        """The instructions for who does not stop between them: where something faster begins (native.py), that."""
        self.fast = self.run if self.faster is None else self.faster()
        if self.marks:
            self.fast = [self._marked(pc) if pc in self.marks else run for pc, run in enumerate(self.fast)]
        return self.fast

    def _marked(self, pc: int) -> Run:
        run, line = self.run[pc], self.info[pc].where.line

        def marked(frame: Frame) -> int:
            current.machine.pass_line(line)
            return run(frame)

        return marked

    def mark(self, lines: frozenset[int]) -> None:
        """Tell the machine when one of these lines runs without anybody stopping before it."""
        if (lines or self.marks) and not self.name.startswith("<"):
            marks = [pc for pc, info in enumerate(self.info) if info.visible and info.where.line in lines]
            if self.marks != frozenset(marks):
                self.marks, self.fast = frozenset(marks), None

    def take(self, statement: ast.stmt) -> None:
        """Somebody replaces the instructions of `statement`: they are executed one by one from now on."""
        self.taken.add(id(statement))
        self.fast = None

    @property
    def is_shipped(self) -> bool:
        """Whether this is code of library/, which is not shown."""
        return bool(self.info) and self.info[0].where is NOWHERE

    def __deepcopy__(self, memo: dict[int, Any]) -> Code:
        return self

    def __copy__(self) -> Code:
        return self


class Frame:
    """One activation of a block. `pc` is the instruction that runs now or next."""

    __slots__ = ("code", "globals", "locals", "made", "modes", "module", "outer", "pc", "result", "slots")

    def __init__(
        self, code: Code, variables: dict[str, Any], globals_: dict[str, Any], outer: tuple[dict[str, Any], ...]
    ) -> None:
        self.code = code
        self.locals = variables
        self.globals = globals_
        self.outer = outer
        self.pc = 0
        self.slots: list[Any] = [None] * code.slots
        self.result: Any = None
        self.module: Any = None  # the nn.Module whose forward this is, when a debugger stepped into it
        self.made: Any = None  # the object whose __init__ this is, when a debugger stepped into it
        self.modes: Any = None  # the grad modes around it (modes.py), where its function has any

    def variables(self) -> dict[str, Any]:
        """What locals() tells: the parameters in their order, whatever was given first, then the others."""
        code, found = self.code, self.locals
        names = (*code.positional, *code.keyword_only, *filter(None, (code.vararg, code.kwarg)))
        told = {name: found[name] for name in names if name in found}
        return told | {name: value for name, value in found.items() if not name.startswith(".")}


def given(stack: Sequence[Frame]) -> frozenset[str]:
    """The names that the call of the innermost frame was given, but for those that mean the same in the globals."""
    if not stack:
        return frozenset()
    frame = stack[-1]
    names = {
        name
        for each in stack
        if each.locals is frame.locals
        for name in (*each.code.positional, *each.code.keyword_only, *filter(None, [each.code.vararg, each.code.kwarg]))
    }
    return frozenset(name for name in names if frame.globals.get(name) is not frame.locals.get(name))


class ScriptFunction:
    """A function that the script defined; callable by the script and by the engine alike."""

    __slots__ = ("__dict__", "__weakref__", "code", "defaults", "globals", "keyword_defaults", "modes", "outer")

    def __init__(
        self,
        code: Code,
        globals_: dict[str, Any],
        outer: tuple[dict[str, Any], ...],
        defaults: tuple[Any, ...],
        keyword_defaults: dict[str, Any],
    ) -> None:
        self.code = code
        self.globals = globals_
        self.outer = outer
        self.defaults = defaults
        self.keyword_defaults = keyword_defaults
        self.modes: tuple[Any, ...] = ()  # the grad modes that decorators put around its calls, outermost first

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return current.machine.call_from_host(self, args, kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    @property
    def __name__(self) -> str:
        return self.__dict__.get("__name__", self.code.name)

    @__name__.setter
    def __name__(self, name: str) -> None:
        self.__dict__["__name__"] = name

    @property
    def __signature__(self) -> Any:
        """What inspect tells the engine of it."""
        from inspect import Parameter, Signature

        code = self.code
        defaults = dict(zip(reversed(code.positional), reversed(self.defaults), strict=False)) | self.keyword_defaults
        kinds: dict[str, Any] = dict.fromkeys(code.positional, Parameter.POSITIONAL_OR_KEYWORD)
        kinds |= dict.fromkeys(code.positional[: code.positional_only], Parameter.POSITIONAL_ONLY)
        kinds |= {code.vararg: Parameter.VAR_POSITIONAL} if code.vararg else {}
        kinds |= dict.fromkeys(code.keyword_only, Parameter.KEYWORD_ONLY)
        kinds |= {code.kwarg: Parameter.VAR_KEYWORD} if code.kwarg else {}
        return Signature([Parameter(n, kind, default=defaults.get(n, Parameter.empty)) for n, kind in kinds.items()])

    def __deepcopy__(self, memo: dict[Any, Any]) -> ScriptFunction:
        """A function is one thing, as in Python; only a copy of the whole state (memo["state"]) copies it."""
        if "state" not in memo:
            return self
        made = memo[id(self)] = ScriptFunction.__new__(ScriptFunction)
        made.code, made.modes = self.code, self.modes
        for name in ("globals", "outer", "defaults", "keyword_defaults"):
            setattr(made, name, deepcopy(getattr(self, name), memo))
        made.__dict__.update(deepcopy(self.__dict__, memo))
        return made

    def __repr__(self) -> str:
        return f"<function {self.shown_name} at {current.machine.address(self)}>"

    @property
    def shown_name(self) -> str:
        """Its __qualname__, which a script may set."""
        name = self.__dict__.get("__qualname__", self.code.qualname)
        return name if isinstance(name, str) else self.code.qualname


setattr(ScriptFunction, "__name__", "function")  # noqa: B010  (its instances have a property of that name)
ScriptFunction.__qualname__ = "function"


class ScriptGenerator:
    """A generator: a frame that is resumed whenever the next value is wanted."""

    __slots__ = ("__weakref__", "frame", "running")

    def __init__(self, frame: Frame) -> None:
        self.frame: Frame | None = frame
        self.running = False

    def __iter__(self) -> ScriptGenerator:
        return self

    def __next__(self) -> Any:
        return current.machine.resume(self, None, None)

    def send(self, value: Any) -> Any:
        if value is not None and self.frame is not None and self.frame.pc == 0:
            raise TypeError("can't send non-None value to a just-started generator")
        return current.machine.resume(self, value, None)

    def throw(self, error: Any, value: Any = None) -> Any:
        if isinstance(error, type) and issubclass(error, BaseException):
            from engine.script.executing.calls import invoke

            error = invoke(error, () if value is None else (value,))
        if not isinstance(error, BaseException):
            raise TypeError(
                f"exceptions must be classes or instances deriving from BaseException, not {type(error).__name__}"
            )
        return current.machine.resume(self, None, of_script(error))

    def close(self) -> None:
        if self.frame is None or self.frame.pc == 0:
            self.frame = None
            return
        try:
            current.machine.resume(self, None, GeneratorExit())
        except (GeneratorExit, StopIteration) as end:
            end.__traceback__ = None  # which would hold what the generator held
            return
        raise RuntimeError("generator ignored GeneratorExit")

    def __del__(self) -> None:
        frame = getattr(self, "frame", None)  # a copy may be half made
        if frame is not None and frame.pc > 0 and not self.running and hasattr(current, "machine"):
            dropping.drop(current.machine, self)

    def __repr__(self) -> str:
        name = "closed" if self.frame is None else self.frame.code.qualname
        return f"<generator object {name} at {current.machine.address(self)}>"


ScriptGenerator.__name__ = ScriptGenerator.__qualname__ = "generator"


def of_script(error: BaseException) -> BaseException:
    """`error`, which the script raises itself: whatever it says, nothing of the host is used up."""
    error.__dict__["_script_raised"] = True
    return error


def located(error: BaseException, where: Where) -> None:
    """Remember where in the script `error` came from; the innermost place wins."""
    try:
        if where is not NOWHERE and "_script_where" not in error.__dict__:
            error.__dict__["_script_where"] = where
    except AttributeError:
        pass
