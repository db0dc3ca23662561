"""Coroutines and asynchronous generators: generators that are driven by whoever awaits them."""

from __future__ import annotations

from typing import Any

from engine.script.frames import Evaluate, Frame, ScriptGenerator, Where, current, located


class ScriptCoroutine(ScriptGenerator):
    """What a call of an `async def` gives. It is awaited, not looped over."""

    __slots__ = ()
    __iter__ = None  # type: ignore[assignment]

    def send(self, value: Any) -> Any:
        self._still()
        return super().send(value)

    def throw(self, error: Any, value: Any = None) -> Any:
        self._still()
        return super().throw(error, value)

    def _still(self) -> None:
        if self.frame is None:
            raise RuntimeError("cannot reuse already awaited coroutine")

    def __repr__(self) -> str:
        name = "closed" if self.frame is None else self.frame.code.qualname
        return f"<coroutine object {name} at {current.machine.address(self)}>"


ScriptCoroutine.__name__ = ScriptCoroutine.__qualname__ = "coroutine"


class Given:
    """What an asynchronous generator yields itself, told apart from what its awaits let through."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class ScriptAsyncGenerator(ScriptGenerator):
    """What a call of an `async def` with a yield gives."""

    __slots__ = ()
    __iter__ = None  # type: ignore[assignment]

    def __aiter__(self) -> ScriptAsyncGenerator:
        return self

    def __anext__(self) -> Step:
        return Step(self, "send", None)

    def asend(self, value: Any) -> Step:
        return Step(self, "send", value)

    def athrow(self, error: Any, value: Any = None) -> Step:
        return Step(self, "throw", (error, value))

    def aclose(self) -> Step:
        return Step(self, "close", None)

    def __repr__(self) -> str:
        name = "closed" if self.frame is None else self.frame.code.qualname
        return f"<async_generator object {name} at {current.machine.address(self)}>"


ScriptAsyncGenerator.__name__ = ScriptAsyncGenerator.__qualname__ = "async_generator"


class Step:
    """What asks an asynchronous generator for its next value (or ends it), to be awaited."""

    __slots__ = ("begun", "generator", "value", "way")

    def __init__(self, generator: ScriptAsyncGenerator, way: str, value: Any) -> None:
        self.generator, self.way, self.value = generator, way, value
        self.begun = False

    def __iter__(self) -> Step:
        return self

    def __await__(self) -> Step:
        return self

    def __next__(self) -> Any:
        return self.send(None)

    def send(self, value: Any) -> Any:
        """One turn. Raises StopIteration with the value that was asked for, StopAsyncIteration at the end."""
        first, self.begun = not self.begun, True
        if not first or self.way == "send":
            return self._turn(ScriptGenerator.send, self.value if first else value)
        if self.generator.frame is None or self.generator.frame.pc == 0:
            self.generator.frame = None
            if self.way == "close":
                raise StopIteration
        return self._turn(ScriptGenerator.throw, *((GeneratorExit(),) if self.way == "close" else self.value))

    def throw(self, error: Any, value: Any = None) -> Any:
        self.begun = True
        return self._turn(ScriptGenerator.throw, error, value)

    def close(self) -> None:
        self.generator.close()

    def _turn(self, do: Any, *values: Any) -> Any:
        ending = self.way == "close"
        try:
            result = do(self.generator, *values)
        except StopIteration:
            raise (StopIteration if ending else StopAsyncIteration) from None
        except (GeneratorExit, StopAsyncIteration):
            if ending:
                raise StopIteration from None
            raise
        if type(result) is not Given:
            return result
        if ending:
            raise RuntimeError("async generator ignored GeneratorExit")
        raise StopIteration(result.value)


Step.__name__ = Step.__qualname__ = "async_generator_asend"


def iterator_of_awaitable(value: Any) -> Any:
    """What `await value` goes through. Raises TypeError as Python words it."""
    if isinstance(value, ScriptCoroutine):
        value._still()
        return value
    if type(value) is Step:
        return value
    kind = type(value)
    if not any("__await__" in each.__dict__ for each in kind.__mro__):
        raise TypeError(f"object {kind.__name__} can't be used in 'await' expression")
    iterator = kind.__await__(value)
    if not hasattr(type(iterator), "__next__"):
        raise TypeError(f"__await__() returned non-iterator of type '{type(iterator).__name__}'")
    return iterator


def awaits(value: Evaluate, where: Where) -> Evaluate:
    """The closure that gives what an `await` goes through."""

    def start(frame: Frame) -> Any:
        awaited = value(frame)
        try:
            return iterator_of_awaitable(awaited)
        except BaseException as error:
            located(error, where)
            raise

    return start


def _method(value: Any, name: str, protocol: str) -> Any:
    found = getattr(type(value), name, None)
    if found is None:
        raise TypeError(protocol.format(type(value).__name__, name))
    return found(value) if name != "__aexit__" else found


def aiter_of(value: Any) -> Any:
    """`value.__aiter__()`, for `async for`."""
    made = _method(value, "__aiter__", "'async for' requires an object with {1} method, got {0}")
    if not hasattr(type(made), "__anext__"):
        raise TypeError(
            f"'async for' received an object from __aiter__ that does not implement __anext__: {type(made).__name__}"
        )
    return made


def anext_of(iterator: Any) -> Any:
    """`iterator.__anext__()`, to be awaited."""
    return _method(iterator, "__anext__", "'{0}' object is not an async iterator")


PROTOCOL = "'{0}' object does not support the asynchronous context manager protocol"


def aenter_of(manager: Any) -> Any:
    """`manager.__aenter__()`, to be awaited."""
    if not hasattr(type(manager), "__aexit__") and hasattr(type(manager), "__aenter__"):
        raise TypeError(f"{PROTOCOL.format(type(manager).__name__)} (missed __aexit__ method)")
    return _method(manager, "__aenter__", PROTOCOL)


def aexit_of(manager: Any, error: BaseException | None) -> Any:
    """`manager.__aexit__(...)`, to be awaited."""
    from engine.script.executing.chained import Trace

    leave = _method(manager, "__aexit__", PROTOCOL)
    return leave(manager, None, None, None) if error is None else leave(manager, type(error), error, Trace(error))
