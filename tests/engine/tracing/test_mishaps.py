"""The sentence after a failure: what it means here and what to change."""

from __future__ import annotations

import pytest

from engine.run import Command, Run


@pytest.mark.parametrize(
    ("statement", "advice"),
    [
        ("torch.ones(2).sum().backward()", "was it detached, or computed under no_grad()?"),
        ("(w * 2).backward()", "with .mean() or .sum()."),
        ("w += 1", "Change it inside `with torch.no_grad():`."),
        ("torch.ones(2, 3) @ torch.ones(2, 3)", "must be the first size of the second: here 3 meets 2."),
        ("torch.ones(2) + torch.ones(3)", "sizes must be equal, or one of them 1."),
        ("torch.optim.SGD(w, lr=0.1)", "Put the tensor into a list: [w]."),
        ("torch.optim.SGD(torch.nn.Linear(1, 1), lr=0.1)", "Give the optimizer model.parameters()."),
        ("torch.optim.SGD([w * 2], lr=0.1)", "Give the optimizer the leaf itself"),
        ("w.data -= 0.1 * w.grad", ".grad is None until a backward() has filled it; no backward() has run yet."),
        ("import mlflow", "Print what you want to follow."),
        ("q + 1", "Nothing is called q yet"),
        ("nn.Linear(3, 2)(torch.ones(4, 5))", "here 5 meets 3. A Linear that is given 5 features needs in_features=5."),
        ("torch.ones(3) @ torch.ones(4)", "here 3 meets 4."),
        ("torch.bmm(torch.ones(2, 3, 4), torch.ones(2, 3, 4))", "2 matrices with 4 rows"),
        ("nn.Conv2d(3, 4, 3)(torch.ones(1, 1, 8, 8))", "made for 3 channels and is given 1"),
        ("nn.Conv2d(3, 4, 3)(torch.ones(8, 8))", ".unsqueeze(1)"),
        ("nn.Conv2d(1, 4, 9)(torch.ones(1, 1, 4, 4))", "smaller than the window"),
        ("nn.BCELoss()(torch.ones(4, 1), torch.ones(4))", ".squeeze(1)"),
        ("nn.BCEWithLogitsLoss()(torch.ones(4, 1), torch.ones(4))", ".squeeze(1)"),
        ("nn.CrossEntropyLoss()(torch.ones(4, 3), torch.ones(5).long())", "4 examples and there are 5 targets"),
        ("nn.CrossEntropyLoss()(torch.ones(4, 3), torch.ones(4))", ".long()"),
        ("nn.CrossEntropyLoss()(torch.ones(4, 3), torch.ones(4, 1).long())", ".argmax(dim=1)"),
        ("nn.CrossEntropyLoss()(torch.ones(1, 3), torch.tensor([3]))", "A target of 3 needs an output of more than 3"),
        ("nn.BCEWithLogitsLoss()(torch.ones(4), torch.ones(4).long())", ".float()"),
        ("nn.BCELoss()(torch.tensor([2.0]), torch.tensor([1.0]))", "BCEWithLogitsLoss"),
        ("nn.Linear(3, 2)(torch.ones(4, 3).long())", "The weights are Float, the input is Long"),
        ("nn.Linear(3, 2)([1.0, 2.0, 3.0])", "torch.tensor(...)"),
        ("torch.ones(3).long().mean()", ".float().mean()"),
        ("torch.tensor([1, 2], requires_grad=True)", "1.0 instead of 1"),
        ("nn.Embedding(3, 2)(torch.ones(2))", ".long()"),
        ("nn.Embedding(3, 2)(torch.tensor([5]))", "num_embeddings must be greater"),
        ("w.numpy()", ".detach().numpy()"),
        ("w.item()", "take one (x[0]), make one (.mean()), or all with .tolist(). Here w is a vector of 2."),
        ("float(w)", ".tolist()"),
        ("[1.0].item()", "torch.stack(...)"),
        ("w[0, 1]", "it has 1. Here w is a vector of 2."),
        ("nn.Sequential([nn.ReLU()])", "nn.Sequential(*layers)"),
        ("nn.Sequential(nn.ReLU)", "its parentheses are missing, ReLU()."),
        ("nn.Sequential(lambda x: x)", "A function is no module"),
        ("nn.Module()(w)", "define `def forward(self, x):` in Module"),
        ("torch.optim.Adam([w], momentum=0.9)", "Adam has no momentum"),
        ("torch.optim.lr_scheduler.StepLR(0.1, 1)", "give it the optimizer first"),
        ("o = torch.optim.SGD([w], lr=0.1); o.zero_grads()", "Did you mean zero_grad?"),
        ("torch.autograd.grad(w.sum(), torch.ones(1, requires_grad=True))", "was not computed from that tensor"),
        ("w.grad = torch.ones(3)", "the shape of its tensor: (2) here"),
        ("w.softmax()", "softmax(dim=-1)"),
        ("torch.ones(4, 2)[torch.tensor([True, False, True])]", "it is made for [3], not [4, 2]"),
        ("torch.ones(3, 2).gather(1, torch.tensor([0, 1, 0]))", "gather(1, index.unsqueeze(1))"),
        ("torch.mm(torch.ones(3), torch.ones(3, 2))", "`a @ b` (torch.matmul) takes vectors too"),
        ("torch.optim.SGD([w], lr=0.1, nesterov=True)", "give one as well, momentum=0.9"),
        ("torch.optim.SGD([{'params': [w]}, {'params': [w]}], lr=0.1)", "belongs to one group"),
        ("torch.optim.LBFGS([w]).step()", "opt.step(closure)"),
        ("import copy; copy.deepcopy(w * 2)", ".detach().clone()"),
        ("w.zero_grad()", "x.grad = None"),
        ("torch.tensor(['cat'])", "give every word or class a number first"),
        ("nn.Sequential(nn.LSTM(2, 3), nn.Linear(3, 1))(torch.ones(4, 1, 2))", "out, _ = lstm(x)"),
        ("import numpy as np; np.mean(w * 3)", "write x.mean()"),
        ("torch.optim.lr_scheduler.MultiStepLR(torch.optim.SGD([w], lr=1.0), milestones=5).step()", "[30, 80]"),
        ("[].append(1, 2)", "call it once for each"),
        ("[1][1]", "one less than len(...)"),
        ("'1' + 1", "write an f-string"),
        ("'0.1' < 1", "a number in quotes is a text"),
        ("int('a')", "no number"),
        ("nn.Linear(3)", "The call gives nothing for 'out_features'."),
        ("input()", "Nobody can be asked"),
        ("(1.0).item()", "leave .item away"),
        ("(1.0).backward()", "leave .backward away"),
        ("if w > 0: pass", ".any() or .all()"),
        ("nn.MSELoss(w, w)", "nn.MSELoss()(out, target)"),
        ("w.grad.zero_()", ".grad is None until"),
        ("w.to('cuda')", "torch.cuda.is_available()"),
        ("torch.optim.SGD([], lr=0.1)", "nn.ModuleList"),
        ("torch.optim.SGD(nn.Linear(1, 1).parameters, lr=0.1)", "parentheses are missing"),
        ("torch.optim.SGD([w], lr=-0.1)", "must not be negative"),
        ("Net()", "Call super().__init__() first."),
        ("torch.ones(4, 6).view(5, 5)", "must multiply to 24"),
        ("torch.ones(4, 6).t().view(24)", ".reshape(...)"),
        ("torch.cat([torch.ones(2, 3), torch.ones(2, 4)], dim=0)", "cat joins along dim=0"),
        ("torch.stack([torch.ones(2), torch.ones(3)])", "torch.cat"),
        ("torch.ones(3)[5]", "go from 0 to one less than 3"),
        ("torch.ones(3).sum(dim=2)", "no dimension 2: its last is 0"),
        ("nn.Linear(1, 1).load_state_dict({})", "this Linear do not have the same entries"),
        ("nn.Linear(1, 1).state_dict()['weights']", "the keys that are there"),
        ("nn.Linear(1, 1)(w, w)", "forward counts self too"),
        ("w.backwards()", "Did you mean backward?"),
        ("torch.foo(3)", "torch has no foo here"),
        ("w + 'a'", "A Tensor and a str cannot be combined by +"),
        ("torch.tensor([[1, 2], [3]])", "different lengths (2 and 1)"),
        ("x, y = torch.ones(3)", "Count the names on the left"),
        ("nn.Linear(2, 3).weight = torch.ones(3, 2)", "nn.Parameter(...)"),
        ("nn.BatchNorm1d(3)(torch.ones(1, 3))", "drop_last=True"),
        ("nn.LSTM(3, 2)(torch.ones(4, 5, 6))", "change input_size to 6"),
        ("next(iter([]))", "iter(...)"),
        ("torch.tensor('a')", "give every word or class a number"),
        ("open('x.csv')", "the files only that it has written itself"),
        ("(lambda: None)().shape", "It is None"),
    ],
)
def test_a_failure_says_what_to_change(statement: str, advice: str) -> None:
    run = Run(
        "import torch\nfrom torch import nn\nw = torch.ones(2, requires_grad=True)\n"
        "class Net(nn.Module):\n    def __init__(self):\n        self.fc = nn.Linear(1, 1)\n"
    )
    run.execute(Command("finish"))
    run.execute(Command("statement", statement=statement))
    moment = run.moment(run.last)
    assert moment.error is not None
    assert moment.error.column is not None
    assert advice in moment.error.suggestion
    assert moment.explanation.text.endswith(moment.error.suggestion)
    assert moment.error.type in moment.explanation.text or moment.error.message


def test_without_phases_nothing_is_to_be_pressed() -> None:
    run = Run("import torch\nw = torch.ones((), requires_grad=True)\ny = w * w\ny.backward()\ny.backward()\n")
    run.execute(Command("finish"))
    moment = run.moment(run.last)
    assert moment.error is not None
    assert moment.error.suggestion == (
        "Compute it again to record a new graph, or call backward(retain_graph=True) the first time."
    )
    assert [offer.commands for offer in moment.explanation.offers] == [({"do": "skip"},)]


def test_shapes_come_with_the_line_that_made_them() -> None:
    run = Run(
        "import torch\nw = torch.ones(3, 2, requires_grad=True)\ny = torch.ones(4)\n"
        "z = w * 2\nfor i in range(2):\n    loss = (z - y).sum()\n    loss.backward()\n"
    )
    run.execute(Command("finish"))
    error = run.moment(run.last).error
    assert error is not None
    assert error.suggestion.endswith("Here z is 3×2 (line 4) and y is a vector of 4.")


def test_a_function_that_fails_is_named_by_its_own_line() -> None:
    run = Run("def f(x):\n    y = x + 1\n    return y / 0\nf(\n    3\n)\n")
    run.execute(Command("finish"))
    assert run.moment(run.last).explanation.text.startswith("Line 3, called from line 4, failed: ZeroDivisionError")
