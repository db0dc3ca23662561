# type: ignore
"""rich.traceback: errors are shown as they always are."""


def install(**options):
    return None
