# type: ignore
"""calendar: months and weekdays, and a month as a text."""

from datetime import date as _date

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)
day_name = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
month_name = ["", "January", "February", "March", "April", "May", "June", "July", "August", "September"]
month_name += ["October", "November", "December"]
day_abbr = [each[:3] for each in day_name]
month_abbr = [each[:3] for each in month_name]
_first = [MONDAY]


class IllegalMonthError(ValueError):
    def __init__(self, month):
        self.month = month

    def __str__(self):
        return f"bad month number {self.month!r}; must be 1-12"


def isleap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def leapdays(y1, y2):
    """The leap years from y1 on, before y2."""

    def before(year):
        return year // 4 - year // 100 + year // 400

    return before(y2 - 1) - before(y1 - 1)


def weekday(year, month, day):
    return _date(year, month, day).weekday()


def monthrange(year, month):
    """The weekday of the month's first day, and how many days it has."""
    if not 1 <= month <= 12:
        raise IllegalMonthError(month)
    days = 29 if isleap(year) else 28
    return weekday(year, month, 1), days if month == 2 else 30 if month in (4, 6, 9, 11) else 31


def setfirstweekday(firstweekday):
    _first[0] = firstweekday


def firstweekday():
    return _first[0]


def monthcalendar(year, month):
    """The days of a month, a list a week; 0 is a day of another month."""
    start, days = monthrange(year, month)
    cells = [0] * ((start - _first[0]) % 7) + list(range(1, days + 1))
    cells += [0] * (-len(cells) % 7)
    return [cells[place : place + 7] for place in range(0, len(cells), 7)]


def weekheader(width):
    names = [day_name[(day + _first[0]) % 7] for day in range(7)]
    return " ".join([(each if width >= 9 else each[: min(width, 3)])[:width].center(width) for each in names])


def month(theyear, themonth, w=0, l=0):  # noqa: E741
    width, gap = max(2, w), "\n" * max(1, l)
    title = f"{month_name[themonth]} {theyear}".center(8 * width - width + 6).rstrip()
    lines = [title, weekheader(width).rstrip()]
    for week in monthcalendar(theyear, themonth):
        lines.append(" ".join([(f"{day:2d}" if day else "").center(width) for day in week]).rstrip())
    return gap.join(lines) + gap


def prmonth(theyear, themonth, w=0, l=0):  # noqa: E741
    print(month(theyear, themonth, w, l), end="")
