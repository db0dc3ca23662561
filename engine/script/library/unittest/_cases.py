# type: ignore
"""The cases of unittest, and what they assert."""

import re


class SkipTest(Exception):
    pass


def skip(reason):
    def mark(found):
        found.skipped_because = reason
        return found

    if callable(reason):
        return skip("")(reason)
    return mark


def skipIf(condition, reason):
    return skip(reason) if condition else lambda found: found


def skipUnless(condition, reason):
    return skipIf(not condition, reason)


def expectedFailure(function):
    function.expected_to_fail = True
    return function


class _Raises:
    """assertRaises() as a context."""

    def __init__(self, case, kinds, pattern=None, msg=None):
        self.case, self.kinds, self.pattern, self.msg, self.exception = case, kinds, pattern, msg, None

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        names = [each.__name__ for each in (self.kinds if isinstance(self.kinds, tuple) else (self.kinds,))]
        name = names[0] if len(names) == 1 else str(tuple(names))
        if kind is None:
            self.case._say(f"{name} not raised", self.msg)
        if not issubclass(kind, self.kinds):
            return False
        self.exception = error
        if self.pattern is not None and not re.search(self.pattern, str(error)):
            pattern = getattr(self.pattern, "pattern", self.pattern)
            self.case._say(f'"{pattern}" does not match "{error}"', self.msg)
        return True

    def of(self, function, args, kwargs):
        name = getattr(function, "__name__", str(function))
        try:
            function(*args, **kwargs)
        except self.kinds as error:
            if self.pattern is not None and not re.search(self.pattern, str(error)):
                self.case._say(f'"{self.pattern}" does not match "{error}"', None)
            return
        self.case._say(f"{self.kinds.__name__} not raised by {name}", None)


class _Nothing:
    """A context that lets everything pass."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


class TestCase:
    failureException, maxDiff, longMessage = AssertionError, 640, True

    def __init__(self, methodName="runTest"):
        self._testMethodName, self._cleanups = methodName, []

    def setUp(self):
        pass

    def tearDown(self):
        pass

    @classmethod
    def setUpClass(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        pass

    def addCleanup(self, function, *args, **kwargs):
        self._cleanups.append((function, args, kwargs))

    def id(self):
        return f"__main__.{type(self).__qualname__}.{self._testMethodName}"

    def shortDescription(self):
        doc = getattr(self, self._testMethodName).__doc__
        return doc.strip().split("\n")[0] if doc else None

    def __str__(self):
        return f"{self._testMethodName} ({self.id()})"

    def countTestCases(self):
        return 1

    def skipTest(self, reason):
        raise SkipTest(reason)

    def subTest(self, msg=None, **values):
        return _Nothing()

    def debug(self):
        self.setUp()
        getattr(self, self._testMethodName)()
        self.tearDown()

    def run(self, result):
        method = getattr(self, self._testMethodName)
        result.testsRun += 1
        plain = getattr(type(self), self._testMethodName)
        reason = getattr(plain, "skipped_because", getattr(type(self), "skipped_because", None))
        if reason is not None:
            result.skipped.append((self, reason))
            return result
        expected = getattr(plain, "expected_to_fail", False)
        try:
            self.setUp()
            try:
                method()
            finally:
                self.tearDown()
                while self._cleanups:
                    function, args, kwargs = self._cleanups.pop()
                    function(*args, **kwargs)
            if expected:
                result.unexpectedSuccesses.append(self)
        except SkipTest as error:
            result.skipped.append((self, str(error)))
        except AssertionError as error:
            (result.expectedFailures if expected else result.failures).append((self, f"AssertionError: {error}"))
        except Exception as error:
            (result.expectedFailures if expected else result.errors).append((self, f"{type(error).__name__}: {error}"))
        return result

    __call__ = run

    def _say(self, text, msg):
        raise AssertionError(text if msg is None else f"{text} : {msg}")

    def fail(self, msg=None):
        raise AssertionError(msg)

    def assertEqual(self, first, second, msg=None):
        if not first == second:
            self._say(_differing(first, second), msg)

    assertListEqual = assertTupleEqual = assertDictEqual = assertSetEqual = assertSequenceEqual = assertEqual
    assertMultiLineEqual = assertEqual

    def assertNotEqual(self, first, second, msg=None):
        if not first != second:
            self._say(f"{first!r} == {second!r}", msg)

    def assertTrue(self, expr, msg=None):
        if not expr:
            self._say(f"{expr!r} is not true", msg)

    def assertFalse(self, expr, msg=None):
        if expr:
            self._say(f"{expr!r} is not false", msg)

    def assertIs(self, expr1, expr2, msg=None):
        if expr1 is not expr2:
            self._say(f"{expr1!r} is not {expr2!r}", msg)

    def assertIsNot(self, expr1, expr2, msg=None):
        if expr1 is expr2:
            self._say(f"unexpectedly identical: {expr1!r}", msg)

    def assertIsNone(self, obj, msg=None):
        if obj is not None:
            self._say(f"{obj!r} is not None", msg)

    def assertIsNotNone(self, obj, msg=None):
        if obj is None:
            self._say("unexpectedly None", msg)

    def assertIn(self, member, container, msg=None):
        if member not in container:
            self._say(f"{member!r} not found in {container!r}", msg)

    def assertNotIn(self, member, container, msg=None):
        if member in container:
            self._say(f"{member!r} unexpectedly found in {container!r}", msg)

    def assertIsInstance(self, obj, cls, msg=None):
        if not isinstance(obj, cls):
            self._say(f"{obj!r} is not an instance of {cls!r}", msg)

    def assertNotIsInstance(self, obj, cls, msg=None):
        if isinstance(obj, cls):
            self._say(f"{obj!r} is an instance of {cls!r}", msg)

    def assertGreater(self, a, b, msg=None):
        if not a > b:
            self._say(f"{a!r} not greater than {b!r}", msg)

    def assertGreaterEqual(self, a, b, msg=None):
        if not a >= b:
            self._say(f"{a!r} not greater than or equal to {b!r}", msg)

    def assertLess(self, a, b, msg=None):
        if not a < b:
            self._say(f"{a!r} not less than {b!r}", msg)

    def assertLessEqual(self, a, b, msg=None):
        if not a <= b:
            self._say(f"{a!r} not less than or equal to {b!r}", msg)

    def _apart(self, first, second, places, delta):
        if first == second:
            return None
        difference = abs(first - second)
        if delta is not None:
            near = f" within {delta!r} delta ({difference!r} difference)"
            return difference <= delta, near
        places = 7 if places is None else places
        return round(difference, places) == 0, f" within {places!r} places ({difference!r} difference)"

    def assertAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        found = self._apart(first, second, places, delta)
        if found is not None and not found[0]:
            self._say(f"{first!r} != {second!r}{found[1]}", msg)

    def assertNotAlmostEqual(self, first, second, places=None, msg=None, delta=None):
        found = self._apart(first, second, places, delta)
        if found is None or found[0]:
            self._say(f"{first!r} == {second!r}{found[1] if found else ''}", msg)

    def assertRegex(self, text, expected_regex, msg=None):
        if not re.search(expected_regex, text):
            self._say(f"Regex didn't match: {expected_regex!r} not found in {text!r}", msg)

    def assertCountEqual(self, first, second, msg=None):
        rest = [*second]
        for each in first:
            if each not in rest:
                self._say("Element counts were not equal", msg)
            rest.remove(each)
        if rest:
            self._say("Element counts were not equal", msg)

    def assertRaises(self, expected_exception, *args, **kwargs):
        made = _Raises(self, expected_exception, None, kwargs.pop("msg", None) if not args else None)
        return made.of(args[0], args[1:], kwargs) if args else made

    def assertRaisesRegex(self, expected_exception, expected_regex, *args, **kwargs):
        made = _Raises(self, expected_exception, expected_regex, kwargs.pop("msg", None) if not args else None)
        return made.of(args[0], args[1:], kwargs) if args else made

    assertWarns = assertLogs = assertNoLogs = lambda self, *args, **kwargs: _Nothing()


def _differing(first, second):
    if type(first) is type(second) and isinstance(first, (list, tuple)):
        kind = "Lists" if isinstance(first, list) else "Tuples"
        text = f"{kind} differ: {first!r} != {second!r}\n"
        for i, (a, b) in enumerate(zip(first, second)):
            if a != b:
                return text + f"\nFirst differing element {i}:\n{a!r}\n{b!r}\n"
        return text
    return f"{first!r} != {second!r}"


class FunctionTestCase(TestCase):
    def __init__(self, testFunc, setUp=None, tearDown=None, description=None):
        super().__init__("_function")
        self._function = testFunc
