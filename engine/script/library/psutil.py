# type: ignore
"""psutil: one machine with one processor that has nothing else to do. Its figures are always the same, so that a run
that is repeated prints what it printed."""

from collections import namedtuple

_MEGABYTE = 1024**2
_MEMORY = 8192 * _MEGABYTE
_OWN = 256 * _MEGABYTE

svmem = namedtuple("svmem", "total available percent used free active inactive buffers cached shared slab")
sswap = namedtuple("sswap", "total used free percent sin sout")
pmem = namedtuple("pmem", "rss vms shared text lib data dirty")
pfullmem = namedtuple("pfullmem", "rss vms shared text lib data dirty uss pss swap")
sdiskusage = namedtuple("sdiskusage", "total used free percent")
scputimes = namedtuple("scputimes", "user nice system idle iowait irq softirq steal guest guest_nice")
scpufreq = namedtuple("scpufreq", "current min max")


class Error(Exception):
    pass


class NoSuchProcess(Error):
    pass


class AccessDenied(Error):
    pass


def cpu_count(logical=True):
    return 1


def cpu_percent(interval=None, percpu=False):
    return [0.0] if percpu else 0.0


def cpu_times(percpu=False):
    return scputimes(*[0.0] * 10)


def cpu_freq(percpu=False):
    return scpufreq(2000.0, 0.0, 0.0)


def getloadavg():
    return (0.0, 0.0, 0.0)


def virtual_memory():
    return svmem(_MEMORY, _MEMORY - _OWN, 3.1, _OWN, _MEMORY - _OWN, _OWN, 0, 0, 0, 0, 0)


def swap_memory():
    return sswap(0, 0, 0, 0.0, 0, 0)


def disk_usage(path):
    return sdiskusage(_MEMORY, 0, _MEMORY, 0.0)


def boot_time():
    return 0.0


def pids():
    return [1]


def pid_exists(pid):
    return pid == 1


class Process:
    def __init__(self, pid=None):
        if pid not in (None, 1):
            raise NoSuchProcess(f"process PID not found (pid={pid})")
        self.pid = 1

    def memory_info(self):
        return pmem(_OWN, 2 * _OWN, 0, 0, 0, _OWN, 0)

    def memory_full_info(self):
        return pfullmem(*self.memory_info(), _OWN, _OWN, 0)

    def memory_percent(self, memtype="rss"):
        return 100.0 * _OWN / _MEMORY

    def cpu_percent(self, interval=None):
        return 0.0

    def cpu_times(self):
        return scputimes(*[0.0] * 10)

    def cpu_affinity(self, cpus=None):
        return [0] if cpus is None else None

    def num_threads(self):
        return 1

    def name(self):
        return "python"

    def status(self):
        return "running"

    def is_running(self):
        return True

    def children(self, recursive=False):
        return []

    def nice(self, value=None):
        return 0 if value is None else None


def process_iter(attrs=None, ad_value=None):
    return iter([Process()])
