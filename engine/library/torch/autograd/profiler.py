# type: ignore
"""torch.autograd.profiler: regions are named and nothing is measured, because scripts have no clock of their own."""

import warnings
from contextlib import ContextDecorator


class _Averages(list):
    def table(self, *args, **kwargs):
        return "nothing is measured here"


class profile:
    def __init__(self, *args, **kwargs):
        self.enabled = True

    def __enter__(self):
        warnings.warn("profile() measures nothing here")
        return self

    def __exit__(self, *args):
        return False

    def start(self):
        return None

    stop = step = start

    def key_averages(self, *args, **kwargs):
        return _Averages()

    def table(self, *args, **kwargs):
        return "nothing is measured here"

    def export_chrome_trace(self, path):
        return None


class record_function(ContextDecorator):
    def __init__(self, name, args=None):
        self.name = name

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


emit_nvtx = emit_itt = profile
