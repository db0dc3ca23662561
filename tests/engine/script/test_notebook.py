"""Notebooks become scripts that print what Jupyter would show."""

from __future__ import annotations

import contextlib
import json
import time
from typing import Any

import pytest

from engine.errors import SourceError
from engine.run import Command, Run
from engine.script.check import find_unsupported
from engine.script.reading.notebook import as_script, is_notebook, lost_with, read_notebook
from engine.script.reading.source import read_script
from tests.engine.script.compare import Ending, in_interpreter


def notebook(*cells: str | tuple[str, str], **more: object) -> str:
    made = []
    for cell in cells:
        kind, source = ("code", cell) if isinstance(cell, str) else cell
        made.append({"cell_type": kind, "source": source.splitlines(keepends=True), "outputs": [], "metadata": {}})
    return json.dumps({"cells": made, "nbformat": 4, "nbformat_minor": 5, "metadata": {}, **more})


def test_cells_in_order_with_their_last_expressions_shown() -> None:
    text = notebook(
        ("markdown", "# Title\nSome *text*"),
        "%matplotlib inline\nimport torch\n!pip install torch\ntorch.manual_seed(0);",
        "w = torch.tensor([1.0, 2.0], requires_grad=True)\nw.grad",
        "(w * 2).sum(\n).backward()\nw.grad  # shown",
        "'a', 'é'; 5",
        "x = 3;\nx;",
        "%%time\nx + 1",
        "%%bash\nrm -rf /",
        "if x:\n    !ls\nprint(x)",
        "",
    )
    assert is_notebook(text)
    script = read_notebook(text)
    assert in_interpreter(script).stdout == "tensor([2., 2.])\n5\n4\n3\n"
    cells = read_script(script).cells
    assert [cell.kind for cell in cells] == ["markdown"] + ["code"] * 8
    assert "# Left out: !pip install torch" in script
    assert "# rm -rf /" in script


def test_what_jupyter_shows_of_the_last_call_of_a_cell() -> None:
    script = read_notebook(
        notebook(
            "import torch\nimport matplotlib.pyplot as plt\ntorch.*Tensor?\ntorch.manual_seed(0)",
            "x = torch.ones(2)\nx.zero_()",
            "plt.plot([1, 2])\nplt.title('T')",
            "plt.grid()",
            "plt.ylim(0, 2)",
            "plt.legend(['a'])\nplt.show()",
            "display(x, 'a')",
            "import pandas as pd\ndisplay(pd.Series([1]))",
        )
    )
    assert "# Left out: torch.*Tensor?" in script
    first, *rest = in_interpreter(script).stdout.splitlines()
    assert first.startswith("<torch._C.Generator at 0x")
    assert rest == [
        "tensor([0., 0.])",
        "Text(0.5, 1.0, 'T')",
        "(0.0, 2.0)",
        "tensor([0., 0.])",
        "'a'",
        "0    1",
        "dtype: int64",
    ]


T = "torch.tensor([[1.0], [2.0]])"
PRINT_AND_RELU = (
    "(<function print(*args, sep=' ', end='\\n', file=None, flush=False)>,\n"
    " <function torch._VariableFunctionsClass.relu>)"
)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (f"({T}, {T}.shape)", "(tensor([[1.],\n         [2.]]),\n torch.Size([2, 1]))"),
        ("(1, 'a', [])", "(1, 'a', [])"),
        ("[1 / 3] * 5", "[" + ",\n ".join(["0.3333333333333333"] * 5) + "]"),
        ("[0.25] * 4", "[0.25, 0.25, 0.25, 0.25]"),
        (f"{{'w': {T}, 'n': [1, 2]}}", "{'w': tensor([[1.],\n         [2.]]),\n 'n': [1, 2]}"),
        ("{'b' * 40: [1, 2], 'a' * 40: {3}}", f"{{'{'b' * 40}': [1, 2],\n '{'a' * 40}': {{3}}}}"),
        ("({3, 1, 2}, frozenset('ba'), set())", "({1, 2, 3}, frozenset({'a', 'b'}), set())"),
        (
            "filled(torch.nn.Linear(1, 1)).state_dict()",
            "OrderedDict([('weight', tensor([[1.]])), ('bias', tensor([1.]))])",
        ),
        (
            "filled(torch.nn.Linear(1, 2)).state_dict()",
            "OrderedDict([('weight',\n              tensor([[1.],\n                      [1.]])),\n"
            + " " * 13
            + "('bias', tensor([1., 1.]))])",
        ),
        (
            "filled(torch.nn.Linear(1, 1))._parameters",
            (
                "{'weight': Parameter containing:\n tensor([[1.]], requires_grad=True),\n"
                " 'bias': Parameter containing:\n tensor([1.], requires_grad=True)}"
            ),
        ),
        ("collections.Counter('abbb')", "Counter({'b': 3, 'a': 1})"),
        ("collections.defaultdict(list, a=[1])", "defaultdict(list, {'a': [1]})"),
        ("collections.deque([1, 2], maxlen=3)", "deque([1, 2], maxlen=3)"),
        ("[int, torch.Tensor, Bare]", "[int, torch.Tensor, __main__.Bare]"),
        ("list(range(1002))", "[" + "".join(f"{i},\n " for i in range(1000)) + "...]"),
        ("ring", "[1, [...]]"),
        ("filled", "<function __main__.filled(module)>"),
        ("[lambda a, b=2: a]", "[<function __main__.<lambda>(a, b=2)>]"),
        ("(lambda: 1)()", "1"),
        ("torch.ones(2).sum", "<function Tensor.sum>"),
        ("torch.ones(2).backward", "<bound method Tensor.backward of tensor([1., 1.])>"),
        (
            "[len, [1].append, {1}.add]",
            "[<function len(obj, /)>, <function list.append(object, /)>, <function set.add>]",
        ),
        ("(print, torch.relu)", PRINT_AND_RELU),
        ("(torch.linalg.norm, map)", "(<function torch._C._linalg.linalg_norm>, map)"),
        ("os.path.join", "<function posixpath.join(a, *p)>"),
        (r"re.compile('\\d\"', re.I)", r"""re.compile(r'\d"', re.IGNORECASE|re.UNICODE)"""),
        ("re.compile(b'x')", "re.compile(rb'x')"),
        ("torch.nn.ReLU()", "ReLU()"),
        ("'a\\nb'", "'a\\nb'"),
        ("print(5)", "5"),
    ],
)
def test_values_as_jupyter_shows_them(value: str, shown: str) -> None:
    head = """import collections, os, re
import torch
class Bare: pass
ring = [1]
ring.append(ring)
def filled(module):
    with torch.no_grad():
        for each in module.parameters():
            each.fill_(1.0)
    return module
"""
    assert in_interpreter(read_notebook(notebook(head, value))).stdout == shown + "\n"


def test_what_has_no_text_of_its_own_is_shown_without_the_word_object() -> None:
    shown = in_interpreter(read_notebook(notebook("class Bare: pass", "[Bare()]"))).stdout
    assert shown.startswith("[<__main__.Bare at 0x")
    shown = in_interpreter(read_notebook(notebook("class Bare:\n    def f(self): pass", "Bare().f"))).stdout
    assert shown.startswith("<bound method Bare.f of <__main__.Bare object at 0x")


SETTINGS = [
    'from IPython.core.interactiveshell import InteractiveShell\nInteractiveShell.ast_node_interactivity = "all"\n1; 2',
    "%config InteractiveShell.ast_node_interactivity = 'all'\n1; 2",
]


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_expression_is_shown_where_a_notebook_says_so(setting: str) -> None:
    """From the next cell on; also in loops and branches, never in functions."""
    script = read_notebook(
        notebook(
            setting,
            "x = 3\nx\nx + 1; 'é'\nfor i in range(2): i\nif x:\n    (x +\n     2)\nx * 5",
            "def f():\n    7\n    return 8\nprint(9)\nNone\nf()\ny = 1",
            'InteractiveShell.ast_node_interactivity = "last_expr"\n1\n2' if "import" in setting else "1\n2;",
            "5\n6" if "import" in setting else "6",
        )
    )
    said = "2\n3\n4\n'é'\n0\n1\n5\n15\n9\n8\n"
    assert in_interpreter(script).stdout == said + ("1\n2\n6\n" if "import" in setting else "6\n")


def test_magics_as_exported_notebooks_have_them_are_left_out() -> None:
    """A cell may begin with get_ipython().run_line_magic(...), which is Python; elsewhere the name is told missing."""
    cell = "import math\nget_ipython().run_line_magic('matplotlib', 'inline')  # (plots)\n"
    cell += "if True:\n    get_ipython().system('ls')"
    ran = in_interpreter(read_notebook(notebook(cell, "math.pi > 3", "get_ipython().magic('time')")))
    assert ran.type is None
    assert ran.stdout == "True\n"


def test_a_notebook_with_a_display_of_its_own_keeps_it() -> None:
    script = read_notebook(notebook("def display(text):\n    print('own', text)", "display(1)", "(1, 2)"))
    assert in_interpreter(script).stdout == "own 1\n(1, 2)\n"


def test_values_are_shown_in_a_notebook_that_imports_the_module_display() -> None:
    first = "from math import pi\nfrom IPython import display\ndisplay.set_matplotlib_formats('svg')"
    script = read_notebook(notebook(first, "{'a' * 50: 1, 'b' * 50: 2}", "display.clear_output()", "3"))
    assert in_interpreter(script).stdout == f"{{'{'a' * 50}': 1,\n '{'b' * 50}': 2}}\n3\n"


def test_tables_have_as_many_columns_as_jupyter_shows() -> None:
    """Twenty, in blocks one below the other; a script has as many as fit into a line."""
    table = "import pandas as pd\nd = pd.DataFrame({f'the column {i}': [i] for i in range(9)})"
    wide = "   the column 0  the column 1  the column 2  the column 3  the column 4  \\"
    shown = in_interpreter(read_notebook(notebook(table, "print(d)", "d"))).stdout.splitlines()
    assert shown[:2] == [wide, "0             0             1             2             3             4   "]
    assert shown[3] == "   the column 5  the column 6  the column 7  the column 8  "
    assert shown[5:] == shown[:5]
    assert "..." in in_interpreter(f"{table}\nprint(d)").stdout


def test_methods_that_give_something_are_shown_whatever_they_are_called() -> None:
    script = read_notebook(
        notebook(
            "import numpy as np\nimport torch\nimport pandas as pd\nnp.append([1, 2], 3)",
            "np.insert(np.arange(3), 1, 5)",
            "class Env:\n    def step(self, a=0):\n        return a + 1, False\n    def backward(self, d):\n"
            "        return d\n    seed = update = step\nenv = Env()\nenv.step(1)",
            "env.backward(4)",
            "env.seed(2)",
            "env.update()",
            "pd.Index(['a']).append(pd.Index(['b']))",
            "w = torch.ones(1, requires_grad=True)\noptimizer = torch.optim.SGD([w], 0.1)\n"
            "optimizer.step(lambda: w.detach() * 2)",
            "held = [1]\nheld.append(2)",
            "w.backward(torch.ones(1))",
            "optimizer.step()",
            "held.insert(0, 3)",
            "np.random.seed(0)",
            "{}.update(a=1)",
            "held",
        )
    )
    assert "\nheld.append(2)" in script
    assert "\noptimizer.step()" in script
    assert in_interpreter(script).stdout.splitlines() == [
        "array([1, 2, 3])",
        "array([0, 5, 1, 2])",
        "(2, False)",
        "4",
        "(3, False)",
        "(1, False)",
        "Index(['a', 'b'], dtype='str')",
        "tensor([2.])",
        "[3, 1, 2]",
    ]


def test_shell_commands_alone_in_a_block() -> None:
    cell = "if False:  # only there\n    !wget x\n    !pip install y\nelse:\n    # here\n    %cd z\n%time\n1"
    assert in_interpreter(read_notebook(notebook(cell))).stdout == "1\n"


def test_what_notebooks_ask_for_and_switch_off_first() -> None:
    script = read_notebook(
        notebook(
            "import sys\nimport matplotlib.pyplot as plt\nimport torch",
            "'google.colab' in sys.modules, 'torch' in sys.modules",
            "plt.ioff()",
        )
    )
    asked, switched = in_interpreter(script).stdout.splitlines()
    assert asked == "(False, True)"
    assert switched.startswith("<contextlib.ExitStack at 0x")


def test_imports_from_the_future_stay_first() -> None:
    script = read_notebook(notebook("from __future__ import annotations\nx: list[int] = [1]\nx", "x * 2"))
    assert in_interpreter(script).stdout == "[1]\n[1, 1]\n"


def test_imports_from_the_future_of_later_cells_come_first() -> None:
    script = read_notebook(notebook("import torch\n1", ("markdown", "a"), "from __future__ import annotations\n2"))
    assert in_interpreter(script).stdout == "1\n2\n"


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("x = # YOUR CODE HERE", "invalid syntax (its line 1)"),
        ("print(1)\nprint 'x'", "Missing parentheses in call to 'print'. Did you mean print(...)? (its line 2)"),
        ("def f(x):\n    # unfinished", "expected an indented block after function definition on line 1 (its line 2)"),
        ("pip install torch", "invalid syntax (its line 1)"),
        ("!ls\nfor each batch:\n    optimizer.step()", "invalid syntax (its line 2)"),
        ("x = 2\nreturn x", "'return' outside function (its line 2)"),
        ("if x:\n\ty = 1\n        z = 2", "inconsistent use of tabs and spaces in indentation (its line 3)"),
    ],
)
def test_a_cell_that_is_not_python_is_left_out_alone(cell: str, said: str) -> None:
    text = read_notebook(notebook("x = 1\nx", ("markdown", "Now you:"), cell, "x + 1"))
    assert in_interpreter(text).stdout == "1\n2\n"
    script = read_script(text)
    (told,) = find_unsupported(script)
    assert told.name == "cell 3"
    assert said in told.message
    shown = script.lines[told.line : told.line + cell.count("\n") + 1]  # its text stands below as comments
    assert [line[2:] for line in shown] == cell.split("\n")


@pytest.mark.parametrize(
    ("cell", "printed"),
    [
        ("    x = 1\n    if x:\n        x = 2\n    x", "2\n"),
        ("!pip install a \\\n    b \\\n    c\n3", "3\n"),
        ("%time x = 4\nx", "4\n"),
        ("if True:\n    %time print(5)", "5\n"),
        ("%time 6", "6\n"),
    ],
)
def test_cells_that_jupyter_reads_in_its_own_way(cell: str, printed: str) -> None:
    assert in_interpreter(read_notebook(notebook(cell))).stdout == printed


def test_cells_too_large_or_too_deep_are_no_cells_to_leave_out() -> None:
    for cell in ("x = " + "-" * 100_000 + "1", "x = " + "[" * 5000, "#" * 300_000):
        with pytest.raises(SourceError) as raised:
            read_script(read_notebook(notebook("1", cell)))
        assert raised.value.kind in ("SourceTooDeep", "SourceTooLarge")


MANY = 200_000


@pytest.mark.parametrize(
    "cell",
    [
        "x ===\n" + " " * MANY + "y",
        "# " + "import " * (MANY // 7),
        "# " + "from IPython import " * (MANY // 20),
        " " * MANY + "get_ipython().a(",
        "x = 1\n" + "x; " * (MANY // 3),
    ],
    ids=["spaces", "imports", "displays", "magic", "statements"],
)
def test_a_notebook_takes_no_longer_than_it_is_long(cell: str) -> None:
    """It is read before any budget runs: where each part looked through all of it, that would take minutes."""
    began = time.process_time()
    with contextlib.suppress(SourceError):
        read_notebook(notebook("ast_node_interactivity = 'all'", cell))
    assert time.process_time() - began < 20.0


@pytest.mark.parametrize("line", ["a, " * (MANY // 3), "import " * (MANY // 7), "a" + " " * MANY])
def test_cells_left_out_are_looked_through_once_for_a_name(line: str) -> None:
    began = time.process_time()
    assert lost_with(["# Left out: cell 3 is not Python: x", f"# {line}", "# b, a = 1, 2"], "a") == "cell 3"
    assert time.process_time() - began < 20.0


def test_many_cells_are_too_large_together() -> None:
    with pytest.raises(SourceError, match="budget `source_bytes`") as raised:
        read_notebook(notebook(*["x" * 1000] * 300))
    assert raised.value.kind == "SourceTooLarge"


def test_python_and_json_that_is_no_notebook_are_left_alone() -> None:
    for text in ("x = {}\nprint(x)\n", '{"a": 1}', ""):
        assert as_script(text) == text


def test_the_training_loop_of_a_notebook_has_its_buttons() -> None:
    loop = """for i in range(2):
    opt.zero_grad()
    loss = (w * 3).pow(2)
    loss.backward()
    opt.step()
"""
    script = read_notebook(
        notebook(
            "import torch\nw = torch.tensor(1.0, requires_grad=True)\nopt = torch.optim.SGD([w], lr=0.1)", loop, "w"
        )
    )
    assert [phase.do for phase in read_script(script).phases] == ["zero_grad", "forward", "backward", "step"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"cells": [', "JSON breaks off at line 1"),
        ('{"cells": 5, "nbformat": 4}', "no list of cells"),
        ('{"cells": [5], "nbformat": 4}', "no list of cells"),
        ('{"cells": [{"cell_type": "code", "source": 5}], "nbformat": 4}', "cell 1 of the notebook has no text"),
        ('{"cells": [], "nbformat": 4}', "no code cells"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_broken_notebooks_say_what_is_wrong(text: str, said: str) -> None:
    with pytest.raises(SourceError) as raised:
        read_notebook(text)
    assert said in raised.value.message


def with_error(source: str, name: str = "", tags: tuple[str, ...] = ()) -> dict[str, object]:
    outputs = [{"output_type": "error", "ename": name, "evalue": "", "traceback": []}] if name else []
    return {"cell_type": "code", "source": source, "outputs": outputs, "metadata": {"tags": list(tags)}}


def run_cells(*cells: dict[str, object]) -> Ending:
    return in_interpreter(read_notebook(json.dumps({"cells": list(cells), "nbformat": 4, "nbformat_minor": 5})))


WRONG = 'text = """a\n  b"""\nprint(f"""{text}\nc""",\n  1)\ntext.nothing\nprint("never")'


@pytest.mark.parametrize("how", [{"name": "AttributeError"}, {"tags": ("raises-exception",)}])
def test_a_notebook_goes_on_after_an_error_that_it_expects(how: dict[str, Any]) -> None:
    ending = run_cells(with_error(WRONG, **how), with_error("text"))
    assert ending.stdout == "a\n  b\nc 1\nAttributeError: 'str' object has no attribute 'nothing'\n'a\\n  b'\n"
    assert ending.type is None


@pytest.mark.parametrize(
    "cells",
    [
        (with_error(WRONG), with_error("5")),  # it expects none
        (with_error(WRONG, "KeyboardInterrupt"), with_error("5")),  # whoever ran it had enough of it
        (with_error("5"), with_error(WRONG, "AttributeError"), {"cell_type": "markdown", "source": "End"}),
    ],
)
def test_an_error_that_a_notebook_does_not_go_on_after_ends_it(cells: tuple[dict[str, object], ...]) -> None:
    assert run_cells(*cells).type == "AttributeError"


def test_a_training_loop_in_a_cell_that_was_saved_with_an_error_has_its_buttons() -> None:
    loop = "for i in range(2):\n    opt.zero_grad()\n    loss = w * 3\n    loss.backward()\n    opt.step()\nnothing"
    head = "import torch\nw = torch.tensor(1.0, requires_grad=True)\nopt = torch.optim.SGD([w], lr=0.1)"
    cells = [with_error(head), with_error(loop, "NameError"), with_error("w")]
    script = read_script(read_notebook(json.dumps({"cells": cells, "nbformat": 4})))
    assert [phase.do for phase in script.phases] == ["zero_grad", "forward", "backward", "step"]


@pytest.mark.parametrize(
    ("code", "cell"),
    [
        ("net = make(", "cell 1"),
        ("a, net = 1, 2 +", "cell 1"),
        ("def net(:", "cell 1"),
        ("%%writefile net.py\nclass net:\n    pass", "a %%writefile cell"),
        ("from nets import net as", "cell 1"),
        ("net == 5 +", ""),
        ("net = 5", ""),
        ("network = (", ""),
    ],
)
def test_a_name_that_went_with_its_cell(code: str, cell: str) -> None:
    assert lost_with(read_notebook(notebook(code, "net = 3")).split("\n"), "net") == cell


def test_a_missing_name_is_told_with_the_cell_that_was_left_out() -> None:
    run = Run(read_notebook(notebook("import torch", "net = torch.nn.Linear(2", "w = torch.ones(1)\nnet(w)")))
    run.execute(Command("finish"))
    error = run.moment(run.last).error
    assert error is not None
    assert error.type == "NameError"
    assert error.suggestion == "Cell 2 of the notebook makes net, and was left out: mend it, its lines are comments."


def test_widgets_hold_their_values_and_print_as_in_ipywidgets() -> None:
    text = """import ipywidgets as widgets
from ipywidgets import interact
bar = widgets.IntProgress(value=0, min=0, max=19)
bar.value += 3
print(bar, widgets.FloatSlider(value=0.5, min=0, max=1, step=.1, description="lr"), widgets.IntSlider(3, 0, 10))
print(widgets.Dropdown(options=["a", "b"]), widgets.Checkbox(True), widgets.Label("x"), widgets.IntSlider())
@interact(a=(0, 10), b=(0.0, 1.0), c=["x", "y"], d=True, e=(1, 10, 2), f={"k": 7})
def shown(a, b, c, d, e, f):
    print(a, b, c, d, e, f)
@widgets.interact_manual(a=3)
def pressed(a):
    print("never")
from mpl_toolkits.axes_grid1 import make_axes_locatable
import matplotlib.pyplot as plt
figure, ax = plt.subplots()
figure.colorbar(ax.imshow([[1]]), cax=make_axes_locatable(ax).append_axes("right", size="5%", pad=0.05))
"""
    assert in_interpreter(text).stdout == (
        "IntProgress(value=3, max=19) FloatSlider(value=0.5, description='lr', max=1.0) IntSlider(value=3, max=10)\n"
        "Dropdown(options=('a', 'b'), value='a') Checkbox(value=True) Label(value='x') IntSlider(value=0)\n"
        "5 0.5 x True 5 7\n"
    )


def test_version_3() -> None:
    text = json.dumps({"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": ["1 + 1"]}]}]})
    assert in_interpreter(as_script(text)).stdout == "2\n"


def test_cells_that_await_outside_of_functions() -> None:
    """All cells share one event loop, as in Jupyter: a task that one cell made goes on in the next."""
    script = read_notebook(
        notebook(
            "import asyncio\nasync def late(x):\n    await asyncio.sleep(1)\n    return 2 * x",
            "x = await late(2); print(x)\nawait late(x)",
            "y: int = await late(x + 1)  # a comment\nawait late('a'); y",
            "task = asyncio.create_task(late(9))\nprint(task.done())",
            "print(await task, task.done(), [each for each in await asyncio.gather(late(1), late(2))])",
            "async def count(n):\n    for i in range(n):\n        yield i\n"
            "async for i in count(2):\n    text = f'''a\n  b {i}'''\n    print(text)",
            "[i async for i in count(3)]",
            "if x:\n    import math as m, os.path\n    held = await late(m.floor(x))\nheld, os.path.basename('a/b'), i",
            "await late(0)\ntry:\n    await late(1 / 0)\nexcept ZeroDivisionError as e:\n    said = str(e)\nsaid",
        )
    )
    assert in_interpreter(script).stdout.splitlines() == [
        "4", "8", "10", "False", "18 True [2, 4]", "a", "  b 0", "a", "  b 1", "[0, 1, 2]", "(8, 'b', 1)",
        "'division by zero'",
    ]  # fmt: skip
    assert "_event_loop" not in read_notebook(
        notebook("def f():\n    async def g():\n        await h()", "asyncio.run(f())")
    )


def test_lines_end_in_each_way_that_python_knows() -> None:
    script = read_notebook(notebook("x = 1\rx += 1\r\nx", "import asyncio\rawait asyncio.sleep(0)\rx + 1"))
    assert in_interpreter(script).stdout.splitlines() == ["2", "3"]


def test_an_await_in_what_is_no_notebook_is_refused_as_python_does() -> None:
    with pytest.raises(SourceError, match="'await' outside function"):
        read_script("import asyncio\nawait asyncio.sleep(1)\n")


def test_a_captured_cell_shows_nothing_until_it_is_asked() -> None:
    script = read_notebook(
        notebook(
            "%%capture\n!pip install torch",
            '%%capture  cap\nimport torch\nw = torch.ones(2)\nprint("a", """b\n  c""")\nw',
            "w.sum()",
            "cap.stdout, len(cap.outputs)",
            "cap.show()",
            "\n%%capture --no-display --no-stderr\n\nprint('never')\nw",
            "%%capture out\nfor i in range(2):\n    !ls\n    print(i)",
            "print(out)",
        )
    )
    assert in_interpreter(script).stdout == (
        "tensor(2.)\n('a b\\n  c\\n', 1)\na b\n  c\ntensor([1., 1.])\ntensor([1., 1.])\n0\n1\n\n"
    )
    assert script.startswith("# %%\n# Left out: %%capture\n# Left out: !pip install torch\n")


def test_a_training_loop_in_a_captured_cell_has_its_phases() -> None:
    loop = "for i in range(2):\n    (w ** 2).backward()\n    w.data -= 0.1 * w.grad\n    w.grad = None"
    script = read_notebook(notebook(f"%%capture\nimport torch\nw = torch.tensor(1.0, requires_grad=True)\n{loop}"))
    assert {"backward", "step", "zero_grad"} <= {phase.do for phase in read_script(script).phases}
