# type: ignore
"""traceback: there is none to show; errors are shown where they happen."""


def print_exc(*args, **keywords):
    return None


print_exception = print_stack = print_tb = print_exc


def format_exc(*args, **keywords):
    return ""
