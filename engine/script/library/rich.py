# type: ignore
"""rich: texts, tables and frames as they are printed into a pipe 80 characters wide, where there are no colours."""

from rich.console import Console

_console = Console()


def get_console():
    return _console


def print(*objects, sep=" ", end="\n", file=None, flush=False):
    made = _console if file is None else Console(file=file)
    made.print(*objects, sep=sep, end=end)


def print_json(json=None, *, data=None, indent=2, **options):
    from json import dumps, loads

    _console.print(dumps(data if json is None else loads(json), indent=indent), markup=False)


def inspect(obj, **options):
    raise NotImplementedError("rich.inspect() does not exist here: dir() and vars() tell what an object has")
