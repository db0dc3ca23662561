# type: ignore
"""IPython.core.interactiveshell: what notebooks set; which expressions of a cell are shown is read with the notebook."""


class InteractiveShell:
    ast_node_interactivity = "last_expr"
    cache_size = 1000
    colors = "neutral"
