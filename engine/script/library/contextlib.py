# type: ignore
"""contextlib."""

import functools
import sys as _sys


class GeneratorContext:
    def __init__(self, function, args, keywords):
        self.made = (function, args, keywords)
        self.generator = function(*args, **keywords)

    def __enter__(self):
        try:
            return next(self.generator)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, kind, value, trace):
        if kind is None:
            try:
                next(self.generator)
            except StopIteration:
                return False
            raise RuntimeError("generator didn't stop")
        try:
            self.generator.throw(value)
        except StopIteration as stop:
            return stop is not value
        except RuntimeError as error:
            if error is value or error.__cause__ is value:
                return False
            raise
        except BaseException as error:
            if error is value:
                return False
            raise
        raise RuntimeError("generator didn't stop after throw()")

    def __call__(self, function):
        make, args, keywords = self.made

        def inner(*own, **named):
            with GeneratorContext(make, args, keywords):
                return function(*own, **named)

        inner.__name__ = function.__name__
        inner.__doc__ = function.__doc__
        return inner


class ContextDecorator:
    def __call__(self, function):
        @functools.wraps(function)
        def inner(*args, **keywords):
            with self:
                return function(*args, **keywords)

        return inner


def contextmanager(function):
    def helper(*args, **keywords):
        return GeneratorContext(function, args, keywords)

    helper.__name__ = function.__name__
    helper.__doc__ = function.__doc__
    return helper


class AbstractContextManager:
    def __enter__(self):
        return self

    def __exit__(self, *details):
        return None


class suppress:
    def __init__(self, *exceptions):
        self.exceptions = exceptions

    def __enter__(self):
        return None

    def __exit__(self, kind, value, trace):
        return value is not None and isinstance(value, self.exceptions)


class nullcontext:
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *details):
        return None


class redirect_stdout:
    def __init__(self, new_target):
        self._new, self._old = new_target, []

    def __enter__(self):
        self._old.append(_sys.stdout)
        _sys.stdout = self._new
        return self._new

    def __exit__(self, *details):
        _sys.stdout = self._old.pop()


class redirect_stderr(redirect_stdout):
    def __enter__(self):
        self._old.append(_sys.stderr)
        _sys.stderr = self._new
        return self._new

    def __exit__(self, *details):
        _sys.stderr = self._old.pop()


class closing:
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *details):
        self.thing.close()


def _details(error):
    """What __exit__() is told."""
    return (None, None, None) if error is None else (type(error), error, error.__traceback__)


class ExitStack:
    def __init__(self):
        self.leaving = []

    def pop_all(self):
        made = type(self)()
        made.leaving, self.leaving = self.leaving, []
        return made

    def enter_context(self, manager):
        result = manager.__enter__()
        self.leaving.append(manager.__exit__)
        return result

    def push(self, leave):
        self.leaving.append(leave if not hasattr(leave, "__exit__") else leave.__exit__)
        return leave

    def callback(self, function, *args, **keywords):
        def leave(kind, value, trace):
            function(*args, **keywords)

        self.leaving.append(leave)
        return function

    def close(self):
        self.__exit__(None, None, None)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        raised = value
        while self.leaving:
            leave = self.leaving.pop()
            try:
                if leave(*_details(raised)):
                    raised = None
            except BaseException as error:
                raised = error
        if raised is not None and raised is not value:
            raise raised
        return value is not None and raised is None


class AbstractAsyncContextManager:
    async def __aenter__(self):
        return self

    async def __aexit__(self, *details):
        return None


class AsyncGeneratorContext:
    def __init__(self, function, args, keywords):
        self.generator = function(*args, **keywords)

    async def __aenter__(self):
        try:
            return await anext(self.generator)
        except StopAsyncIteration:
            raise RuntimeError("generator didn't yield") from None

    async def __aexit__(self, kind, value, trace):
        if kind is None:
            try:
                await anext(self.generator)
            except StopAsyncIteration:
                return False
            raise RuntimeError("generator didn't stop")
        try:
            await self.generator.athrow(value)
        except StopAsyncIteration as stop:
            return stop is not value
        except RuntimeError as error:
            if error is value or error.__cause__ is value:
                return False
            raise
        except BaseException as error:
            if error is value:
                return False
            raise
        raise RuntimeError("generator didn't stop after athrow()")


def asynccontextmanager(function):
    def helper(*args, **keywords):
        return AsyncGeneratorContext(function, args, keywords)

    helper.__name__ = function.__name__
    helper.__doc__ = function.__doc__
    return helper


class aclosing(AbstractAsyncContextManager):
    def __init__(self, thing):
        self.thing = thing

    async def __aenter__(self):
        return self.thing

    async def __aexit__(self, *details):
        await self.thing.aclose()


class AsyncExitStack:
    def __init__(self):
        self.leaving = []

    async def enter_async_context(self, manager):
        result = await manager.__aenter__()
        self.leaving.append((True, manager.__aexit__))
        return result

    def enter_context(self, manager):
        result = manager.__enter__()
        self.leaving.append((False, manager.__exit__))
        return result

    def callback(self, function, *args, **keywords):
        def leave(*details):
            function(*args, **keywords)

        self.leaving.append((False, leave))
        return function

    def push_async_callback(self, function, *args, **keywords):
        async def leave(*details):
            await function(*args, **keywords)

        self.leaving.append((True, leave))
        return function

    async def aclose(self):
        await self.__aexit__(None, None, None)

    async def __aenter__(self):
        return self

    async def __aexit__(self, kind, value, trace):
        raised = value
        while self.leaving:
            awaited, leave = self.leaving.pop()
            try:
                done = leave(*_details(raised))
                if await done if awaited else done:
                    raised = None
            except BaseException as error:
                raised = error
        if raised is not None and raised is not value:
            raise raised
        return value is not None and raised is None
