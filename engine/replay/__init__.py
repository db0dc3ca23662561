"""Replay: a training loop whose iterations do the same operations is recorded once and then repeated as a flat list of
NumPy calls over arrays that are there already.

What a script can see stays what it would be: the same numbers to the bit, the same printed text, tensors, `.grad`s,
versions and optimizer state. Only loops for which that can be told beforehand are replayed (reading.py says which);
each is checked once against what the engine computes before it is trusted (loop.py); and whenever something differs
from what was recorded, the iteration is executed as always. Nothing in the engine knows of this room.
"""

from engine.replay.entering import replaying, run

__all__ = ["replaying", "run"]
