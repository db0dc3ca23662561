"""Imports that nothing in a text uses: what they name need not be there. Many public scripts have some, left from an
earlier version, and where they were written the library is installed."""

from __future__ import annotations

import ast

from engine.script.reading.walk import children, walk

CAREFUL = (ast.Try, ast.TryStar, ast.With, ast.ClassDef)
"""Inside of these an import does more than bind a name: its failure is caught, or it makes an attribute."""
_NAMES = """
accelerate albumentations apex asyncio boto3 calendar captum catboost cloudpickle cmath codecs colorama
comet_ml configparser cv2 datasets deap decimal decord dgl difflib evaluate faiss fastai flask geopandas
google gym gymnasium html hydra igraph imageio imblearn jax keras lightgbm lightning linecache locale
matplotlib mlflow mpl_toolkits networkx nltk numba ogb omegaconf openai optparse optuna pandas PIL plotly
psutil pygame pylab pytorch_lightning ray rdkit rich sacrebleu scipy secrets sentencepiece shap skimage
sklearn skorch spacy stable_baselines3 statistics statsmodels streamlit sympy tabulate tensorboard
tensorboardX tensorflow termcolor thop tiktoken timm tkinter tokenizers torch_geometric torch_scatter
torch_sparse torchaudio torchdiffeq torchinfo torchmetrics torchsummary torchtext torchvision torchviz
transformers unittest visdom wandb xgboost xml yaml zoneinfo
"""
ELSEWHERE = frozenset(_NAMES.split())
"""Modules that there are elsewhere. A name that is in no list may be a slip of the pen, which Python tells."""
_PARTS = "export fft futures fx library masked nested ops overrides package"
PARTS = frozenset(f"torch.{name}" for name in _PARTS.split())
"""Parts of PyTorch that are not here."""


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
    within = (getattr(node, "module", "") or alias.name).split(".")
    if within[0] in ELSEWHERE or ".".join(within[:2]) in PARTS:
        return True
    return isinstance(node, ast.ImportFrom) and node.module == "torch" and f"torch.{alias.name}" in PARTS


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
