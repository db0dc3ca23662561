# type: ignore
"""shutil: files of the run, copied, moved and thrown away."""

import os as _os

import _files


class Error(OSError):
    pass


class SameFileError(Error):
    pass


def copyfile(src, dst, *, follow_symlinks=True):
    if _os.path.abspath(src) == _os.path.abspath(dst):
        raise SameFileError(f"{src!r} and {dst!r} are the same file")
    _files.copied(src, dst)
    return dst


def copy(src, dst, *, follow_symlinks=True):
    if _os.path.isdir(dst):
        dst = _os.path.join(dst, _os.path.basename(src))
    return copyfile(src, dst)


copy2 = copy


def copytree(
    src, dst, symlinks=False, ignore=None, copy_function=copy2, ignore_dangling_symlinks=False, dirs_exist_ok=False
):
    names = _os.listdir(src)
    _os.makedirs(dst, exist_ok=dirs_exist_ok)
    left = set() if ignore is None else set(ignore(src, names))
    for name in names:
        start, end = _os.path.join(src, name), _os.path.join(dst, name)
        if name in left:
            continue
        if _os.path.isdir(start):
            copytree(start, end, symlinks, ignore, copy_function, False, dirs_exist_ok)
        else:
            copy_function(start, end)
    return dst


def move(src, dst, copy_function=copy2):
    end = _os.path.join(dst, _os.path.basename(str(src).rstrip("/"))) if _os.path.isdir(dst) else dst
    if _os.path.isdir(dst) and _os.path.exists(end):
        raise Error(f"Destination path {end!r} already exists")
    _os.rename(src, end)
    return end


def rmtree(path, ignore_errors=False, onerror=None):
    try:
        for name in _os.listdir(path):
            inner = _os.path.join(path, name)
            if _os.path.isdir(inner):
                rmtree(inner)
            else:
                _os.remove(inner)
        _os.rmdir(path)
    except OSError:
        if not ignore_errors:
            raise


def which(cmd, mode=1, path=None):
    return None
