"""What follows an AttributeError that ends a script: a name of the object that is spelled nearly so."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cli import main

SOURCE = """
import torch

class A:
    kind = 1
    def __init__(self):
        self.n_hidden = 1
    def forward(self):
        return self.hiden_of_it

class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear1 = torch.nn.Linear(1, 1)
        self.scale = torch.nn.Parameter(torch.ones(1))
        self.register_buffer("mask", torch.ones(1))
    def forward(self, x):
        return self.liner1(x)

m = M()
"""


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("A().hidden", "n_hidden"),
        ("A().forwrd()", "forward"),
        ("A().forward()", ""),
        ("A().knd", "kind"),
        ("A.knd", "kind"),
        ("A().__inti__", "__init__"),
        ("A().n_hidden.x", ""),
        ("m(torch.ones(1))", "linear1"),
        ("m.parameter()", "parameters"),
        ("m.mas", "mask"),
        ("m.scal", "scale"),
        ("m.xyzzyq", ""),
        ("m.evla()", ""),
        ("m.linear1.wight", "weight"),
        ("M.forwrd", "forward"),
        ("torch.tensr", ""),
        ("torch.ones(1).shap", "shape"),
        ("torch.ones(1).to_numpy()", ""),
        ("torch.Tensor.chunck", ""),
        ("torch.nn.Liner(1, 1)", "Linear"),
        ("torch.nn.functional.crossentropy", "cross_entropy"),
        ("torch.optim.SDG", ""),
        ("torch.optim.SGD(m.parameters()).zero_gard()", "zero_grad"),
        ("torch.utils.data.DataLoader([1]).batchsize", "batch_size"),
        ("import numpy as np; np.arrange(3)", "arange"),
        ("import numpy as np; np.ones(3).to_list()", "tolist"),
        ("import random; random.randit(1, 2)", "randint"),
        ("'a'.uper()", "upper"),
        ("[1].apend(2)", "append"),
        ("(1,).append(2)", ""),
    ],
)
def test_an_attribute_error_tells_of_names_spelled_nearly_so(
    line: str, near: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "script.py"
    script.write_text(f"{SOURCE}{line}\n")
    assert main(["run", str(script)]) == 1
    said = capsys.readouterr().err.splitlines()[0]
    assert said.startswith("AttributeError: ")
    assert said.partition(". Did you mean: ")[2] == (f"'{near}'?" if near else "")
