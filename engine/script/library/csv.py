# type: ignore
"""csv: rows of text; they are read from and written to text in memory, because there are no files."""

QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = 0, 1, 2, 3


class Error(Exception):
    pass


class _Reader:
    def __init__(self, lines, delimiter=",", quotechar='"', skipinitialspace=False, quoting=QUOTE_MINIMAL):
        self._lines = iter(lines)
        self._delimiter, self._quote, self._skip = delimiter, quotechar, skipinitialspace
        self._numbers = quoting == QUOTE_NONNUMERIC
        if quoting == QUOTE_NONE:
            self._quote = None
        self.line_num = 0

    def __iter__(self):
        return self

    def _line(self):
        line = next(self._lines)
        if not isinstance(line, str):
            raise Error(
                f"iterator should return strings, not {type(line).__name__} (the file should be opened in text mode)"
            )
        self.line_num += 1
        bare = line.rstrip("\r\n")
        self._ending = line[len(bare) :]
        return bare

    def __next__(self):
        line = self._line()
        if not line:
            return []
        if self._quote is None or self._quote not in line:
            parts = line.split(self._delimiter)
            if self._skip:
                parts = [part.lstrip(" ") for part in parts]
            return [float(part) for part in parts] if self._numbers else parts
        return self._quoted(line)

    def _quoted(self, line):
        row, at = [], 0
        while True:
            if self._skip:
                while line[at : at + 1] == " ":
                    at += 1
            if line[at : at + 1] == self._quote:
                field, line, at = self._field(line, at + 1)
            else:
                end = line.find(self._delimiter, at)
                field = line[at:] if end < 0 else line[at:end]
                at = len(line) if end < 0 else end
                if self._numbers:
                    field = float(field)
            row.append(field)
            if at >= len(line):
                return row
            at += 1

    def _field(self, line, at):
        parts = []
        while True:
            end = line.find(self._quote, at)
            if end < 0:
                parts.append(line[at:] + self._ending)
                line, at = self._line(), 0
                continue
            parts.append(line[at:end])
            at = end + 1
            if line[at : at + 1] != self._quote:
                break
            parts.append(self._quote)
            at += 1
        end = line.find(self._delimiter, at)
        end = len(line) if end < 0 else end
        return "".join(parts) + line[at:end], line, end


def reader(csvfile, dialect="excel", **settings):
    if dialect == "excel-tab":
        settings.setdefault("delimiter", "\t")
    return _Reader(csvfile, **settings)


class _Writer:
    def __init__(self, file, delimiter=",", quotechar='"', lineterminator="\r\n", quoting=QUOTE_MINIMAL):
        self._file = file
        self._delimiter, self._quote, self._end, self._quoting = delimiter, quotechar, lineterminator, quoting

    def _text(self, value):
        text = "" if value is None else str(value)
        number = isinstance(value, (int, float))
        special = any(each in text for each in (self._delimiter, self._quote, "\n", "\r"))
        if self._quoting == QUOTE_ALL or (self._quoting == QUOTE_NONNUMERIC and not number):
            special = True
        if self._quoting == QUOTE_NONE or not special:
            return text
        return self._quote + text.replace(self._quote, self._quote * 2) + self._quote

    def writerow(self, row):
        cells = [self._text(each) for each in row]
        if cells == [""]:
            cells = [self._quote * 2]
        return self._file.write(self._delimiter.join(cells) + self._end)

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)


def writer(csvfile, dialect="excel", **settings):
    if dialect == "excel-tab":
        settings.setdefault("delimiter", "\t")
    return _Writer(csvfile, **settings)


class DictReader:
    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect="excel", **settings):
        self.reader = reader(f, dialect, **settings)
        self._names = fieldnames
        self.restkey, self.restval = restkey, restval

    @property
    def fieldnames(self):
        if self._names is None:
            self._names = next(self.reader, None)
        return self._names

    def __iter__(self):
        return self

    def __next__(self):
        names = self.fieldnames
        row = next(self.reader)
        while row == []:
            row = next(self.reader)
        made = dict(zip(names, row))
        if len(row) > len(names):
            made[self.restkey] = row[len(names) :]
        for name in names[len(row) :]:
            made[name] = self.restval
        return made


class DictWriter:
    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect="excel", **settings):
        self.fieldnames, self.restval, self.extrasaction = fieldnames, restval, extrasaction
        self.writer = writer(f, dialect, **settings)

    def writeheader(self):
        return self.writer.writerow(self.fieldnames)

    def writerow(self, row):
        strange = [name for name in row if name not in self.fieldnames]
        if strange and self.extrasaction == "raise":
            raise ValueError("dict contains fields not in fieldnames: " + ", ".join([repr(each) for each in strange]))
        return self.writer.writerow([row.get(name, self.restval) for name in self.fieldnames])

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)
