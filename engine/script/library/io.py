# type: ignore
"""io: text and bytes in memory; there are no files."""


class _Buffer:
    def __init__(self, initial=None, newline=None):
        self._text = self._empty if initial is None else initial
        self._at = 0
        self.closed = False

    def write(self, text):
        self._text = self._text[: self._at] + text + self._text[self._at + len(text) :]
        self._at += len(text)
        return len(text)

    def read(self, size=-1):
        end = len(self._text) if size is None or size < 0 else self._at + size
        part = self._text[self._at : end]
        self._at += len(part)
        return part

    def readline(self):
        end = self._text.find(self._line, self._at)
        return self.read(len(self._text) - self._at if end < 0 else end + 1 - self._at)

    def readlines(self):
        return list(self)

    def getvalue(self):
        return self._text

    def seek(self, offset, whence=0):
        self._at = max(offset + (0, self._at, len(self._text))[whence], 0)
        return self._at

    def tell(self):
        return self._at

    def flush(self):
        return None

    def close(self):
        self.closed = True

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.close()

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line


class StringIO(_Buffer):
    _empty, _line = "", "\n"


class BytesIO(_Buffer):
    _empty, _line = b"", b"\n"


def open(file, *args, **kwargs):
    raise FileNotFoundError(f"[Errno 2] No such file or directory: {file!r}")
