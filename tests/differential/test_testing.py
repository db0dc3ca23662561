"""torch.testing as scripts use it: what assert_close() says is what PyTorch's does."""

from __future__ import annotations

from typing import Any

from tests.differential import oracle, scripts
from tests.engine.script.compare import in_interpreter

CLOSE = """
import torch
nan = float("nan")
PAIRS = [
    (torch.tensor([[1.,5.],[2.,3.]]), torch.tensor([[1.,4.],[2.,2.]]),{}),
    (torch.tensor([1, 2]), torch.tensor([1, 3]),{}),
    (torch.tensor([1, 2]), torch.tensor([1, 3]),dict(rtol=0,atol=0)),
    (torch.ones(2),torch.ones(2)+1,dict(rtol=0,atol=.5)),
    (torch.ones(2),torch.ones(2)+1,dict(rtol=.1,atol=.5)),
    (torch.tensor(1.),torch.tensor(2.),{}),
    (1.,2.,{}),
    (1,2,{}),
    ([torch.ones(1)],[torch.zeros(1)],{}),
    ({"a":torch.ones(1)},{"a":torch.zeros(1)},{}),
    (torch.tensor([True,False]),torch.tensor([False,False]),{}),
    (torch.tensor([float("nan"),1.]),torch.tensor([float("nan"),1.]),{}),
    (torch.ones(2),[1.,1.],{}),
    (torch.ones(1),torch.ones(1),dict(rtol=0)),
    ([1,2],[1],{}),
    ({"a":1},{"b":1},{}),
    ("a","b",{}),
    (True,False,{}),
    (torch.ones(2),torch.ones(2).double(),dict(check_dtype=False)),
    (torch.ones(2),torch.zeros(2),dict(msg=lambda m:"X "+m)),
    (torch.ones(0),torch.ones(0),{}),
    (torch.tensor([float('inf')]),torch.tensor([1.]),{}),
    (torch.ones(2, 3).t(), torch.ones(3, 2), dict(check_stride=True)),
    ([torch.ones(1), {"k": 2}], [torch.ones(1), {"k": 3.0}], {}),
    (torch.ones(2), torch.ones(3), {}),
    (torch.ones(2), torch.ones(2).double(), {}),
    (torch.tensor([nan]), torch.tensor([nan]), dict(equal_nan=True)),
]
for a, b, how in PAIRS:
    try:
        torch.testing.assert_close(a, b, **how)
        print("same")
    except Exception as error:
        print(type(error).__name__, error)
"""


def test_what_assert_close_says() -> None:
    def ask(torch: Any) -> Any:
        return scripts.run(CLOSE, torch)["stdout"]

    ending = in_interpreter(CLOSE)
    assert ending.type is None
    assert ending.stdout == oracle.answer("testing", "assert_close", ask)
