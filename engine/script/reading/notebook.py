"""Jupyter notebooks as scripts: code cells in order, each under a `# %%` line, markdown cells as comments."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

from engine.errors import SourceError
from engine.script.limits import Limits
from engine.script.reading.awaited import LOOP, driven
from engine.script.reading.indented import indented
from engine.script.reading.source import parse
from engine.script.reading.walk import children
from engine.script.surface import names

MAGIC = re.compile(r"\s*(%|!|\?)|\s*[\w.*%]+\?{1,2}\s*(#.*)?$")
SPOKEN_MAGIC = re.compile(r"^( *)(get_ipython\(\)\.\w+\((?:[^()\n]|\([^()\n]*\))*\) *(?:#.*)?)$", re.MULTILINE)
"""A magic as exported notebooks have it: get_ipython().run_line_magic("matplotlib", "inline")."""
ASSIGNED_SHELL = re.compile(r"\s*+[\w, ]++=\s*[%!]")
CELL_MAGIC = re.compile(r"%%(\w+)")
EVERY = re.compile(r"\bast_node_interactivity *= *(?P<quote>['\"])(?P<which>\w+)(?P=quote)")
"""Which expressions of the cells after this one Jupyter shows: "all", or others."""
DISPLAY = re.compile(r"\bdisplay\(|^(?>.*?\bimport\b).*\bdisplay\b", re.MULTILINE)
"""display() is there in notebooks, as print() is: the first cell that has it, imports it or shows something."""
OWN_DISPLAY = re.compile(
    r"\b(def|class|as) +display\b|\bdisplay *=[^=]|^(?>.*?\bfrom +IPython +import\b).*\bdisplay\b", re.MULTILINE
)
"""What gives the name another meaning, the module of that name too: values are then shown by a name of ours."""
AWAIT = re.compile(r"^[^#\n]*\b(?:await|async)\b", re.MULTILINE)
FUTURE = re.compile(r"^from __future__ import .*\n?", re.MULTILINE)
TIMED = re.compile(r"( *)%time +(?=\S)")
LEFT_OUT = re.compile(r"# Left out: (?P<cell>cell \d+) is not Python: (?P<message>.*)")
ANY_LEFT_OUT = re.compile(r"# Left out: (cell \d+|a %%\w+ cell)\b")
MAKES = (
    r"# (?:(?>.*?\bimport\b).*\b{0}\b"
    r"|.*(?:\b{0}\s*+(?:,\s*+\w++\s*+){{0,20}}+=(?!=)|\b(?:def|class|import|as|for)\s+{0}\b))"
)
"""As all patterns here no slower than the text is long: it is read before any budget runs."""
GOES_ON = """# The notebook goes on after what is raised here: {said}.
try:
{code}
except Exception as _error:
    print(f"{{type(_error).__name__}}: {{_error}}")"""
CAPTURED = """{said}
from IPython.utils.capture import capture_output as _capture_output
with _capture_output({refused}){name}:
{code}"""
NOT_PYTHON = ("SyntaxError", "IndentationError", "TabError")
HARMLESS = {"time", "timeit", "capture", "prun"}
"""Cell magics whose cell is Python."""


def is_notebook(text: str) -> bool:
    """Whether `text` looks like a notebook's JSON rather than like Python."""
    start = text.lstrip("\ufeff \t\r\n")[:4096]
    return start.startswith("{") and '"cells"' in text and ('"nbformat"' in text or '"cell_type"' in text)


def as_script(text: str) -> str:
    """`text`, or the script in it when it is a notebook. Raises SourceError for a broken notebook."""
    return read_notebook(text) if is_notebook(text) else text


def read_notebook(text: str) -> str:
    """The script of a notebook (version 3 or 4). Lines with magics and shell commands become comments, and so do cells
    that are not Python (`left_out` tells which); where the last statement of a cell is an expression, it is printed as
    Jupyter would show it. Raises SourceError, saying what was wrong, when `text` is not a notebook."""
    try:
        document = json.loads(text.removeprefix("\ufeff"))
    except ValueError as error:
        line = getattr(error, "lineno", 1)
        said = getattr(error, "msg", str(error))
        raise SourceError(
            f"this is not a notebook: its JSON breaks off at line {line} ({said})",
            line,
            kind="NotebookError",
            suggestion="Save the notebook again, or paste the code itself.",
        ) from None
    except RecursionError:
        raise SourceError("this is not a notebook: it is nested too deeply", 1, kind="NotebookError") from None
    parts: list[str] = []
    futures: list[str] = []  # of later cells: in a script they stand first
    cells = _cells(document)
    every = False
    displayed = any(OWN_DISPLAY.search(_text(cell, number)) for number, cell in enumerate(cells, 1))
    shows = "_display(_)" if displayed else "display(_)"
    imported = "display as _display" if displayed else "display"
    needs = re.compile(r"\b_display\(") if displayed else DISPLAY
    given = looped = False
    waits = any(AWAIT.search(_text(cell, number)) for number, cell in enumerate(cells, 1))
    size = 0
    last = max((number for number, cell in enumerate(cells, 1) if cell.get("cell_type") == "code"), default=0)
    for number, cell in enumerate(cells, 1):
        source = _text(cell, number)
        if not source.strip():
            continue
        known = len(parts)
        if cell.get("cell_type") == "code":
            code = _code(source, shows, number, every)
            every = next((found["which"] == "all" for found in EVERY.finditer(source)), every)
            if waits and (changed := driven(code)) is not None:
                code = changed if looped else f"{LOOP}\n{changed}"
                looped = True
            if number < last and (said := _goes_on(cell)):
                code = _caught(code, said)
            if any(part.startswith("# %%\n") for part in parts):
                futures += [line.rstrip("\n") + "\n" for line in FUTURE.findall(code)]
                code = FUTURE.sub("", code)
            if not given and needs.search(code):
                start = max((each.end() for each in FUTURE.finditer(code)), default=0)
                code = f"{code[:start]}from IPython.display import {imported}\n{code[start:]}"
                given = True
            parts.append("# %%\n" + code)
        elif cell.get("cell_type") in ("markdown", "heading"):
            parts.append("# %% [markdown]\n" + "\n".join(f"# {line}".rstrip() for line in source.splitlines()))
        size += sum(map(len, parts[known:]))
        if size > Limits().source_bytes:
            raise SourceError(
                f"the notebook has more than {Limits().source_bytes:,} bytes of code and text, which is the budget "
                "`source_bytes`",
                1,
                kind="SourceTooLarge",
            )
    if not any(part.startswith("# %%\n") for part in parts):
        raise SourceError(
            "the notebook has no code cells", 1, kind="NotebookError", suggestion="Paste a notebook with code."
        )
    if futures:
        first = next(index for index, part in enumerate(parts) if part.startswith("# %%\n"))
        parts[first] = parts[first].replace("\n", "\n" + "".join(futures), 1)
    return "\n\n".join(parts) + "\n"


def left_out(lines: list[str]) -> list[tuple[int, str, str]]:
    """(line, "cell 3", what Python says of it) of the cells of a notebook that its script has as comments."""
    found = ((number, LEFT_OUT.fullmatch(line)) for number, line in enumerate(lines, 1))
    return [(number, match["cell"], match["message"]) for number, match in found if match is not None]


def lost_with(lines: list[str], name: str) -> str:
    """Which cell that was left out of a notebook's script would have made `name`: "cell 3"; empty when none."""
    cell = ""
    makes = re.compile(MAKES.format(re.escape(name)))
    for line in lines:
        if not line.startswith("#") or line.startswith("# %%"):
            cell = ""
        elif (found := ANY_LEFT_OUT.match(line)) is not None:
            cell = found[1]
        elif cell and makes.match(line):
            return cell
    return ""


def _goes_on(cell: dict[str, Any]) -> str:
    """Why a notebook goes on after an error in a cell: Jupyter does where the cell is tagged so, and the author did
    where the notebook was saved with an error (an interruption is none of the code's). Empty where it does not."""
    metadata = cell.get("metadata")
    tags = metadata.get("tags") if isinstance(metadata, dict) else None
    if isinstance(tags, list) and "raises-exception" in tags:
        return "it is tagged raises-exception"
    outputs = cell.get("outputs")
    for each in outputs if isinstance(outputs, list) else ():
        if isinstance(each, dict) and each.get("output_type") in ("error", "pyerr"):
            name = each.get("ename")
            if isinstance(name, str) and name.isidentifier() and name not in ("KeyboardInterrupt", "SystemExit"):
                return f"it was saved with a {name}"
    return ""


def _caught(code: str, said: str) -> str:
    """A cell's code, indented into a try statement that shows what it raises. Lines within texts stay as they are."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code  # reading the script says it
    if FUTURE.search(code) or not tree.body:
        return code
    return GOES_ON.format(said=said, code=indented(code, tree))


def _cells(document: Any) -> list[dict[str, Any]]:
    cells = document.get("cells") if isinstance(document, dict) else None
    if cells is None and isinstance(document, dict) and isinstance(document.get("worksheets"), list):
        sheets = [sheet.get("cells", []) for sheet in document["worksheets"] if isinstance(sheet, dict)]  # version 3
        cells = [cell for each in sheets for cell in each] if all(isinstance(each, list) for each in sheets) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise SourceError(
            "this is not a notebook: it has no list of cells",
            1,
            kind="NotebookError",
            suggestion="A notebook is JSON with a list `cells`, each with a `cell_type` and a `source`.",
        )
    return cells


def _text(cell: dict[str, Any], number: int) -> str:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        raise SourceError(f"cell {number} of the notebook has no text as its source", 1, kind="NotebookError")
    lines = source.replace("\r\n", "\n").replace("\r", "\n")  # as Python counts them
    return SPOKEN_MAGIC.sub(_said, lines.rstrip("\n"))


def _said(found: re.Match[str]) -> str:
    return f"{found[1]}{'pass  ' if found[1] else ''}# Left out: {found[2]}"


def _code(source: str, shows: str, number: int, every: bool) -> str:
    """The Python of code cell `number`. `shows`: the call that shows its last value, or `every` one. In Jupyter a cell
    that is not Python fails alone, whatever is in it, and the others run."""
    lines = source.split("\n")
    first = next(line for line in lines if line.strip())
    magic = CELL_MAGIC.match(first.lstrip())
    if magic is not None and magic[1] == "capture" and first is not lines[-1]:
        rest = lines[lines.index(first) + 1 :]
        if any(line.strip() for line in rest):
            return _captured(first, _code("\n".join(rest), shows, number, every))
    if magic is not None and magic[1] not in HARMLESS:
        return _comment(f"a {magic[0]} cell.", [line for line in lines if line != first])
    if _wrong(source) is None:
        return _shown(source, shows, every)  # lines of a text or of a long expression may look like magics
    kept = _without_magics(lines)
    wrong = _wrong(kept)
    if wrong is not None and (indent := len(first) - len(first.lstrip())):  # as a whole, which Jupyter allows
        moved = "\n".join(line[indent:] if line[:indent].isspace() else line for line in kept.split("\n"))
        if _wrong(moved) is None:
            return _shown(moved, shows, every)
    if wrong is None:
        return _shown(kept, shows, every)
    if wrong.kind not in NOT_PYTHON:
        return kept  # it is too large or too deep, which reading the script says
    return _comment(f"cell {number} is not Python: {wrong.message} (its line {wrong.line})", lines)


def _captured(magic: str, code: str) -> str:
    """A cell's code within a with statement that keeps what it prints, as `%%capture name` does."""
    options = magic.split("#")[0].split()[1:]
    name = next((f" as {each}" for each in options if each.isidentifier()), "")
    refused = ", ".join(f"{kind}=False" for kind in ("stdout", "stderr", "display") if f"--no-{kind}" in options)
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code  # reading the script says it
    said = f"# Left out: {magic.strip()}"
    if not tree.body or FUTURE.search(code):
        return f"{said}\n{code}"
    return CAPTURED.format(said=said, refused=refused, name=name, code=indented(code, tree))


def _comment(why: str, lines: list[str]) -> str:
    return "\n".join([f"# Left out: {why}", *(f"# {line}".rstrip() for line in lines)])


def _wrong(source: str) -> SourceError | None:
    """What is wrong with a cell's text, read as Python."""
    try:
        parse(source, Limits(), awaits=True)
    except SourceError as error:
        return error
    return None


def _without_magics(lines: list[str]) -> str:
    kept: list[str] = []
    goes_on = False  # whether a shell command does, on the next line
    for line in lines:
        plain = f"# {line.strip()}" if goes_on else _plain(line)
        goes_on = line.endswith("\\") and (goes_on or plain != line)
        kept.append(plain)
    return "\n".join(kept)


def _plain(line: str) -> str:
    """A line; magics and shell commands as comments, behind a `pass` where a block may need a statement. What `%time`
    times is done."""
    if TIMED.match(line):
        return TIMED.sub(r"\1", line)
    if not (MAGIC.match(line) or ASSIGNED_SHELL.match(line)):
        return line
    indent = line[: len(line) - len(line.lstrip())]
    return f"{indent}{'pass  ' if indent else ''}# Left out: {line.strip()}"


def _shown(source: str, shows: str, every: bool) -> str:
    """`source` with its last expression shown, unless it ends in a semicolon or is a call that is there for what it
    does. With `every` all that come before are shown too, also in loops."""
    tree = ast.parse(source)
    last = tree.body[-1] if tree.body else None
    lines = source.encode().split(b"\n")
    written: list[tuple[int, int, str]] = []  # what is put in before which column of which line
    if isinstance(last, ast.Expr) and last.end_lineno is not None and not _is_silent(last.value):
        if lines[last.end_lineno - 1][last.end_col_offset :].lstrip().startswith(b";"):
            return source
        written += [_before(last, "if (_ := ("), _after(last, f")) is not None: {shows}")]
    for each in _expressions(tree) if every else ():
        if each is not last and not _is_silent(each.value):
            written += [_before(each, "None if (_ := ("), _after(each, f")) is None else {shows}")]
    pieces: dict[int, list[bytes]] = {}
    ends: dict[int, int] = {}
    for line, column, text in sorted(written, key=lambda each: each[:2]):
        before = lines[line][ends.get(line, 0) : column]
        if text.startswith("if ") and (before.strip() or line in ends):
            before = before.rstrip(b" ;") + b"\n"  # `a; b`: an if does not stand behind a semicolon
        pieces.setdefault(line, []).extend((before, text.encode()))
        ends[line] = column
    for line, found in pieces.items():
        lines[line] = b"".join(found) + lines[line][ends[line] :]
    return b"\n".join(lines).decode()


def _before(each: ast.Expr, text: str) -> tuple[int, int, str]:
    return each.lineno - 1, each.col_offset, text


def _after(each: ast.Expr, text: str) -> tuple[int, int, str]:
    return (each.end_lineno or each.lineno) - 1, each.end_col_offset or 0, text


def _expressions(tree: ast.Module) -> list[ast.Expr]:
    """The statements that are expressions, those within loops and branches too, in the order of the text."""
    found: list[ast.Expr] = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Expr):
            found.append(node)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            waiting.extend(children(node))
    return sorted(found, key=lambda each: (each.lineno, each.col_offset))


SILENT = names("""
print display backward step zero_grad show append extend insert seed close savefig tight_layout filterwarnings
set_printoptions set_default_dtype register_buffer add_module
""")
"""Calls that give None: they stand as they are."""
OF_LISTS = {"append": 1, "extend": 1, "insert": 2}
"""Methods of lists, each with so many arguments: NumPy's functions and pandas' labels give something."""


def _is_silent(value: ast.expr) -> bool:
    """Whether Jupyter shows nothing for this expression, as can be told from its text."""
    if isinstance(value, ast.Constant):
        return value.value is None
    if not isinstance(value, ast.Call):
        return False
    function = value.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in SILENT and not (isinstance(function, ast.Attribute) and _may_give(name, function.value, value))


def _may_give(name: str, owner: ast.expr, call: ast.Call) -> bool:
    """Whether a method of such a name may give something here: an environment's step(), a layer's backward()."""
    called = owner.id if isinstance(owner, ast.Name) else owner.attr if isinstance(owner, ast.Attribute) else ""
    if name in OF_LISTS:
        return called in ("", "np", "numpy") or len(call.args) != OF_LISTS[name]
    if name == "seed":
        return called != "random"
    if name == "backward":
        return bool(call.args) and not ast.unparse(call.args[0]).startswith("torch.")
    if name == "step":
        return not ("sched" in called or ("opt" in called and not call.args and not call.keywords))
    return False
