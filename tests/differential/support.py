"""docs/support.md: each name of PyTorch, and whether a script finds it here. `python -m tests.differential.support`.

The names are those of PyTorch that training scripts use (engine/script/surface/torch_names.py); whether one is
supported is read from the engine itself, or from what scripts find beside it (torch.save). PARTLY says what a supported
name leaves out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import engine
import engine.fft
import engine.linalg
import engine.optim.lr_scheduler
import engine.special
from engine.autograd import face
from engine.script import interpreter as _filled
from engine.script.modules import MODULES
from engine.script.surface import torch_names as listed

assert _filled

PAGE = Path(__file__).parents[2] / "docs" / "support.md"


def _far(samples: int, apart: int, most: float, theirs: float, ours: float) -> str:
    """How far results are apart, as FAR_APART tells it."""
    return (
        f"in float32 {apart} of {samples} samples differ (up to {most}; from float64 PyTorch's {theirs}, ours {ours})"
    )


_FAR = {
    "linalg.svd": _far(216, 16, 5.4, 5.4, 0.1),
    "svd": _far(216, 16, 4.6, 4.7, 0.1),
    "linalg.eigh": _far(8, 1, 2.6, 2.6, 0.04),
    "linalg.cond": _far(3, 3, 1.9, 1.9, 0.05),
    "linalg.pinv": _far(80, 2, 1.5, 1.3, 0.3),
    "linalg.lstsq": _far(36, 13, 7.0, 6.7, 2.4),
    "matrix_exp": _far(2, 1, 16, 34, 34),
    "linalg.matrix_exp": _far(2, 1, 16, 34, 34),
    "addbmm": _far(6, 3, 1.2, 1.1, 0.8),
    "conv3d": _far(20, 6, 2.9, 1.4, 2.2),
    "nn.functional.conv3d": _far(20, 6, 2.9, 1.4, 2.2),
    "conv_transpose3d": _far(10, 6, 2.9, 2.1, 2.2),
    "nn.functional.conv_transpose3d": _far(10, 6, 2.9, 2.1, 2.2),
    "nn.functional.grid_sample": _far(30, 2, 2.4, 1.4, 1.2) + " (bicubic)",
    "nn.functional.scaled_dot_product_attention": _far(25, 4, 1.6, 5.3, 5.3),
}

_SPARSE = (
    "sparse=True: `.grad` has the entries and the text of PyTorch's sparse tensor; what is computed of it is dense"
)
_DENSE = "sparse=True gives a dense gradient"

PARTLY = {
    **dict.fromkeys(("torch.nn.Embedding", "torch.nn.functional.embedding"), _SPARSE),
    **dict.fromkeys(("torch.nn.EmbeddingBag", "torch.nn.functional.embedding_bag"), _DENSE),
    **{f"torch.{name}": what for name, what in _FAR.items()},
    "torch.empty": "zeros, so that a run gives the same numbers everywhere",
    "torch.bfloat16": "computed in float32 and rounded once an operation, where PyTorch rounds several times: of 3,301"
    " of its own samples 80% are equal to the bit and 8% within one unit; it can be no default dtype, and"
    " view(torch.int16) gives a copy",
    "torch.optim.LBFGS": "refuses bfloat16",
    "torch.complex32": "only its name: a tensor of it is refused",
    "torch.chalf": "only its name: a tensor of it is refused",
    **dict.fromkeys(("torch.qint8", "torch.quint8"), "only its name, for `torch.ao.quantization`"),
    "torch.conj": "a copy that says it is a conjugate, not a view",
    "torch.Tensor.conj": "a copy that says it is a conjugate, not a view",
    "torch.channels_last": "taken as a memory format; the elements stay in row order",
    "torch.channels_last_3d": "taken as a memory format; the elements stay in row order",
    **{
        f"{place}.{name}": f"raises what PyTorch raises, which has taken it back: use torch.linalg.{instead}()"
        for name, instead in (
            ("symeig", "eigh"),
            ("lstsq", "lstsq"),
            ("solve", "solve"),
            ("matrix_rank", "matrix_rank"),
        )
        for place in ("torch", "torch.Tensor")
    },
    **dict.fromkeys(("torch.eig", "torch.Tensor.eig"), "raises what PyTorch raises, which has taken it back"),
    "torch.device": 'only the cpu can be used; "meta" for modules that functional_call() is given parameters for',
    "torch.nn.LSTM": "shown step by step, where PyTorch's is one operation",
    "torch.utils.data.DataLoader": "workers fetch in the same process; pin_memory and timeout change nothing",
}

INTRODUCTION = """# What is supported

Made by `python -m tests.differential.support` from the code; a test compares. A name that is not supported is shown up
front, with its line, and raises what PyTorch raises for a name that does not exist when it is reached.
Of sparse tensors (COO and CSR) there are products, sums and functions of their entries, with gradients; what else dense
tensors can refuses them. Other devices than the cpu, files of a disk and processes are outside. Optimizers take
`foreach`, `fused`, `capturable` and `differentiable` where PyTorch does; the numbers do not depend on them.

`torch.autocast("cpu")` makes products of matrices, convolutions and attention in bfloat16 (or float16) and losses in
float32; recurrent layers keep their dtype in it.

Beside these, scripts can import `torch.func`, `torch.distributions` (and its modules), `torch.sparse`, `torch.amp`,
`torch.nn.utils.rnn`, `torch.nn.utils.prune`, `torch.nn.utils.parametrize`, `torch.nn.utils.parametrizations`
(`weight_norm`, `spectral_norm`, `orthogonal`), `torch.optim.swa_utils`, `torch.autograd.graph` (hooks on saved
tensors), `torch.utils.checkpoint`, `torch.utils._pytree`, `torch.utils.tensorboard` (which keeps nothing),
`torch.profiler`, `torch.ao.quantization` (`quantize_dynamic()` of `nn.Linear`), and parts of NumPy, pandas, SciPy,
scikit-learn, Matplotlib, Pillow, seaborn, joblib, tqdm and the standard library; `yaml`, `omegaconf`, `hydra` (of files
that the run has written), `tabulate`, `prettytable`, `rich` (80 wide; bars are not drawn), `torchinfo`, `torchsummary`,
`torchmetrics`, parts of `torchvision` (`transforms`, `utils`, `datasets.FakeData`, `models.resnet18` and its kin),
`torchdiffeq`, `networkx` (layouts are circles, drawing draws nothing), `pydantic`, `attrs`, `jaxtyping`, `typeguard`,
`optparse`, `unittest`, `termcolor` and `colorama` (nothing is coloured, as in a pipe), `loguru`,
`wandb` (which keeps nothing) and `psutil` (whose figures are always the same). What is imported and not used is no
error for `pdb`, `subprocess`, `socket`, `cProfile`, `wave`, `sqlite3`, `xml` and more; their functions say what to do
instead. The coroutines of `asyncio` take turns, and nobody waits: sleeping only moves the run's clock.

Files are kept inside the run, with its state: nothing is written to a disk, and only what the run has written can be
read. `open()` (text and bytes, all modes; encodings utf-8, ascii, latin-1 and cp1252), `pathlib.Path`, `os`, `os.path`,
`shutil`, `glob`, `tempfile`, `json`, `csv`, `pickle`, `torch.save()` and `np.save()` work on them; going back to a
moment goes back to the files of that moment. `pickle` and `torch.save()` keep copies of values: their bytes only stand
for them, and load in the same run alone. A script is one thread: what is given to `threading`, `multiprocessing` and
`concurrent.futures` is done in turn, when it is started. Data from elsewhere go into the script, for example as a text
for `io.StringIO()`.
"""

FAR_APART = """Where the last digits of float32 are not PyTorch's, it is said how many of its own samples differ by more
than `torch.testing.assert_close()` allows, by how many times that at most, and how many times that PyTorch's results
and ours are from PyTorch's float64 at most. (Seen on one processor with AVX-512; the digits of PyTorch change with the
processor.)
"""

INSTEAD = {
    "files of a disk": "paste the data into the script: a text for `io.StringIO()`, numbers for `torch.tensor()`",
    "`gzip`, `zipfile`, `tarfile`, `h5py`": "`open()`, `torch.save()`",
    "`torchvision`'s data sets and trained models, `torchaudio`, `torchtext`, downloads": "make data of the same shape,"
    " with `torchvision.datasets.FakeData` or `torch.randn()`; an import that nothing uses is passed over",
    "factorizations of complex matrices (`svd`, `qr`, `eigh`, `cholesky`, `lu`)": "the real matrix of twice the size",
    "`subprocess`": "plain functions, called in turn",
    "`gym`, `gymnasium`": "a class with `reset()` and `step()`",
}
"""What is not there, and what to do."""


def places() -> Iterator[tuple[str, Any, str]]:
    """(PyTorch's name of a module or class, ours, its names)."""
    yield "torch", engine, listed.TORCH
    yield "torch.Tensor", engine.Tensor, listed.TENSOR
    yield "torch.nn", engine.nn, listed.NN
    yield "torch.nn.functional", engine.nn.functional, listed.FUNCTIONAL
    yield "torch.nn.init", engine.nn.init, listed.INIT
    yield "torch.nn.utils", engine.nn.utils, listed.NN_UTILS
    yield "torch.optim", engine.optim, listed.OPTIM
    yield "torch.optim.lr_scheduler", engine.optim.lr_scheduler, listed.SCHEDULER
    yield "torch.utils.data", engine.data, listed.DATA
    yield "torch.autograd", face, listed.AUTOGRAD
    yield "torch.autograd.functional", face.functional, listed.AUTOGRAD_FUNCTIONAL
    yield "torch.linalg", engine.linalg, listed.LINALG
    yield "torch.fft", engine.fft, listed.FFT
    yield "torch.special", engine.special, listed.SPECIAL


def page() -> str:
    """The document's text."""
    rows = "\n".join(f"| {what} | {how} |" for what, how in INSTEAD.items())
    parts = [INTRODUCTION, f"| not there | what to do instead |\n|---|---|\n{rows}\n"]
    parts.append(FAR_APART)
    for name, ours, text in places():
        wanted = sorted(set(text.split()))
        found = MODULES[name]() if name in MODULES else None
        there = [each for each in wanted if hasattr(ours, each) or (found is not None and found.has(each))]
        missing = [each for each in wanted if each not in there]
        partly = {each: PARTLY[f"{name}.{each}"] for each in there if f"{name}.{each}" in PARTLY}
        parts.append(f"## {name}\n\nSupported ({len(there)}): {_row(there)}\n")
        if partly:
            rows = "\n".join(f"- `{each}`: {what}" for each, what in partly.items())
            parts.append(f"Partly:\n\n{rows}\n")
        if missing:
            parts.append(f"Not supported ({len(missing)}): {_row(missing)}\n")
    return "\n".join(parts)


def _row(names: list[str]) -> str:
    return " · ".join(f"`{name}`" for name in names) or "none"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
