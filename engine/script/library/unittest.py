# type: ignore
"""unittest: tests as methods of a class. What it says of them goes to stderr, as everywhere."""

import sys

import _inspect
from unittest._cases import FunctionTestCase, SkipTest, TestCase, expectedFailure, skip, skipIf, skipUnless


class TestResult:
    def __init__(self):
        self.testsRun, self.failures, self.errors, self.skipped = 0, [], [], []
        self.expectedFailures, self.unexpectedSuccesses, self.shouldStop = [], [], False

    def wasSuccessful(self):
        return not (self.failures or self.errors or self.unexpectedSuccesses)

    def __repr__(self):
        kind = type(self)
        return (
            f"<unittest.{'runner.' if kind is TextTestResult else 'result.'}{kind.__qualname__} run={self.testsRun}"
            f" errors={len(self.errors)} failures={len(self.failures)}>"
        )


class TextTestResult(TestResult):
    pass


class TestSuite:
    def __init__(self, tests=()):
        self._tests = [*tests]

    def addTest(self, test):
        self._tests.append(test)

    def addTests(self, tests):
        self._tests.extend(tests)

    def __iter__(self):
        return iter(self._tests)

    def countTestCases(self):
        return sum([each.countTestCases() for each in self])

    def run(self, result):
        classes = []
        for each in self:
            if isinstance(each, TestSuite):
                each.run(result)
                continue
            if type(each) not in classes:
                classes.append(type(each))
                type(each).setUpClass()
            each.run(result)
        for kind in classes:
            kind.tearDownClass()
        return result


class TestLoader:
    testMethodPrefix = "test"

    def getTestCaseNames(self, kind):
        return sorted(
            [name for name in dir(kind) if name.startswith(self.testMethodPrefix) and callable(getattr(kind, name))]
        )

    def loadTestsFromTestCase(self, kind):
        return TestSuite([kind(name) for name in self.getTestCaseNames(kind)])

    def loadTestsFromModule(self, module=None):
        found = _inspect.frames()[-1][2].values()
        kinds = [
            each for each in found if isinstance(each, type) and issubclass(each, TestCase) and each is not TestCase
        ]
        return TestSuite([self.loadTestsFromTestCase(each) for each in sorted(kinds, key=lambda kind: kind.__name__)])

    def loadTestsFromName(self, name, module=None):
        kind, _, method = name.rpartition("__main__.")[2].partition(".")
        found = _inspect.frames()[-1][2][kind]
        return TestSuite([found(method)]) if method else self.loadTestsFromTestCase(found)

    def discover(self, *args, **options):
        raise NotImplementedError("a run is one script: there are no files to look for tests in")


defaultTestLoader = TestLoader()


def makeSuite(kind, prefix="test"):
    return defaultTestLoader.loadTestsFromTestCase(kind)


class TextTestRunner:
    def __init__(self, stream=None, descriptions=True, verbosity=1, failfast=False, buffer=False, **options):
        self.stream = stream

    def run(self, test):
        stream, result = self.stream or sys.stderr, TextTestResult()
        test.run(result)
        for word, found in (("ERROR", result.errors), ("FAIL", result.failures)):
            for case, said in found:
                stream.write(f"{'=' * 70}\n{word}: {case}\n{'-' * 70}\n{said}\n\n")
        many = result.testsRun
        stream.write(f"{'-' * 70}\nRan {many} test{'s' * (many != 1)} in 0.000s\n\n")
        counts = [
            f"{name}={len(found)}"
            for name, found in (("failures", result.failures), ("errors", result.errors), ("skipped", result.skipped))
            if found
        ]
        stream.write(
            ("OK" if result.wasSuccessful() else "FAILED") + (f" ({', '.join(counts)})" if counts else "") + "\n"
        )
        return result


class TestProgram:
    """unittest.main(): the script's own tests. It ends the script, as it does elsewhere, but for exit=False."""

    def __init__(
        self, module="__main__", defaultTest=None, argv=None, testRunner=None, testLoader=defaultTestLoader, exit=True,
        verbosity=1, failfast=None, catchbreak=None, buffer=None, warnings=None,
    ):  # fmt: skip
        names = [defaultTest] if isinstance(defaultTest, str) else defaultTest
        if names:
            self.test = TestSuite([testLoader.loadTestsFromName(each) for each in names])
        else:
            self.test = testLoader.loadTestsFromModule()
        runner = TextTestRunner() if testRunner is None else testRunner
        self.result = (runner() if isinstance(runner, type) else runner).run(self.test)
        if exit:
            raise SystemExit(not self.result.wasSuccessful())


main = TestProgram
