# type: ignore
"""What display() shows within capture_output()."""

kept = []
"""For each such statement the outputs so far."""


class RichOutput:
    """A value that was shown, as its text."""

    def __init__(self, data=None, metadata=None):
        self.data, self.metadata = data or {}, metadata or {}

    def display(self):
        print(self.data["text/plain"])


def keeps(text):
    """Whether what would be shown is kept."""
    if kept:
        kept[-1].append(RichOutput({"text/plain": text}))
    return bool(kept)
