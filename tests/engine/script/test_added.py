"""Names that a script gives to modules: they are there for its own run."""

from __future__ import annotations

import numpy as np
import pytest

from engine.run import Command, Run
from engine.script.check import find_unsupported
from engine.script.reading.source import read_script
from tests.engine.script.compare import in_interpreter

ADDED = """\
import numpy as np
import torch.nn.functional as F
np.float = float
np.bool = bool
np.mine = [1]
F.twice = lambda x: 2 * x
print(np.array([1, 2], dtype=np.float).dtype, np.bool, np.mine, F.twice(3), "mine" in dir(np))
from numpy import mine
np.mine.append(2)
print(mine)
"""


def test_names_are_added_for_one_run() -> None:
    found = in_interpreter(ADDED)
    assert found.stdout == "float64 <class 'bool'> [1] 6 True\n[1, 2]\n"
    assert found.type is None
    assert not find_unsupported(read_script(ADDED.replace("from numpy import", "#")))
    after = in_interpreter("import numpy as np\nprint(np.bool, hasattr(np, 'mine'))\nnp.mine\n")
    assert after.stdout == "<class 'numpy.bool'> False\n"
    assert after.message == "module 'numpy' has no attribute 'mine'"


REPLACED = """\
import math, torch
import matplotlib.pyplot as plt
import torch.nn.functional as F
plt.title = "loss"
math.pi = 3
F.relu = lambda x: x + 1
torch.sin = torch.cos
print(plt.title, math.pi, F.relu(2), torch.sin(torch.zeros(1)).item(), dir(math).count("pi"))
"""


def test_what_a_module_has_is_another_for_one_run() -> None:
    found = in_interpreter(REPLACED)
    assert (found.stdout, found.type) == ("loss 3 3 1.0 1\n", None)
    after = in_interpreter("import math, torch\nprint(math.pi, torch.sin(torch.zeros(1)).item())\n")
    assert after.stdout == "3.141592653589793 0.0\n"


def test_names_with_an_underscore_stay() -> None:
    found = in_interpreter("import numpy as m\nm._a = 1\n")
    assert (found.type, found.message) == ("AttributeError", "'_a' of module 'numpy' cannot be changed by a script")


def test_a_fork_has_what_was_added_until_then() -> None:
    run = Run("import numpy as np\nnp.mine = [1]\nnp.mine.append(2)\nprint(np.mine)\n")
    run.execute(Command("finish"))
    past = run.fork(2)
    past.execute(Command("statement", statement="np.mine.append(3)"))
    past.execute(Command("finish"))
    assert past.moment(past.last).stdout != run.moment(run.last).stdout
    assert run.moment(run.last).stdout == "[1, 2]\n"


def test_numpy_says_what_became_of_old_names() -> None:
    """In the words of the NumPy that is installed."""
    for name in ("float", "int", "NaN", "float_", "no_such"):
        with pytest.raises(AttributeError) as theirs:
            getattr(np, name)
        found = in_interpreter(f"import numpy as np\nprint(hasattr(np, '{name}'))\nnp.{name}\n")
        assert (found.stdout, found.type, found.message) == ("False\n", "AttributeError", str(theirs.value))
