# type: ignore
"""glob: the run's own files whose paths fit a pattern, in the order of the alphabet."""

import os as _os

from fnmatch import fnmatchcase as _fits


def has_magic(s):
    return any([each in s for each in "*?["])


def glob(pathname, *, root_dir=None, recursive=False, include_hidden=False):
    start = "" if root_dir is None else str(root_dir)
    top = "/" if pathname.startswith("/") else ""
    return _below(start, top, [part for part in pathname.split("/") if part], recursive)


def iglob(pathname, **options):
    return iter(glob(pathname, **options))


def _below(start, folder, parts, recursive):
    if not parts:
        return [folder]
    part, rest = parts[0], parts[1:]
    place = _os.path.join(start, folder) or "."
    if part == "**" and recursive:
        found = _below(start, folder, rest, recursive) if rest or folder else []
        for name in _names(place):
            inner = _os.path.join(folder, name)
            if _os.path.isdir(_os.path.join(start, inner)):
                found += _below(start, inner, parts, recursive)
            elif not rest:
                found.append(inner)
        return found
    if not has_magic(part):
        inner = _os.path.join(folder, part)
        return _below(start, inner, rest, recursive) if _os.path.exists(_os.path.join(start, inner)) else []
    found = []
    for name in _names(place):
        if _fits(name, part) and (not name.startswith(".") or part.startswith(".")):
            inner = _os.path.join(folder, name)
            if not rest or _os.path.isdir(_os.path.join(start, inner)):
                found += _below(start, inner, rest, recursive)
    return found


def _names(place):
    return _os.listdir(place) if _os.path.isdir(place) else []


def escape(pathname):
    return "".join([f"[{each}]" if each in "*?[" else each for each in pathname])
