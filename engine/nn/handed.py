"""What functions of torch.nn.functional that PyTorch writes in Python hand on to functions in C, which refuse arguments
of wrong types in words of their own: `dropout(x, 0.5, model.train)` is refused as argument 'train' (position 3)."""

from types import NoneType

from engine.dtypes import dtype

THEN = {
    "alpha_dropout": "alpha_dropout train=training",
    "affine_grid": "affine_grid_generator",
    "cross_entropy": "cross_entropy_loss",
    "dropout": "dropout train=training",
    "dropout1d": "feature_dropout train=training",
    "dropout2d": "feature_dropout train=training",
    "dropout3d": "feature_dropout train=training",
    "embedding": "embedding indices=input",
    "feature_alpha_dropout": "feature_alpha_dropout train=training",
    "fold": "col2im",
    "gumbel_softmax": ".softmax",
    "grid_sample": "grid_sampler interpolation_mode=0 padding_mode=0",
    "log_softmax": ".log_softmax",
    "nll_loss": "nll_loss_nd",
    "normalize": "linalg_vector_norm ord=p",
    "softmax": ".softmax",
    "softmin": ".softmax",
    "unfold": "im2col",
}
"""The function in C by that which hands on; without a word here it has the same name. "train=training" where an
argument has another name there, ".softmax" for a method, a digit for a value that is always right."""

Types = tuple[type, ...]
_BOOL: Types = (bool,)
_INT: Types = (int,)
_NUMBER: Types = (float, int)
_TRAINING = {"training": _BOOL}
_DTYPE: dict[str, Types] = {"dtype": (dtype, NoneType)}
_POOL = {"ceil_mode": _BOOL}
EXACT: dict[str, dict[str, Types]] = {
    "affine_grid": {"align_corners": (bool, NoneType)},
    "alpha_dropout": _TRAINING,
    "batch_norm": {"training": _BOOL, "momentum": _NUMBER},
    "cross_entropy": {"ignore_index": _INT},
    "ctc_loss": {"blank": _INT, "zero_infinity": _BOOL},
    "dropout": _TRAINING,
    "dropout1d": _TRAINING,
    "dropout2d": _TRAINING,
    "dropout3d": _TRAINING,
    "embedding": {"scale_grad_by_freq": _BOOL, "sparse": _BOOL},
    "feature_alpha_dropout": _TRAINING,
    "glu": {"dim": _INT},
    "gumbel_softmax": {"dim": _INT},
    "grid_sample": {"align_corners": (bool, NoneType)},
    "instance_norm": {"use_input_stats": _BOOL, "momentum": _NUMBER},
    "kl_div": {"log_target": _BOOL},
    "layer_norm": {"eps": _NUMBER},
    "group_norm": {"eps": _NUMBER},
    "log_softmax": _DTYPE,
    "leaky_relu": {"negative_slope": _NUMBER},
    "max_pool1d": _POOL,
    "max_pool2d": _POOL,
    "max_pool3d": _POOL,
    "nll_loss": {"ignore_index": _INT},
    "poisson_nll_loss": {"log_input": _BOOL, "full": _BOOL, "eps": _NUMBER},
    "pad": {"mode": (str,)},
    "rrelu": _TRAINING,
    "softmax": _DTYPE,
    "softmin": _DTYPE,
    "threshold": {"threshold": _NUMBER, "value": _NUMBER},
    "triplet_margin_loss": {"swap": _BOOL, "p": _NUMBER},
}
"""Arguments of which the operations would take any type, and their usual types: only others are looked at further."""

COMPARED = (
    *("alpha_dropout", "batch_norm", "dropout", "dropout1d", "dropout2d", "dropout3d", "embedding"),
    *("feature_alpha_dropout", "group_norm", "hardtanh", "triplet_margin_loss"),
)
"""Those in which PyTorch's Python compares numbers, which says what Python says where they are none."""
