"""The versions of the packages beside PyTorch and NumPy: those that our answers are held against."""

from __future__ import annotations

VERSIONS = {
    "pandas": "3.1.1",
    "matplotlib": "3.11.2",
    "sklearn": "1.9.1",
    "scipy": "1.17.1",
    "seaborn": "0.13.2",
    "tqdm": "4.70.1",
    "einops": "0.8.2",
    "joblib": "1.6.0",
    "IPython": "9.18.1",
    "yaml": "6.0.4",
    "tabulate": "0.10.0",
    "prettytable": "3.18.0",
    "torchinfo": "1.8.0",
    "termcolor": "3.3.0",
    "colorama": "0.4.6",
    "omegaconf": "2.4.0",
    "loguru": "0.7.3",
    "psutil": "7.1.0",
    "attr": "26.1.0",
    "attrs": "26.1.0",
    "pydantic": "2.14.4",
    "torchmetrics": "1.9.0",
    "torchvision": "0.29.1",
    "networkx": "3.6.1",
    "torchdiffeq": "0.2.5",
    "typeguard": "4.6.1",
    "jaxtyping": "0.3.11",
    "wandb": "0.22.0",
}
