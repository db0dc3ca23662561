# type: ignore
"""io: text and bytes in memory, and open(): files that the run itself keeps (files.py)."""

import _files

DEFAULT_BUFFER_SIZE = 8192
SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
_ENCODINGS = {
    "utf8": "UTF-8", "utf-8": "UTF-8", "utf_8": "UTF-8", "u8": "UTF-8", "utf-8-sig": "utf-8-sig", "utf_8_sig": "utf-8-sig",
    "ascii": "ascii", "us-ascii": "ascii", "latin-1": "latin-1", "latin1": "latin-1", "iso-8859-1": "iso-8859-1",
    "cp1252": "cp1252", "windows-1252": "cp1252",
}  # fmt: skip


class UnsupportedOperation(OSError, ValueError):
    pass


class IOBase:
    """What all of them share: lines, and the end."""

    closed = False

    def _open(self):
        if self.closed:
            raise ValueError("I/O operation on closed file.")

    def readable(self):
        self._open()
        return True

    writable = seekable = readable

    def isatty(self):
        self._open()
        return False

    def flush(self):
        self._open()

    def close(self):
        self.closed = True

    def fileno(self):
        raise UnsupportedOperation("fileno")

    def readlines(self, hint=-1):
        lines, length = [], 0
        for line in self:
            lines.append(line)
            length += len(line)
            if hint is not None and 0 < hint <= length:
                break
        return lines

    def writelines(self, lines):
        self._open()
        for line in lines:
            self.write(line)

    def __enter__(self):
        self._open()
        return self

    def __exit__(self, *error):
        self.close()

    def __iter__(self):
        self._open()
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line


class RawIOBase(IOBase):
    pass


class BufferedIOBase(IOBase):
    pass


class TextIOBase(IOBase):
    pass


def _checked_bytes(data):
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"a bytes-like object is required, not '{type(data).__name__}'")
    return data if type(data) is bytes else bytes(data)


class _Memory:
    """Pieces in memory: writing at the end costs what is written."""

    def _start(self, initial):
        self._pieces = [initial]
        self._at, self._length = 0, len(initial)

    def _all(self):
        if len(self._pieces) != 1:
            self._pieces = [self._empty.join(self._pieces)]
        return self._pieces[0]

    def _put(self, part):
        if self._at == self._length:
            self._pieces.append(part)
            self._length += len(part)
        else:
            held = self._all()
            between = self._zero * (self._at - len(held))
            self._pieces = [held[: self._at] + between + part + held[self._at + len(part) :]]
            self._length = len(self._pieces[0])
        self._at += len(part)
        return len(part)

    def read(self, size=-1):
        self._open()
        end = self._length if size is None or size < 0 else self._at + size
        part = self._all()[self._at : end]
        self._at += len(part)
        return part

    def readline(self, size=-1):
        self._open()
        end = self._all().find(self._line, self._at)
        end = self._length if end < 0 else end + 1
        return self.read(max(end - self._at, 0) if size is None or size < 0 else min(end - self._at, size))

    def getvalue(self):
        self._open()
        return self._all()

    def tell(self):
        self._open()
        return self._at

    def truncate(self, size=None):
        self._open()
        size = self._at if size is None else size
        if size < 0:
            raise ValueError(f"Negative size value {size}")
        self._pieces = [self._all()[:size]]
        self._length = len(self._pieces[0])
        return size


class StringIO(_Memory, TextIOBase):
    _empty, _line, _zero = "", "\n", "\0"

    def _open(self):
        if self.closed:
            raise ValueError("I/O operation on closed file")

    def __init__(self, initial_value="", newline="\n"):
        if initial_value is not None and not isinstance(initial_value, str):
            raise TypeError(f"initial_value must be str or None, not {type(initial_value).__name__}")
        text = initial_value or ""
        self._start(text if newline is not None else text.replace("\r\n", "\n").replace("\r", "\n"))

    def write(self, s):
        self._open()
        if not isinstance(s, str):
            raise TypeError(f"string argument expected, got '{type(s).__name__}'")
        return self._put(s)

    def seek(self, pos, whence=0):
        self._open()
        if whence == 0 and pos < 0:
            raise ValueError(f"Negative seek position {pos}")
        if whence not in (0, 1, 2):
            raise ValueError(f"Invalid whence ({whence}, should be 0, 1 or 2)")
        if whence and pos:
            raise OSError("Can't do nonzero cur-relative seeks")
        self._at = (pos, self._at, self._length)[whence]
        return self._at


class BytesIO(_Memory, BufferedIOBase):
    _empty, _line, _zero = b"", b"\n", b"\0"

    def __init__(self, initial_bytes=b""):
        self._start(b"" if initial_bytes is None else _checked_bytes(initial_bytes))

    def write(self, b):
        self._open()
        return self._put(_checked_bytes(b))

    def seek(self, pos, whence=0):
        self._open()
        if whence == 0 and pos < 0:
            raise ValueError(f"negative seek value {pos}")
        self._at = max(pos + (0, self._at, self._length)[whence], 0)
        return self._at

    read1 = _Memory.read

    def getbuffer(self):
        return memoryview(self._all())


class _File:
    """What files of bytes and of text share. `place` is where the run keeps it."""

    def _begin(self, file, mode):
        self.name, self.mode = file, mode
        self._reads, self._writes = "r" in mode or "+" in mode, "r" not in mode or "+" in mode
        how = [each for each in "rwax" if each in mode][0]
        if how != "r":
            _files.announce()
        _files.create(file, how)
        self.place = _files.whole(file)
        self._at = _files.size(self.place) if how == "a" else 0

    def _reading(self):
        self._open()
        if not self._reads:
            raise UnsupportedOperation(self._unreadable)

    def _writing(self):
        self._open()
        if not self._writes:
            raise UnsupportedOperation(self._unwritable)

    def readable(self):
        self._open()
        return self._reads

    def writable(self):
        self._open()
        return self._writes

    def _append(self, data):
        if "a" in self.mode:
            self._at = _files.size(self.place)
        self._at = _files.put(self.place, self._at, data)

    def tell(self):
        self._open()
        return self._at

    def truncate(self, size=None):
        self._writing()
        return _files.cut(self.place, self._at if size is None else size)

    def fileno(self):
        self._open()
        return 3


class BufferedRandom(_File, BufferedIOBase):
    _unreadable, _unwritable = "read", "write"

    def __init__(self, file, mode):
        self._begin(file, mode)
        self.mode = mode.replace("+", "").replace("b", "") + "b" + "+" * ("+" in mode)

    def __repr__(self):
        return f"<_io.{type(self).__name__} name={self.name!r}>"

    def read(self, size=-1):
        self._reading()
        part = _files.data(self.place, self._at, None if size is None or size < 0 else self._at + size)
        self._at += len(part)
        return part

    read1 = read

    def readline(self, size=-1):
        self._reading()
        line = _files.line(self.place, self._at, False)
        if size is not None and size >= 0:
            line = line[:size]
        self._at += len(line)
        return line

    def write(self, b):
        self._writing()
        data = _checked_bytes(b)
        self._append(data)
        return len(data)

    def seek(self, offset, whence=0):
        self._open()
        at = offset + (0, self._at, _files.size(self.place))[whence]
        if at < 0:
            raise OSError(22, "Invalid argument")
        self._at = at
        return at

    def _load(self):
        """What pickle.load() and torch.load() read."""
        self._reading()
        value = _files.stored(self.place, self._at)
        self._at += _files.PICKLED
        return value


class BufferedReader(BufferedRandom):
    pass


class BufferedWriter(BufferedRandom):
    pass


class TextIOWrapper(_File, TextIOBase):
    _unreadable, _unwritable = "not readable", "not writable"

    def __init__(self, file, mode, encoding, errors, newline):
        self.encoding = encoding
        self.errors = errors or "strict"
        self._newline = newline
        self._begin(file, mode)
        self._codec = "utf-8" if encoding == "utf-8-sig" else encoding

    def __repr__(self):
        return f"<_io.TextIOWrapper name={self.name!r} mode={self.mode!r} encoding={self.encoding!r}>"

    def _text(self, data):
        text = data.decode(self._codec, self.errors)
        if self.encoding == "utf-8-sig" and self._at == 0:
            text = text.removeprefix("\ufeff")
        return text.replace("\r\n", "\n").replace("\r", "\n") if self._newline is None and "\r" in text else text

    def read(self, size=-1):
        self._reading()
        if size is None or size < 0:
            data = _files.data(self.place, self._at)
        else:
            data = _files.characters(self.place, self._at, size, self._codec, self.errors)
        text = self._text(data)
        self._at += len(data)
        return text

    def readline(self, size=-1):
        self._reading()
        if size is not None and size >= 0:
            data = _files.line(self.place, self._at, self._newline is None or self._newline == "")
            return self.read(min(len(data.decode(self._codec, self.errors)), size))
        data = _files.line(self.place, self._at, self._newline is None or self._newline == "")
        text = self._text(data)
        self._at += len(data)
        return text

    def write(self, text):
        self._writing()
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        given = text if self._newline in (None, "", "\n") else text.replace("\n", self._newline)
        if self.encoding == "utf-8-sig" and _files.size(self.place) == 0:
            given = "\ufeff" + given
        self._append(given.encode(self._codec, self.errors))
        return len(text)

    def seek(self, cookie, whence=0):
        self._open()
        if whence and cookie:
            raise UnsupportedOperation(f"can't do nonzero {('', 'cur', 'end')[whence]}-relative seeks")
        if cookie < 0:
            raise ValueError(f"negative seek position {cookie}")
        self._at = (cookie, self._at, _files.size(self.place))[whence]
        return self._at


def _checked_mode(mode):
    if not isinstance(mode, str):
        raise TypeError(f"open() argument 'mode' must be str, not {type(mode).__name__}")
    if any([each not in "rwaxbt+" for each in mode]) or len(set(mode)) != len(mode):
        raise ValueError(f"invalid mode: {mode!r}")
    if "t" in mode and "b" in mode:
        raise ValueError("can't have text and binary mode at once")
    count = len([each for each in mode if each in "rwax"])
    if count != 1:
        if count == 0:
            raise ValueError("Must have exactly one of create/read/write/append mode and at most one plus")
        raise ValueError("must have exactly one of create/read/write/append mode")


def open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    name = _files.text_of(file)
    _checked_mode(mode)
    if "b" in mode:
        for given, what in ((encoding, "n encoding"), (errors, "n errors"), (newline, " newline")):
            if given is not None:
                raise ValueError(f"binary mode doesn't take a{what} argument")
        if "+" in mode:
            return BufferedRandom(name, mode)
        return (BufferedReader if "r" in mode else BufferedWriter)(name, mode)
    if newline not in (None, "", "\n", "\r", "\r\n"):
        raise ValueError(f"illegal newline value: {newline!r}")
    if encoding is not None and not isinstance(encoding, str):
        raise TypeError(f"open() argument 'encoding' must be str or None, not {type(encoding).__name__}")
    if encoding is not None and encoding.lower() not in _ENCODINGS:
        raise LookupError(f"unknown encoding here: {encoding}: there are utf-8, ascii, latin-1 and cp1252")
    written = "UTF-8" if encoding is None else encoding
    return TextIOWrapper(name, mode, written, errors, newline)
