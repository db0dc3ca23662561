"""torch.optim: the optimizers."""

from typing import TYPE_CHECKING

from engine.optim.adafactor import Adafactor, Muon
from engine.optim.adam import Adam, AdamW, SparseAdam
from engine.optim.adam_variants import Adamax, NAdam, RAdam
from engine.optim.adaptive import Adadelta, Adagrad, RMSprop
from engine.optim.lbfgs import LBFGS
from engine.optim.optimizer import Optimizer
from engine.optim.rprop import ASGD, Rprop
from engine.optim.sgd import SGD
from engine.rooms import opened

if TYPE_CHECKING:
    from engine.optim import lr_scheduler

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Muon",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "SparseAdam",
    "lr_scheduler",
]

if not TYPE_CHECKING:
    # PyTorch's files of optimizers can be imported from, and are no attributes: `torch.optim.adam(...)` finds nothing.
    del adam, adafactor, lbfgs, optimizer, rprop, sgd  # noqa: F821
    __getattr__, __dir__ = opened(globals(), "torch.optim", {"lr_scheduler": "engine.optim.lr_scheduler"})
