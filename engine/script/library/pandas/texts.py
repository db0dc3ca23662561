# type: ignore
"""pandas.texts: what Series.str offers."""

import re

from pandas.values import nan

_SAME = """lower upper title capitalize swapcase casefold strip lstrip rstrip find rfind index
startswith endswith isalpha isdigit isnumeric isalnum isupper islower istitle isspace isdecimal removeprefix
removesuffix""".split()
"""What texts themselves have, under the same names and with the same arguments."""


class Texts:
    """Methods of text, for each value of a column."""

    def __init__(self, column):
        self._column = column

    def _each(self, function, lost=nan):
        found = [
            function(each) if isinstance(each, str) else None if each is None and lost is nan else lost
            for each in self._column.tolist()
        ]
        return self._column._like(found)

    def __getattr__(self, name):
        if name not in _SAME:
            raise AttributeError(f"'StringMethods' object has no attribute '{name}'")
        lost = False if name.startswith("is") or name.endswith("with") else nan
        if name.endswith("with"):
            return lambda pat, na=None: self._each(lambda each: getattr(each, name)(pat), lost if na is None else na)
        return lambda *args, **kwargs: self._each(lambda each: getattr(each, name)(*args, **kwargs), lost)

    def __getitem__(self, key):
        return self._taken(key)

    def get(self, i):
        return self._taken(i)

    def slice(self, start=None, stop=None, step=None):
        return self._taken(slice(start, stop, step))

    def _taken(self, key):
        """A part of each text, or of each list; nothing where there is none."""

        def part(each):
            try:
                return each[key]
            except (IndexError, KeyError):
                return nan

        values = self._column.tolist()
        parts = [part(each) if isinstance(each, (str, list, tuple, dict)) else nan for each in values]
        made = self._column._like(parts)
        return made.astype(object) if self._column._values.dtype.kind == "O" else made

    def cat(self, others=None, sep=None, na_rep=None):
        """All texts as one, or each with that of another column; what is missing is `na_rep`, or left out."""
        sep = sep or ""
        if others is None:
            held = self._column.dropna() if na_rep is None else self._column.fillna(na_rep)
            return sep.join(held.tolist())
        other = others.tolist() if hasattr(others, "tolist") else list(others)
        parts = [
            [na_rep if each is None or each != each else each for each in part]
            for part in (self._column.tolist(), other)
        ]
        return self._column._like([nan if a is None or b is None else f"{a}{sep}{b}" for a, b in zip(*parts)])

    def count(self, pat, flags=0):
        return self._each(lambda each: len(re.findall(pat, each, flags)))

    def repeat(self, repeats):
        return self._each(lambda each: each * repeats)

    def encode(self, encoding, errors="strict"):
        return self._each(lambda each: each.encode(encoding, errors))

    def wrap(self, width):
        from textwrap import wrap

        return self._each(lambda each: "\n".join(wrap(each, width)))

    def partition(self, sep=" ", expand=True):
        return self._spread(self._each(lambda each: list(each.partition(sep))), expand)

    def rsplit(self, pat=None, n=-1, expand=False):
        return self._spread(self._each(lambda each: each.rsplit(pat, n if n > 0 else -1)), expand)

    def fullmatch(self, pat, case=True, flags=0, na=None):
        found = re.compile(pat, flags if case else flags | re.IGNORECASE)
        return self._each(lambda each: found.fullmatch(each) is not None, False if na is None else na)

    def get_dummies(self, sep="|"):
        """A column for each of the words that texts are made of."""
        from pandas.frame import DataFrame

        lists = [each.split(sep) if isinstance(each, str) else [] for each in self._column.tolist()]
        words = sorted({word for each in lists for word in each if word})
        return DataFrame({word: [int(word in each) for each in lists] for word in words}, index=self._column.index)

    def len(self):
        values = self._column.tolist()
        return self._column._like([len(each) if hasattr(each, "__len__") else nan for each in values])

    def pad(self, width, side="left", fillchar=" "):
        ways = {"left": "rjust", "right": "ljust", "both": "center"}
        if side not in ways:
            raise ValueError("Invalid side")
        return self._each(lambda each: getattr(each, ways[side])(width, fillchar))

    def center(self, width, fillchar=" "):
        return self.pad(width, "both", fillchar)

    def ljust(self, width, fillchar=" "):
        return self.pad(width, "right", fillchar)

    def rjust(self, width, fillchar=" "):
        return self.pad(width, "left", fillchar)

    def zfill(self, width):
        return self._each(lambda each: each.zfill(width))

    def join(self, sep):
        return self._column._like([sep.join(each) for each in self._column.tolist()])

    def contains(self, pat, case=True, flags=0, na=None, regex=True):
        """Whether a regular expression, or with regex=False a text, is in each; where nothing is known, `na`."""
        lost = False if na is None else na
        if regex:
            found = re.compile(pat, flags if case else flags | re.IGNORECASE)
            return self._each(lambda each: found.search(each) is not None, lost)
        if not case:
            return self._each(lambda each: pat.lower() in each.lower(), lost)
        return self._each(lambda each: pat in each, lost)

    def match(self, pat, case=True, flags=0, na=None):
        found = re.compile(pat, flags if case else flags | re.IGNORECASE)
        return self._each(lambda each: found.match(each) is not None, False if na is None else na)

    def replace(self, pat, repl=None, n=-1, case=None, flags=0, regex=False):
        """Each text with `pat` replaced, `n` times at most."""
        if not regex and not hasattr(pat, "sub"):
            return self._each(lambda each: each.replace(pat, repl, n))
        found = pat if hasattr(pat, "sub") else re.compile(pat, flags | re.IGNORECASE if case is False else flags)
        return self._each(lambda each: found.sub(repl, each, max(n, 0)))

    def findall(self, pat, flags=0):
        return self._each(lambda each: re.findall(pat, each, flags))

    def extract(self, pat, flags=0, expand=True):
        """What the groups of a regular expression find in each text: a column for each group."""
        from pandas.frame import DataFrame

        found = re.compile(pat, flags)
        matches = [found.search(each) if isinstance(each, str) else None for each in self._column.tolist()]
        named = {place: name for name, place in found.groupindex.items()}
        parts = {
            named.get(i + 1, i): [
                nan if each is None or each.group(i + 1) is None else each.group(i + 1) for each in matches
            ]
            for i in range(found.groups)
        }
        table = DataFrame(parts, index=self._column.index)
        return table if expand or found.groups > 1 else table[table.columns[0]]

    def split(self, pat=None, n=-1, expand=False):
        """Each text as a list of its parts; with `expand` a column for each of them."""
        if pat is not None and len(pat) > 1 and re.escape(pat) != pat:
            made = self._each(lambda each: re.split(pat, each, maxsplit=max(n, 0)))
        else:
            made = self._each(lambda each: each.split(pat, n if n > 0 else -1))
        return self._spread(made, expand)

    def _spread(self, made, expand):
        """Lists of texts, or a column for each place in them."""
        if not expand:
            return made
        from pandas.frame import DataFrame

        lists = [each if isinstance(each, list) else [nan] for each in made.tolist()]
        most = max([len(each) for each in lists] or [0])
        parts = {i: [each[i] if i < len(each) else None for each in lists] for i in range(most)}
        return DataFrame(parts, index=self._column.index)
