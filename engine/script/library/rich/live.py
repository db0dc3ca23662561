# type: ignore
"""rich.live: what is shown while it changes is printed once, as it is at the end."""

from rich.console import Console


class Live:
    def __init__(self, renderable=None, *, console=None, **options):
        self.renderable, self.console = renderable, console or Console()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.renderable is not None:
            self.console.print(self.renderable)

    def update(self, renderable, refresh=False):
        self.renderable = renderable

    def refresh(self):
        return None

    start = stop = refresh
