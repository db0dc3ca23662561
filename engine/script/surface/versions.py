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
}
