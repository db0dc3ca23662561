# type: ignore
"""fnmatch: names against patterns with *, ? and [...]."""


def fnmatchcase(name, pat):
    """Goes through both from the left; after a star it tries again one character further on."""
    at = here = 0
    star = back = -1
    while at < len(name):
        found = _one(name[at], pat, here) if here < len(pat) and pat[here] != "*" else -1
        if here < len(pat) and pat[here] == "*":
            star, back = here, at
            here += 1
        elif found >= 0:
            at, here = at + 1, found
        elif star >= 0:
            back += 1
            at, here = back, star + 1
        else:
            return False
    return all([each == "*" for each in pat[here:]])


def _one(letter, pattern, here):
    """Where the pattern goes on after it has met a letter; -1 when it does not meet it."""
    if pattern[here] == "?":
        return here + 1
    if pattern[here] == "[":
        not_in = pattern[here + 1 : here + 2] == "!"
        end = pattern.find("]", here + 2 + not_in)
        if end >= 0:
            return end + 1 if _among(letter, pattern[here + 1 + not_in : end]) != not_in else -1
    return here + 1 if pattern[here] == letter else -1


def _among(letter, letters):
    at = 0
    while at < len(letters):
        if letters[at + 1 : at + 2] == "-" and at + 2 < len(letters):
            if letters[at] <= letter <= letters[at + 2]:
                return True
            at += 3
        else:
            if letters[at] == letter:
                return True
            at += 1
    return False


fnmatch = fnmatchcase


def filter(names, pat):
    return [name for name in names if fnmatchcase(name, pat)]
