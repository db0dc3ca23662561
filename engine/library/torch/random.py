# type: ignore
"""torch.random: what it has beside the functions of torch itself."""

import contextlib

import torch
from torch import get_rng_state, initial_seed, manual_seed, seed, set_rng_state


@contextlib.contextmanager
def fork_rng(devices=None, enabled=True):
    """Draws inside leave the generator as it was."""
    state = torch.get_rng_state() if enabled else None
    try:
        yield
    finally:
        if enabled:
            torch.set_rng_state(state)
