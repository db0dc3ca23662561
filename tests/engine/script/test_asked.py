"""What scripts ask about the machine, and what they set: answered as PyTorch answers where there is no accelerator."""

from __future__ import annotations

import pytest

from engine.script.check import find_unsupported
from engine.script.reading.source import read_script
from tests.engine.script.compare import in_interpreter


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("import torch\nprint(torch.accelerator.is_available(), torch.xpu.is_available())", "False False"),
        ("import torch\nprint(torch.cuda.memory_allocated(), torch.cuda.device_count())", "0 0"),
        ("import torch\ntorch.backends.cuda.matmul.allow_tf32 = True\nprint(1)", "1"),
        ("import sys\nprint(sys.version_info.major, sys.version_info >= (3, 6))", "3 True"),
        ("import torch\nx = torch.ones(2, 3)\nprint(x.layout, x.is_sparse, x.is_cpu)", "torch.strided False True"),
        ("import torch\nx = torch.ones(2, 3)\nprint(x[1].data_ptr() - x.data_ptr(), x[1].storage_offset())", "12 3"),
        ("import torch\nx = torch.ones(2)\nprint(x.abs().data_ptr() == x[:].data_ptr())", "False"),
        (
            "import random\nr = random.Random(3)\nprint(r.random(), r.sample(range(10), 3))",
            "0.23796462709189137 [8, 2, 5]",
        ),
        ("import torch\nprint(torch.nn.LSTM(1, 2)(torch.ones(3, 1, 1))[0].grad_fn is None)", "False"),
    ],
)
def test_answers(source: str, printed: str) -> None:
    ending = in_interpreter(source)
    assert ending.type is None, ending
    assert ending.stdout == printed + "\n"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("import torch.tensor", "No module named 'torch.tensor'"),
        (
            "import torch\ntorch.sparse_coo_tensor([[0], [0]], [1.0], (1, 1), device='cuda')",
            "PyTorch is not linked with support for cuda devices",
        ),
    ],
)
def test_refusals(source: str, told: str) -> None:
    assert in_interpreter(source).message == told


def test_a_schedule_of_the_old_name_is_a_base() -> None:
    source = """
import torch
from torch.optim.lr_scheduler import _LRScheduler
class Halving(_LRScheduler):
    def get_lr(self):
        return [lr * 0.5 ** self.last_epoch for lr in self.base_lrs]
optimizer = torch.optim.SGD([torch.ones(1)], lr=1.0)
schedule = Halving(optimizer)
for _ in range(2):
    optimizer.step(); schedule.step()
    print(schedule.get_last_lr())
"""
    assert in_interpreter(source).stdout == "[0.5]\n[0.25]\n"


def test_an_lstm_prints_the_node_that_pytorch_has() -> None:
    source = "import torch\nout, (h, c) = torch.nn.LSTM(1, 2)(torch.ones(3, 1, 1))\nprint(out, h)"
    printed = in_interpreter(source).stdout
    assert "grad_fn=<MkldnnRnnLayerBackward0>" in printed
    assert "grad_fn=<StackBackward0>" in printed


def test_what_is_not_there_is_told_up_front_and_when_it_is_reached() -> None:
    source = "import gzip\ngzip.open(1)"
    (found,) = find_unsupported(read_script(source))
    assert (found.name, found.line) == ("gzip.open", 2)
    assert "plain files only" in found.suggestion
    ending = in_interpreter(source)
    assert (ending.type, ending.line) == ("NotImplementedError", 2)
    assert "gzip.open() does not exist here: scripts have plain files only" in (ending.message or "")


def test_data_sets_that_would_be_fetched_can_be_imported() -> None:
    source = """
from sklearn.datasets import fetch_california_housing, make_regression
try:
    X, y = fetch_california_housing(return_X_y=True)
except Exception:
    X, y = make_regression(10, 3, random_state=0)
print(X.shape)
fetch_california_housing()
"""
    ending = in_interpreter(source)
    assert (ending.stdout, ending.type, ending.line) == ("(10, 3)\n", "NotImplementedError", 8)
    assert "scripts have no network" in (ending.message or "")


def test_what_would_be_downloaded_is_imported_and_refused_where_it_is_called() -> None:
    source = """
import requests
try:
    raise ConnectionError("nobody")
except requests.exceptions.RequestException as e:
    print(e)
requests.get("http://example.com")
"""
    (found,) = find_unsupported(read_script(source))
    assert (found.name, found.line) == ("requests.get", 7)
    ending = in_interpreter(source)
    assert (ending.stdout, ending.type, ending.line) == ("nobody\n", "NotImplementedError", 7)
    assert "scripts have no network" in (ending.message or "")


def test_bytes_become_arrays_and_tensors_and_arrays_bytes() -> None:
    source = """
import struct, numpy as np, torch
images = bytearray(struct.pack(">II", 8, 3)) + bytearray([1, 2, 3])
x = torch.frombuffer(images, dtype=torch.uint8, offset=8)
x[0] = 7
print(x, images[8], np.frombuffer(bytes(images), np.uint8, offset=8), np.frombuffer(images, ">u4", 2))
print(torch.tensor([1, 2]).short().numpy().tobytes(), np.frombuffer(np.arange(3.0).tobytes()), np.int8(5).tobytes())
"""
    ending = in_interpreter(source)
    assert ending.stdout == (
        "tensor([7, 2, 3], dtype=torch.uint8) 7 [7 2 3] [8 3]\nb'\\x01\\x00\\x02\\x00' [0. 1. 2.] b'\\x05'\n"
    ), ending
    assert in_interpreter("import numpy as np\nnp.frombuffer(b'12345678', object)").type == "TypeError"
    assert (
        in_interpreter("import numpy as np\nnp.broadcast_to(np.ones(1), (10**6, 100)).tobytes()").type
        == "LimitExceeded"
    )


def test_what_elementwise_functions_of_numpy_have_beside_being_called() -> None:
    source = """
import numpy as np
from matplotlib.axes import Axes
def drawn(ax: Axes | None = None) -> Axes: ...
grad = np.zeros((2, 3))
np.add.at(grad, (slice(None), np.array([1, 1])), np.ones((2, 2)))
print(grad.tolist(), np.maximum.accumulate([1, 3, 2]), np.add.reduce(np.arange(6).reshape(2, 3), axis=1))
print(np.multiply.outer([1, 2], [3, 4]).tolist(), {np.add: 1}[np.add], np.true_divide.__name__, hasattr(np.sum, "at"))
"""
    ending = in_interpreter(source)
    assert ending.stdout == ("[[0.0, 2.0, 0.0], [0.0, 2.0, 0.0]] [1 3 3] [ 3 12]\n[[3, 4], [6, 8]] 1 divide False\n"), (
        ending
    )
    assert in_interpreter("import numpy as np\nnp.add.outer(np.ones(10**5), np.ones(10**6))").type == "LimitExceeded"
    assert in_interpreter("import numpy as np\nnp.add.reduce(np.ones(2), dtype=object)").type == "TypeError"


def test_a_grid_for_a_decision_boundary() -> None:
    source = """
import numpy as np, torch
X = torch.tensor([[0.0, 1.0], [2.0, 3.0]])
xx, yy = np.meshgrid(np.linspace(0, 2, 2), X[:, 1])
print(np.c_[xx.ravel(), yy.ravel()].tolist(), np.r_[1, [2, 3]].tolist(), np.convolve([1, 2, 3], [1, 1], "valid"))
"""
    ending = in_interpreter(source)
    assert ending.stdout == "[[0.0, 1.0], [2.0, 1.0], [0.0, 3.0], [2.0, 3.0]] [1, 2, 3] [3 5]\n", ending
    assert in_interpreter("import numpy as np\nnp.r_[0:10**10]").type == "LimitExceeded"


def test_numpy_calls_with_a_guard_of_their_own() -> None:
    source = """
import numpy as np
column = np.linspace(0, 1, 3)
print(column.resize((3, 1)), column.shape, np.double(0.5), np.correlate([1.0, 2.0, 3.0], [0.0, 1.0, 0.5], "same"))
print(np.apply_along_axis(lambda row: row.sum() * 2, 1, np.arange(6).reshape(2, 3)), np.mgrid[0:2, 0:2].tolist())
print(list(np.ndenumerate(np.array([[1, 2]]))), list(np.ndindex(1, 2)), np.s_[1:], np.fft.fftfreq(4).tolist())
with np.errstate(divide="ignore"), np.printoptions(precision=1):
    print(np.array([0.25]))
print(np.array([0.25]))
"""
    ending = in_interpreter(source)
    assert ending.stdout.splitlines() == [
        "None (3, 1) 0.5 [2.  3.5 3. ]",
        "[ 6 24] [[[0, 0], [1, 1]], [[0, 1], [0, 1]]]",
        "[((0, 0), np.int64(1)), ((0, 1), np.int64(2))] [(0, 0), (0, 1)] slice(1, None, None) [0.0, 0.25, -0.5, -0.25]",
        "[0.2]",
        "[0.25]",
    ], ending
    for text in (
        "np.arange(3).resize(4)",
        "np.mgrid[0:10**6, 0:10**6]",
        "np.ndindex(10**6, 10**6)",
        "np.fft.fft([1.0], 10**11)",
    ):
        assert in_interpreter("import numpy as np\n" + text).type in ("ValueError", "LimitExceeded", "MemoryError"), (
            text
        )


def test_what_has_a_length_and_items_becomes_a_tensor_and_an_index() -> None:
    source = """
import torch
class Column:
    def __init__(self, values): self.values = values
    def __len__(self): return len(self.values)
    def __getitem__(self, i): return self.values[i]
print(torch.tensor(Column([1, 2])), torch.tensor([Column([1.5]), Column([2])]), torch.FloatTensor(Column([1])))
x = torch.zeros(3)
x[Column([True, False, True])] = 5.0
print(x, x[Column([0, 1])])
print(torch.tensor({1: 2}))
"""
    ending = in_interpreter(source)
    assert ending.stdout.splitlines() == [
        "tensor([1, 2]) tensor([[1.5000],",
        "        [2.0000]]) tensor([1.])",
        "tensor([5., 0., 5.]) tensor([5., 0.])",
    ]
    assert ending.message == "Could not infer dtype of dict"


def test_a_table_is_no_sequence_of_numbers() -> None:
    """Its items are its columns: there is no first one by number."""
    source = "import pandas as pd\nimport torch\ntorch.tensor(pd.DataFrame({'a': [1]}))"
    ending = in_interpreter(source)
    assert (ending.type, ending.message) == ("ValueError", "could not determine the shape of object type 'DataFrame'")


def test_counts_of_draws() -> None:
    source = """
import torch
from torch.distributions import Binomial
from torch.distributions.multinomial import Multinomial
print(Multinomial(10, torch.tensor([0.5, 0.5])).sample((3,)).sum(-1), Multinomial(4, torch.tensor([0.25, 0.75])).mean)
print(Binomial(10, torch.tensor([0.5, 0.1])), Binomial(4, logits=torch.tensor(0.5)).log_prob(torch.tensor(3.0)))
"""
    assert in_interpreter(source).stdout.splitlines() == [
        "tensor([10., 10., 10.]) tensor([1., 3.])",
        "Binomial(total_count: torch.Size([2]), probs: torch.Size([2])) tensor(-1.0100)",
    ]


def test_what_only_draws_is_there_whatever_its_name() -> None:
    source = """
import matplotlib.pyplot as plt
import matplotlib.ticker as ticker
from matplotlib.colors import LogNorm
ax = plt.figure().add_subplot(111)
ax.xaxis.set_major_locator(ticker.MultipleLocator(1))
plt.imshow([[1, 2]], norm=LogNorm(vmin=1), cmap=plt.cm.RdBu)
print("drawn")
"""
    assert in_interpreter(source).stdout == "drawn\n"
    assert in_interpreter("import matplotlib.ticker as t\nt._os").type == "AttributeError"


LOGGING = r"""import logging, sys
logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s %(message)s", stream=sys.stdout)
log = logging.getLogger("train")
log.info("x %d %s", 1, "a")
log.debug("no")
log.warning("w")
logging.error("root %s", 5)
log.setLevel(logging.DEBUG)
log.debug("yes")
print(log.level, log.name, logging.getLogger("train") is log)
print(log.isEnabledFor(10), logging.getLevelName(20), log.getEffectiveLevel())
h = logging.StreamHandler(sys.stdout)
h.setFormatter(logging.Formatter("[%(levelname)-8s] %(message)s"))
log.addHandler(h)
log.propagate = False
log.critical("c")
log.log(25, "lvl")
log.handlers.clear()
try: 1 / 0
except ZeroDivisionError: logging.getLogger("z").error("failed")
f = logging.FileHandler("log.txt")
f.setFormatter(logging.Formatter("%(message)s"))
l2 = logging.getLogger("file")
l2.addHandler(f)
l2.propagate = False
l2.warning("into file")
f.close()
print(open("log.txt").read())
child = logging.getLogger("train.child")
child.warning("child")
print(child.parent.name if child.parent else None)
class MyH(logging.Handler):
    def emit(self, record): print("EMIT", record.getMessage(), record.levelname, record.name)
l3 = logging.getLogger("h")
l3.addHandler(MyH())
l3.propagate = False
l3.error("e %s", 1)
l3.setLevel("ERROR")
l3.info("no")
logging.disable(logging.CRITICAL)
log.error("nothing")
logging.disable(logging.NOTSET)
class Filt(logging.Filter):
    def filter(self, r): return "secret" not in r.getMessage()
l3.addFilter(Filt())
l3.error("secret")
l3.error("open")
l3.exception("exc") if False else None
a = logging.LoggerAdapter(l3, {"k": 1})
a.error("adapted")
logging.getLogger().handlers[0].setFormatter(logging.Formatter("{levelname}:{message}", style="{"))
logging.warning("brace")
"""
LOGGED = """INFO train x 1 a
WARNING train w
ERROR root root 5
DEBUG train yes
10 train True
True INFO 10
[CRITICAL] c
[Level 25] lvl
ERROR z failed
into file

train
EMIT e 1 ERROR h
EMIT open ERROR h
EMIT adapted ERROR h
WARNING:brace
"""
"""What CPython prints: its logging belongs to the whole process, and that is the tests'."""


def test_logging_as_cpython_logs() -> None:
    assert in_interpreter(LOGGING).stdout == LOGGED


def test_dir_of_a_module_and_draws_that_leave_the_generator() -> None:
    source = """
import torch
from torch import nn
m = nn.Sequential(nn.BatchNorm1d(2))
print("weight" in dir(m[0]), "running_mean" in dir(m[0]), "0" in dir(m))
torch.manual_seed(3)
with torch.random.fork_rng():
    torch.rand(5)
print(torch.rand(1), torch.random.initial_seed())
"""
    assert in_interpreter(source).stdout == "True True False\ntensor([0.0043]) 3\n"


def test_linalg_of_numpy_has_the_names_that_arrays_are_multiplied_by() -> None:
    source = """
import numpy as np
s, w = np.array([1, -1]), np.array([[0.0, 2.0], [2.0, 1.0]])
print(np.linalg.multi_dot([s, w, s]), np.linalg.multi_dot([w, w, w]).tolist(), np.linalg.svdvals(np.eye(2)))
print(np.linalg.vector_norm(w), np.linalg.outer(s, s).tolist(), np.linalg.trace(w), np.linalg.matmul(w, s))
np.linalg.multi_dot([np.ones((2000, 2000), int)] * 300)
"""
    ending = in_interpreter(source)
    assert ending.stdout == "-3.0 [[4.0, 10.0], [10.0, 9.0]] [1. 1.]\n3.0 [[1, -1], [-1, 1]] 1.0 [-2.  1.]\n", ending
    assert ending.type == "LimitExceeded", ending


def test_a_method_of_a_class_that_lacks_its_module_says_whose_it_is() -> None:
    net = "import torch\nclass Net(torch.nn.Module):\n    pass\n"
    ending = in_interpreter(net + "torch.optim.SGD(Net.parameters(), lr=0.1)\n")
    assert ending.type == "TypeError"
    assert ending.message == "Module.parameters() missing 1 required positional argument: 'self'"
