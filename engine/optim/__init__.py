"""torch.optim: the optimizers."""

from typing import TYPE_CHECKING

from engine.optim.adam import Adam, AdamW, SparseAdam
from engine.optim.optimizer import Optimizer
from engine.optim.optimizer import required as required  # older optimizers take it from torch.optim.optimizer
from engine.optim.sgd import SGD
from engine.rooms import inside, opened

if TYPE_CHECKING:
    from engine.optim import lr_scheduler
    from engine.optim.adafactor import Adafactor, Muon
    from engine.optim.adam_variants import Adamax, NAdam, RAdam
    from engine.optim.adaptive import Adadelta, Adagrad, RMSprop
    from engine.optim.lbfgs import LBFGS
    from engine.optim.rprop import ASGD, Rprop

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
    del adam, optimizer, sgd  # noqa: F821
    _SELDOM = {
        "adafactor": "Adafactor Muon",
        "adam_variants": "Adamax NAdam RAdam",
        "adaptive": "Adadelta Adagrad RMSprop",
        "lbfgs": "LBFGS",
        "rprop": "ASGD Rprop",
    }
    _parts = {"lr_scheduler": "engine.optim.lr_scheduler", **inside("engine.optim", _SELDOM)}
    __getattr__, __dir__ = opened(globals(), "torch.optim", _parts)
