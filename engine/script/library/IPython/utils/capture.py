# type: ignore
"""IPython.utils.capture: what is printed and shown within a with statement, kept instead."""

import io
import sys
from contextlib import redirect_stderr, redirect_stdout

from _captured import RichOutput, kept  # noqa: F401


class CapturedIO:
    """What was printed and shown. show(), or a call, does it after all."""

    def __init__(self, stdout, stderr, outputs=None):
        self._stdout, self._stderr = stdout, stderr
        self.outputs = [] if outputs is None else outputs

    @property
    def stdout(self):
        return self._stdout.getvalue() if self._stdout else ""

    @property
    def stderr(self):
        return self._stderr.getvalue() if self._stderr else ""

    def show(self):
        print(self.stdout, end="")
        print(self.stderr, end="", file=sys.stderr)
        for each in self.outputs:
            each.display()

    __call__ = show

    def __str__(self):
        return self.stdout


class capture_output:
    def __init__(self, stdout=True, stderr=True, display=True):
        self.stdout, self.stderr, self.display = stdout, stderr, display

    def __enter__(self):
        self._turned, texts = [], [None, None]
        for place, (wanted, redirect) in enumerate(((self.stdout, redirect_stdout), (self.stderr, redirect_stderr))):
            if wanted:
                texts[place] = io.StringIO()
                self._turned.append(redirect(texts[place]))
                self._turned[-1].__enter__()
        outputs = []
        if self.display:
            kept.append(outputs)
        return CapturedIO(*texts, outputs)

    def __exit__(self, kind, value, traceback):
        for each in self._turned[::-1]:
            each.__exit__(kind, value, traceback)
        if self.display:
            kept.pop()
