"""The allow-list for time and datetime: a clock that moves only when it is looked at, so that every execution of a
script is the same."""

from __future__ import annotations

import calendar
import datetime as dt
import time
from typing import Any

from engine.script.executing.calls import consume
from engine.script.modules import MODULES, module
from engine.script.surface import Rule, ScriptModule, names, register
from engine.script.values.builtin import CALLS
from engine.script.values.plain import text
from engine.script.values.strings import check_width


class _Clock:
    """The clock of one run."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def tick(self) -> float:
        self.now += 0.001
        return self.now

    def sleep(self, seconds: float) -> None:
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        self.now += seconds


def _shown(template: Any, moment: Any) -> str:
    check_width(text(template) if isinstance(template, str) else "")
    return time.strftime(template, tuple(consume(moment)))


def _time() -> ScriptModule:
    clock = _Clock()

    def gmtime(seconds: Any = None) -> time.struct_time:
        return time.gmtime(clock.tick() if seconds is None else seconds)

    return ScriptModule(
        "time",
        {
            **{name: lambda: clock.tick() for name in ("time", "perf_counter", "monotonic", "process_time")},
            **{f"{name}_ns": lambda: int(clock.tick() * 1e9) for name in ("time", "perf_counter", "monotonic")},
            "strptime": lambda text, form="%a %b %d %H:%M:%S %Y": time.strptime(text, form),
            "mktime": lambda moment: float(calendar.timegm(tuple(consume(moment)))),
            "sleep": lambda seconds: clock.sleep(seconds),
            "gmtime": gmtime,
            "localtime": gmtime,
            "strftime": lambda template, moment=None: _shown(template, gmtime() if moment is None else moment),
            "ctime": lambda seconds=None: time.asctime(gmtime(seconds)),
            "asctime": lambda moment=None: time.asctime(gmtime() if moment is None else moment),
        },
    )


MODULES["time"] = _time
register(
    time.struct_time,
    Rule(names=names("tm_year tm_mon tm_mday tm_hour tm_min tm_sec tm_wday tm_yday tm_isdst count index")),
)


def _now(tz: Any = None) -> dt.datetime:
    now = dt.datetime(1970, 1, 1) + dt.timedelta(seconds=module("time").own("time")())
    return now if tz is None else now.replace(tzinfo=dt.UTC).astimezone(tz)


def _at(seconds: Any, tz: Any) -> dt.datetime:
    moment = dt.datetime(1970, 1, 1) + dt.timedelta(seconds=seconds)
    return moment if tz is None else moment.replace(tzinfo=dt.UTC).astimezone(tz)


def _strftime(self: Any, template: Any) -> str:
    check_width(text(template) if isinstance(template, str) else "")
    return self.strftime(template)


FIELDS = "year month day hour minute second microsecond"
SHARED = "isoformat weekday isoweekday isocalendar timetuple ctime replace toordinal"
register(dt.timedelta, Rule(names=names("days seconds microseconds total_seconds"), class_names=names("min max")))
register(
    dt.date,
    Rule(
        names=names(f"year month day {SHARED}"),
        wrapped={"strftime": _strftime},
        static={"today": lambda: _now().date(), "fromisoformat": dt.date.fromisoformat},
        class_names=names("min max"),
    ),
)
register(
    dt.time,
    Rule(
        names=names("hour minute second microsecond isoformat replace"),
        wrapped={"strftime": _strftime},
        class_names=names("min max"),
    ),
)
register(
    dt.datetime,
    Rule(
        names=names(f"{FIELDS} {SHARED} date time timestamp tzinfo utcoffset tzname"),
        wrapped={"strftime": _strftime, "astimezone": lambda self, tz=None: self.astimezone(tz or dt.UTC)},
        static={
            "now": _now,
            "today": lambda: _now(),
            "utcnow": lambda: _now(),
            "combine": lambda date, time, *zone: dt.datetime.combine(date, time, *zone),
            "fromisoformat": dt.datetime.fromisoformat,
            "fromtimestamp": lambda seconds, tz=None: _at(seconds, tz),
            "strptime": lambda text, form: dt.datetime.strptime(text, form),
        },
        class_names=names("min max"),
    ),
)
register(dt.timezone, Rule(names=names("utcoffset tzname"), class_names=names("utc min max")))
_CLASSES = (dt.datetime, dt.date, dt.time, dt.timedelta, dt.timezone)
CALLS.update({kind: kind for kind in _CLASSES})
MODULES["datetime"] = lambda: ScriptModule("datetime", {"UTC": dt.UTC, **{kind.__name__: kind for kind in _CLASSES}})
