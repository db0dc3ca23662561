"""Replay: a training loop whose iterations do the same operations is recorded once and then repeated as a flat list of
NumPy calls over arrays that are there already.

What a script can see stays what it would be: the same numbers to the bit, the same printed text, tensors, `.grad`s,
versions, buffers, random numbers and optimizer state. Whenever something differs from what was recorded, the iteration
is executed as always. Nothing in the engine knows of this room.

    reading.py     which loops can be replayed, told from the text: statements of the tape, and the rest
    pure.py        what only computes: expressions, functions and modules of the script
    entering.py    a program is executed with its loops in hand
    loop.py        one loop: an iteration as always, one recorded, one checked to the bit, then replay
    place.py       where its statements stand in the program; names.py: what they read there
    picks.py       what is picked from tensors where it is used
    record.py      what an iteration did, and what must stay so: watch.py (seen), moving.py (chance and buffers)
    tape.py        operations as calls of NumPy: kernels.py, kernels_more.py, kernels_smooth.py, kernels_views.py,
                   kernels_engine.py (the engine's own), products.py (long chains), sums.py, columns.py (of several
                   layers at once), calls.py
    play.py        an iteration replayed: statement.py (gradients), stepping.py and ../optim/bunches.py (optimizers),
                   chain.py (many at once), unread.py (what only the last of them needs), homes.py (where parameters
                   are meanwhile)
"""

from engine.replay.entering import replaying, run

__all__ = ["replaying", "run"]
