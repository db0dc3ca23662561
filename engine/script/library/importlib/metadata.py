# type: ignore
"""importlib.metadata: the versions of the packages that are here."""

from importlib import import_module

_NAMES = {"scikit-learn": "sklearn", "ipython": "IPython"}
_HERE = (
    "torch",
    "numpy",
    "matplotlib",
    "pandas",
    "scikit-learn",
    "scipy",
    "seaborn",
    "tqdm",
    "einops",
    "joblib",
    "ipython",
)


class PackageNotFoundError(ModuleNotFoundError):
    def __str__(self):
        return f"No package metadata was found for {self.args[0]}"


def version(distribution_name):
    if distribution_name.lower() not in _HERE:
        raise PackageNotFoundError(distribution_name)
    return import_module(_NAMES.get(distribution_name.lower(), distribution_name.lower())).__version__
