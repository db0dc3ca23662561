# type: ignore
"""difflib: what two sequences have in common."""

from collections import namedtuple

Match = namedtuple("Match", "a b size")


class SequenceMatcher:
    """The longest piece that both have, then the longest on each side of it, and so on."""

    def __init__(self, isjunk=None, a="", b="", autojunk=True):
        self.isjunk, self.autojunk = isjunk, autojunk
        self.a = self.b = None
        self.set_seqs(a, b)

    def set_seqs(self, a, b):
        self.set_seq1(a)
        self.set_seq2(b)

    def set_seq1(self, a):
        self.a, self._blocks, self._codes = a, None, None

    def set_seq2(self, b):
        self.b, self._blocks, self._codes, self._counted = b, None, None, None
        places = {}
        for i, item in enumerate(b):
            places.setdefault(item, []).append(i)
        self.bjunk = {item for item in places if self.isjunk is not None and self.isjunk(item)}
        many = len(b) // 100 + 1
        self.bpopular = set()
        if self.autojunk and len(b) >= 200:
            self.bpopular = {item for item in places if item not in self.bjunk and len(places[item]) > many}
        self.b2j = {k: v for k, v in places.items() if k not in self.bjunk and k not in self.bpopular}

    def find_longest_match(self, alo=0, ahi=None, blo=0, bhi=None):
        a, b = self.a, self.b
        ahi, bhi = len(a) if ahi is None else ahi, len(b) if bhi is None else bhi
        besti, bestj, size = alo, blo, 0
        before = {}
        for i in range(alo, ahi):
            now = {}
            for j in self.b2j.get(a[i], ()):
                if j >= bhi:
                    break
                if j >= blo:
                    k = now[j] = before.get(j - 1, 0) + 1
                    if k > size:
                        besti, bestj, size = i - k + 1, j - k + 1, k
            before = now
        for junk in (False, True):  # what is too frequent to begin with may still be at its edges; then what is junk
            while besti > alo and bestj > blo and (b[bestj - 1] in self.bjunk) == junk and a[besti - 1] == b[bestj - 1]:
                besti, bestj, size = besti - 1, bestj - 1, size + 1
            while besti + size < ahi and bestj + size < bhi:
                if (b[bestj + size] in self.bjunk) != junk or a[besti + size] != b[bestj + size]:
                    break
                size += 1
        return Match(besti, bestj, size)

    def get_matching_blocks(self):
        if self._blocks is None:
            waiting, found = [(0, len(self.a), 0, len(self.b))], []
            while waiting:
                alo, ahi, blo, bhi = waiting.pop()
                i, j, size = match = self.find_longest_match(alo, ahi, blo, bhi)
                if size:
                    found.append(match)
                    if alo < i and blo < j:
                        waiting.append((alo, i, blo, j))
                    if i + size < ahi and j + size < bhi:
                        waiting.append((i + size, ahi, j + size, bhi))
            joined = []
            for i, j, size in sorted(found):
                if joined and joined[-1][0] + joined[-1][2] == i and joined[-1][1] + joined[-1][2] == j:
                    joined[-1] = (joined[-1][0], joined[-1][1], joined[-1][2] + size)
                else:
                    joined.append((i, j, size))
            self._blocks = [Match(*each) for each in [*joined, (len(self.a), len(self.b), 0)]]
        return self._blocks

    def get_opcodes(self):
        if self._codes is None:
            i, j, found = 0, 0, []
            for start, other, size in self.get_matching_blocks():
                if i < start or j < other:
                    kind = "replace" if i < start and j < other else "delete" if i < start else "insert"
                    found.append((kind, i, start, j, other))
                i, j = start + size, other + size
                if size:
                    found.append(("equal", start, i, other, j))
            self._codes = found
        return self._codes

    def get_grouped_opcodes(self, n=3):
        codes = list(self.get_opcodes()) or [("equal", 0, 1, 0, 1)]
        if codes[0][0] == "equal":
            tag, i1, i2, j1, j2 = codes[0]
            codes[0] = tag, max(i1, i2 - n), i2, max(j1, j2 - n), j2
        if codes[-1][0] == "equal":
            tag, i1, i2, j1, j2 = codes[-1]
            codes[-1] = tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)
        group = []
        for tag, i1, i2, j1, j2 in codes:
            if tag == "equal" and i2 - i1 > 2 * n:
                group.append((tag, i1, min(i2, i1 + n), j1, min(j2, j1 + n)))
                yield group
                group, i1, j1 = [], max(i1, i2 - n), max(j1, j2 - n)
            group.append((tag, i1, i2, j1, j2))
        if group and not (len(group) == 1 and group[0][0] == "equal"):
            yield group

    def ratio(self):
        return _share(sum([each[2] for each in self.get_matching_blocks()]), len(self.a) + len(self.b))

    def quick_ratio(self):
        """At most this: items alone are counted, not their order."""
        left = {}
        for item in self.b:
            left[item] = left.get(item, 0) + 1
        matches = 0
        for item in self.a:
            if left.get(item, 0) > 0:
                matches += 1
                left[item] -= 1
        return _share(matches, len(self.a) + len(self.b))

    def real_quick_ratio(self):
        return _share(min(len(self.a), len(self.b)), len(self.a) + len(self.b))


def _share(matches, length):
    return 2.0 * matches / length if length else 1.0


def get_close_matches(word, possibilities, n=3, cutoff=0.6):
    if not n > 0:
        raise ValueError(f"n must be > 0: {n!r}")
    if not 0.0 <= cutoff <= 1.0:
        raise ValueError(f"cutoff must be in [0.0, 1.0]: {cutoff!r}")
    found, matcher = [], SequenceMatcher()
    matcher.set_seq2(word)
    for each in possibilities:
        matcher.set_seq1(each)
        if matcher.real_quick_ratio() >= cutoff and matcher.quick_ratio() >= cutoff and matcher.ratio() >= cutoff:
            found.append((matcher.ratio(), each))
    return [each for _, each in sorted(found, reverse=True)[:n]]


def _range(start, stop, empty):
    length = stop - start
    first = start + 1 if length else start
    return f"{first}" if length == 1 else f"{first},{length}" if empty else f"{first},{stop}"


def unified_diff(a, b, fromfile="", tofile="", fromfiledate="", tofiledate="", n=3, lineterm="\n"):
    begun = False
    for group in SequenceMatcher(None, a, b).get_grouped_opcodes(n):
        if not begun:
            begun = True
            yield f"--- {fromfile}{_dated(fromfiledate)}{lineterm}"
            yield f"+++ {tofile}{_dated(tofiledate)}{lineterm}"
        old = _range(group[0][1], group[-1][2], True)
        yield f"@@ -{old} +{_range(group[0][3], group[-1][4], True)} @@{lineterm}"
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                for line in a[i1:i2]:
                    yield " " + line
                continue
            for line in a[i1:i2]:
                yield "-" + line
            for line in b[j1:j2]:
                yield "+" + line


def _dated(date):
    return f"\t{date}" if date else ""


def context_diff(a, b, fromfile="", tofile="", fromfiledate="", tofiledate="", n=3, lineterm="\n"):
    marks = {"insert": "+ ", "delete": "- ", "replace": "! ", "equal": "  "}
    begun = False
    for group in SequenceMatcher(None, a, b).get_grouped_opcodes(n):
        if not begun:
            begun = True
            yield f"*** {fromfile}{_dated(fromfiledate)}{lineterm}"
            yield f"--- {tofile}{_dated(tofiledate)}{lineterm}"
        yield f"***************{lineterm}"
        yield f"*** {_lines(group[0][1], group[-1][2])} ****{lineterm}"
        if any([tag in ("replace", "delete") for tag, *_ in group]):
            for tag, i1, i2, _, _ in group:
                if tag != "insert":
                    for line in a[i1:i2]:
                        yield marks[tag] + line
        yield f"--- {_lines(group[0][3], group[-1][4])} ----{lineterm}"
        if any([tag in ("replace", "insert") for tag, *_ in group]):
            for tag, _, _, j1, j2 in group:
                if tag != "delete":
                    for line in b[j1:j2]:
                        yield marks[tag] + line


def _lines(start, stop):
    first = start + 1 if stop > start else start
    return f"{first}" if stop - start <= 1 else f"{first},{stop}"
