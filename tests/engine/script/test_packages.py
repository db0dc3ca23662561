"""What scripts get as tabulate, yaml, torchinfo and other packages prints what the packages print: packages.json says
what that is. The programs are in packages.txt, with an empty line between two of them.

`python -m tests.engine.script.test_packages` writes packages.json anew, where the packages and PyTorch are installed.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import runpy
import tempfile
from pathlib import Path

import pytest

from tests.engine.script.compare import in_interpreter

RECORDED = Path(__file__).with_name("packages.json")
CASES = Path(__file__).with_name("packages.txt").read_text("utf-8").strip().split("\n\n")

LONG = ("torchvision.models import", "import torch, torchdiffeq")  # networks of tens of layers, steps by the thousand


def theirs(case: str) -> str:
    """What the packages make `case` print. Its files go to a folder of its own."""
    out = io.StringIO()
    importlib.import_module("torch").manual_seed(0)
    importlib.import_module("random").seed(0)
    quiet = contextlib.redirect_stderr(io.StringIO())
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place), contextlib.redirect_stdout(out), quiet:
        Path("script.py").write_text(case, "utf-8")
        runpy.run_path("script.py", run_name="__main__")
    return out.getvalue()


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=case.partition("\n")[0],
            marks=[pytest.mark.slow] if any(part in case for part in LONG) else [],
        )
        for case in CASES
    ],
)
def test_it_prints_what_the_package_prints(case: str) -> None:
    ending = in_interpreter(case)
    assert ending.type is None, ending
    assert ending.stdout == json.loads(RECORDED.read_text("utf-8"))[case]


HYDRA = """
import hydra, os
from hydra.core.config_store import ConfigStore
from hydra.utils import instantiate
from dataclasses import dataclass
@dataclass
class Config:
    lr: float = 0.1
    epochs: int = 2
ConfigStore.instance().store(name="config", node=Config)
@hydra.main(version_base=None, config_name="config")
def main(cfg):
    print(cfg, cfg.lr * cfg.epochs)
main()
layer = instantiate({"_target_": "torch.nn.Linear", "in_features": 3, "out_features": 2})
optimizer = instantiate({"_target_": "torch.optim.SGD", "_partial_": True, "lr": 0.1})(layer.parameters())
print(layer, optimizer.defaults["lr"])
os.makedirs("conf/model")
with open("conf/train.yaml", "w") as file:
    file.write("defaults:\\n  - model: mlp\\n  - _self_\\nlr: 0.5\\n")
with open("conf/model/mlp.yaml", "w") as file:
    file.write("hidden: 8\\n")
@hydra.main(config_path="conf", config_name="train", version_base="1.2")
def train(cfg):
    print(cfg)
train()
with hydra.initialize(config_path="conf"):
    print(hydra.compose("train", overrides=["lr=3", "model.hidden=4"]))
"""


def test_hydra_finds_what_the_run_holds() -> None:
    ending = in_interpreter(HYDRA)
    assert ending.stdout == (
        "{'lr': 0.1, 'epochs': 2} 0.2\nLinear(in_features=3, out_features=2, bias=True) 0.1\n"
        "{'model': {'hidden': 8}, 'lr': 0.5}\n{'model': {'hidden': 4}, 'lr': 3}\n"
    ), ending
    ending = in_interpreter("import hydra\n@hydra.main(config_path='conf', config_name='nope')\ndef f(cfg): pass\nf()")
    assert ending.type == "MissingConfigException"
    assert "has written itself" in str(ending.message)


SILENT = """
import wandb, psutil, os
run = wandb.init(project="p", config={"lr": 0.1, "epochs": 2}, name="first", mode="disabled")
for epoch in range(wandb.config.epochs):
    wandb.log({"loss": 1 / (epoch + 1), "epoch": epoch})
print(wandb.config.lr, dict(wandb.config), run.name, run.summary["loss"])
wandb.finish()
print(wandb.run)
with wandb.init(project="p", config=dict(a=1)) as run:
    run.log({"x": 1})
    print(run.config.a, wandb.run is run)
print(psutil.Process(os.getpid()).memory_info().rss / 1024**2, psutil.cpu_percent(), psutil.virtual_memory().percent)
try:
    wandb.log({"x": 1})
except wandb.Error as error:
    print(error)
"""


def test_what_is_sent_elsewhere_is_kept_nowhere() -> None:
    assert in_interpreter(SILENT).stdout == (
        "0.1 {'lr': 0.1, 'epochs': 2} first 0.5\nNone\n1 True\n256.0 0.0 3.1\n"
        "You must call wandb.init() before wandb.log()\n"
    )
    ending = in_interpreter("import wandb\nwandb.agent('s', print)")
    assert ending.type == "NotImplementedError"


TESTS = """
import unittest
class Test(unittest.TestCase):
    def setUp(self):
        self.value = 2
    def test_equal(self):
        self.assertEqual(self.value, 2)
        print("seen")
    def test_wrong(self):
        self.assertEqual(self.value, 3)
if __name__ == "__main__":
    unittest.main()
"""


def test_the_tests_of_a_script_end_it_as_they_do_elsewhere() -> None:
    ending = in_interpreter(TESTS)
    assert (ending.stdout, ending.type, ending.message) == ("seen\n", "SystemExit", "True")
    ending = in_interpreter(TESTS.replace("self.value, 3", "self.value, 2"))
    assert (ending.type, ending.message) == ("SystemExit", "False")


MODE = """
import torch
from torch.overrides import TorchFunctionMode, resolve_name
class Log(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))
print(resolve_name(torch.sin), isinstance(Log(), TorchFunctionMode))
help(torch.ones)
with Log():
    torch.ones(2)
"""


def test_what_cannot_be_had_says_so_when_it_is_reached() -> None:
    ending = in_interpreter(MODE)
    assert (ending.type, ending.line) == ("NotImplementedError", 9)
    assert str(ending.message).startswith("Log: no mode sees every operation here.")
    first, second = ending.stdout.splitlines()
    assert first == "torch.sin True"
    assert second.startswith("No help for ones is kept here:")


def test_what_is_fetched_says_what_to_use_instead() -> None:
    ending = in_interpreter("from torchvision import datasets\ndatasets.CIFAR10('data', download=True)")
    assert ending.type == "NotImplementedError"
    assert "torchvision.datasets.FakeData(1000, (3, 32, 32), 10, transform)" in str(ending.message)
    ending = in_interpreter("from torchvision import models\nmodels.resnet18(weights='DEFAULT')")
    assert ending.type == "NotImplementedError"
    assert "resnet18() without weights is there" in str(ending.message)


def test_what_tells_the_time_of_day_says_what_to_do_instead() -> None:
    ending = in_interpreter("from rich.console import Console\nConsole().log('x')")
    assert ending.type == "NotImplementedError"
    assert "use print()" in str(ending.message)


if __name__ == "__main__":
    answers = {case: theirs(case) for case in CASES}
    RECORDED.write_text(json.dumps(answers, indent=0, ensure_ascii=False) + "\n", "utf-8")
