"""Every module of PyTorch's own database that the engine has: repr, parameters after a seed, outputs, gradients and
buffers. `make test` checks a recorded selection of samples; `make test-all` checks all of them, live.
"""

from __future__ import annotations

from typing import Any

import pytest

import engine
from tests.differential import module_samples, op_samples, oracle

SELECTED = 3  # samples per module in `make test`
SHOWN = 5  # failures told per module
LARGEST = 3000  # characters of a sample that is recorded

pytestmark = pytest.mark.filterwarnings("ignore")  # what a module warns of is tested elsewhere

# The modules of module_db that the engine has, and how far numbers may be apart (units in the last place of the
# largest of their tensor).
MODULES = dict.fromkeys(
    [
        "AdaptiveAvgPool1d",
        "AdaptiveAvgPool2d",
        "AdaptiveAvgPool3d",
        "FractionalMaxPool2d",
        "FractionalMaxPool3d",
        "AdaptiveMaxPool1d",
        "AdaptiveMaxPool2d",
        "AdaptiveMaxPool3d",
        "AvgPool1d",
        "AvgPool2d",
        "AvgPool3d",
        "BCELoss",
        "BCEWithLogitsLoss",
        "BatchNorm1d",
        "BatchNorm2d",
        "BatchNorm3d",
        "Bilinear",
        "CELU",
        "CTCLoss",
        "CircularPad1d",
        "CircularPad2d",
        "CircularPad3d",
        "ConstantPad1d",
        "ConstantPad2d",
        "ConstantPad3d",
        "Conv1d",
        "Conv2d",
        "Conv3d",
        "ConvTranspose1d",
        "ConvTranspose2d",
        "ConvTranspose3d",
        "CosineEmbeddingLoss",
        "CrossEntropyLoss",
        "ELU",
        "Embedding",
        "GELU",
        "GLU",
        "GRU",
        "GRUCell",
        "GaussianNLLLoss",
        "GroupNorm",
        "Hardshrink",
        "Hardswish",
        "Hardtanh",
        "HingeEmbeddingLoss",
        "HuberLoss",
        "InstanceNorm1d",
        "InstanceNorm2d",
        "InstanceNorm3d",
        "KLDivLoss",
        "L1Loss",
        "LPPool1d",
        "LPPool2d",
        "LPPool3d",
        "LSTM",
        "LSTMCell",
        "LayerNorm",
        "LeakyReLU",
        "LazyConv1d",
        "LazyConv2d",
        "LazyConv3d",
        "LazyConvTranspose1d",
        "LazyConvTranspose2d",
        "LazyConvTranspose3d",
        "Linear",
        "LinearCrossEntropyLoss",
        "LocalResponseNorm",
        "LogSigmoid",
        "LogSoftmax",
        "MSELoss",
        "MarginRankingLoss",
        "MaxPool1d",
        "MaxPool2d",
        "MaxPool3d",
        "Mish",
        "MultiLabelMarginLoss",
        "MultiLabelSoftMarginLoss",
        "MultiMarginLoss",
        "MultiheadAttention",
        "NLLLoss",
        "PReLU",
        "PoissonNLLLoss",
        "RMSNorm",
        "RNN",
        "RNNCell",
        "ReLU",
        "ReLU6",
        "ReflectionPad1d",
        "ReflectionPad2d",
        "ReflectionPad3d",
        "ReplicationPad1d",
        "ReplicationPad2d",
        "ReplicationPad3d",
        "SELU",
        "SiLU",
        "Sigmoid",
        "SmoothL1Loss",
        "SoftMarginLoss",
        "Softmax",
        "Softmax2d",
        "Softmin",
        "Softplus",
        "Softshrink",
        "Softsign",
        "Tanh",
        "Tanhshrink",
        "Threshold",
        "Transformer",
        "TransformerDecoderLayer",
        "TransformerEncoder",
        "TransformerEncoderLayer",
        "ZeroPad1d",
        "ZeroPad2d",
        "ZeroPad3d",
    ],
    32.0,
)
MODULES.update(dict.fromkeys(["TransformerEncoderLayer", "TransformerDecoderLayer", "TransformerEncoder"], 128.0))
MODULES.update(MultiheadAttention=64.0, Transformer=256.0)
MODULES["CTCLoss"] = 1024.0  # exp of differences of logs in the hundreds


def check(name: str, cases: list[tuple[Any, Any]]) -> None:
    """Fail with the first samples for which the engine's outcome is not the one given."""
    failures = []
    for sample, theirs in cases:
        ours = module_samples.outcome(engine, name, sample)
        wrong = module_samples.differences(ours, theirs, MODULES[name])
        if wrong:
            failures.append(f"{module_samples.text(sample)}\n      " + "\n      ".join(wrong))
    if failures:
        told = "\n    ".join(failures[:SHOWN])
        pytest.fail(f"{name}: {len(failures)} of {len(cases)} samples differ\n    {told}", pytrace=False)


@pytest.mark.parametrize("name", MODULES)
def test_selected_samples(name: str) -> None:
    def ask(torch: Any) -> list[Any]:
        small = [s for s in module_samples.samples(name, "float32") if op_samples.size_of(s) < LARGEST]
        step = max(1, len(small) / SELECTED)
        chosen = [small[int(i * step)] for i in range(min(SELECTED, len(small)))]
        answers = [[sample, module_samples.outcome(torch, name, sample)] for sample in chosen]
        return [each for each in answers if op_samples.size_of(each) < 4 * LARGEST]

    check(name, oracle.answer("module_db", name, ask))


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("dtype", module_samples.DTYPES)
@pytest.mark.parametrize("name", MODULES)
def test_all_samples(name: str, dtype: str) -> None:
    torch = oracle.torch()
    cases = [(each, module_samples.outcome(torch, name, each)) for each in module_samples.samples(name, dtype)]
    assert cases
    check(name, cases)
