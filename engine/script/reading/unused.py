"""Imports that nothing in a text uses: what they name need not be there. Many public scripts have some, left from an
earlier version or put there by an editor (`from turtle import forward`), and where they were written the library is
installed."""

from __future__ import annotations

import ast

from engine.script.reading.walk import children, walk

CAREFUL = (ast.Try, ast.TryStar, ast.With, ast.ClassDef)
"""Inside of these an import does more than bind a name: its failure is caught, or it makes an attribute."""
_NAMES = """
absl accelerate aim albumentations apex asyncio bitsandbytes boto3 bs4 calendar captum catboost clearml
click cloudpickle cmath codecs colorama comet_ml configparser contextvars cupy cv2 datasets dateutil
deap decimal decord deepspeed detectron2 dgl difflib dotenv email emoji evaluate faiss fastai fire flask
flax ftfy fvcore geopandas google gpytorch gym gymnasium h5py html http hydra igraph imageio imblearn
imgaug jax jaxlib keras kornia librosa lightgbm lightning linecache locale matplotlib mimetypes mlflow
mmcv mmengine mpl_toolkits neptune networkx nltk nni numba ogb omegaconf openai optax optparse optuna
pandas peft PIL plotly psutil pycocotools pygame pylab pyro pyspark pytorch_lightning pytz pywt ray
rdkit rich sacrebleu scipy secrets sentencepiece shap skimage sklearn skorch soundfile spacy
stable_baselines3 statistics statsforecast statsmodels streamlit sympy tabulate tensorboard tensorboardX
tensorflow termcolor thop tiktoken timm tkinter token tokenize tokenizers torch_geometric torch_scatter
torch_sparse torchaudio torchdiffeq torchinfo torchmetrics torchsde torchsummary torchtext torchvision
torchviz transformers triton trl turtle ultralytics unittest visdom wandb xgboost xml yaml yfinance
zoneinfo
"""
ELSEWHERE = frozenset(_NAMES.split())
"""Modules that there are elsewhere. A name that is in no list may be a slip of the pen, which Python tells; what leads
to the host's memory, files or network is in none, used or not."""
_PARTS = """
numpy.char numpy.core numpy.dtypes numpy.emath numpy.ma numpy.matlib numpy.rec numpy.strings torch._decomp
torch._export torch._functorch torch._higher_order_ops torch._inductor torch._jit_internal torch._linalg_utils
torch._lowrank torch._meta_registrations torch._ops torch._prims torch._prims_common torch._refs torch._subclasses
torch._tensor torch._tensor_str torch._utils torch._vmap_internals torch.autograd.forward_ad torch.autograd.gradcheck
torch.cuda.memory torch.cuda.nvtx torch.cuda.random torch.distributed.algorithms torch.distributed.checkpoint
torch.distributed.elastic torch.distributed.fsdp torch.distributed.optim torch.distributed.pipelining
torch.distributed.rpc torch.distributed.tensor torch.distributions.constraint_registry torch.export torch.fft
torch.futures torch.fx torch.library torch.masked torch.monitor torch.nested torch.nn.attention.flex_attention
torch.nn.intrinsic torch.nn.modules.lazy torch.nn.qat torch.nn.quantized torch.nn.utils.fusion torch.ops
torch.overrides torch.return_types torch.signal torch.torch_version torch.utils.benchmark torch.utils.collect_env
torch.utils.dlpack torch.utils.flop_counter torch.utils.mobile_optimizer torch.utils.model_zoo
"""
PARTS = frozenset(_PARTS.split())
"""Parts of PyTorch and NumPy that are not here."""


def unused_imports(tree: ast.Module) -> frozenset[ast.alias]:
    """The parts of import statements whose name occurs nowhere else, be it as a text (`globals()["nn"]`)."""
    used = set()
    for node in walk(tree):
        if isinstance(node, ast.Name):
            used.add(node.id)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            used.update(node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            used.add(node.value)
    return frozenset(
        alias
        for node in _imports(tree)
        for alias in node.names
        if alias.name != "*" and (alias.asname or alias.name.partition(".")[0]) not in used and _elsewhere(node, alias)
    )


def _elsewhere(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> bool:
    """Whether what is imported may lie in a module that there is elsewhere."""
    path = f"{getattr(node, 'module', '')}.{alias.name}".strip(".").split(".")
    return path[0] in ELSEWHERE or any(".".join(path[:count]) in PARTS for count in range(2, len(path) + 1))


def _imports(tree: ast.Module) -> list[ast.Import | ast.ImportFrom]:
    found: list[ast.Import | ast.ImportFrom] = []
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and not node.level):
            found.append(node)
        elif not isinstance(node, CAREFUL):
            waiting.extend(children(node))
    return found
