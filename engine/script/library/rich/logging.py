# type: ignore
"""rich.logging: a handler that writes plain lines, to stderr."""

import logging


class RichHandler(logging.StreamHandler):
    def __init__(self, level=0, console=None, **options):
        super().__init__()
