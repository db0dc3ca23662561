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
        ("torch.ones(2, 3) @ torch.ones(2, 3)", "The last size of the first must be the first size of the second."),
        ("torch.ones(2) + torch.ones(3)", "sizes must be equal, or one of them 1."),
        ("torch.optim.SGD(w, lr=0.1)", "Put the tensor into a list: [w]."),
        ("torch.optim.SGD(torch.nn.Linear(1, 1), lr=0.1)", "Give the optimizer model.parameters()."),
        ("torch.optim.SGD([w * 2], lr=0.1)", "Give the optimizer the leaf itself"),
        ("w.data -= 0.1 * w.grad", ".grad is None until a backward() has filled it."),
        ("import wandb", "outside of what can be run here."),
        ("q + 1", "Nothing is called q yet"),
    ],
)
def test_a_failure_says_what_to_change(statement: str, advice: str) -> None:
    run = Run("import torch\nw = torch.ones(2, requires_grad=True)\n")
    run.execute(Command("finish"))
    run.execute(Command("statement", statement=statement))
    moment = run.moment(run.last)
    assert moment.error is not None
    assert advice in moment.error.suggestion
    assert moment.explanation.text.endswith(moment.error.suggestion)
    assert moment.error.message


def test_without_phases_nothing_is_to_be_pressed() -> None:
    run = Run("import torch\nw = torch.ones((), requires_grad=True)\ny = w * w\ny.backward()\ny.backward()\n")
    run.execute(Command("finish"))
    moment = run.moment(run.last)
    assert moment.error is not None
    assert moment.error.suggestion == (
        "Compute it again to record a new graph, or call backward(retain_graph=True) the first time."
    )
    assert [offer.commands for offer in moment.explanation.offers] == [({"do": "skip"},)]
