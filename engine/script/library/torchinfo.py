# type: ignore
"""torchinfo: the modules of a model as a tree, with shapes and numbers of parameters, from one pass through it."""

import math

import torch

_TITLES = {
    "kernel_size": "Kernel Shape",
    "input_size": "Input Shape",
    "output_size": "Output Shape",
    "num_params": "Param #",
    "params_percent": "Param %",
    "mult_adds": "Mult-Adds",
    "trainable": "Trainable",
}
_ROWS = ("ascii_only", "depth", "var_names", "hide_recursive_layers")


class Layer:
    """A line of the table: one call of a module."""

    def __init__(self, name, module, depth):
        self.var_name, self.module, self.depth = name, module, depth
        self.class_name = type(module).__name__
        self.is_leaf_layer = not any(True for _ in module.children())
        self.is_recursive, self.executed = False, False
        self.input_size, self.output_size, self.output_bytes, self.macs = [], [], 0, 0
        self.depth_index, self.children = None, []
        held = list(module.named_parameters())
        counts = [(_counted(module, name, p), p) for name, p in held]
        self.num_params = sum(count for count, _ in counts)
        self.param_bytes = sum(count * p.element_size() for count, p in counts)
        self.trainable_params = sum(count for count, p in counts if p.requires_grad)

    def __repr__(self):
        return f"{self.class_name}: {self.depth}"

    @property
    def trainable(self):
        if not self.num_params:
            return "--"
        if not self.trainable_params:
            return "False"
        return "True" if self.num_params == self.trainable_params else "Partial"

    @property
    def kernel_size(self):
        size = getattr(self.module, "kernel_size", None)
        return list(size) if isinstance(size, (tuple, list)) else size

    def saw(self, inputs, outputs, batch_dim):
        """What went in and came out."""
        self.executed = True
        self.input_size, _ = _size(inputs, batch_dim)
        self.output_size, width = _size(outputs, batch_dim)
        self.output_bytes = width * math.prod(self.output_size)
        for name, parameter in self.module.named_parameters():
            count = _counted(self.module, name, parameter)
            if name.removesuffix("_orig") in ("weight", "bias"):
                out = self.output_size
                self.macs += count * (math.prod([*out[:1], *out[2:]]) if "Conv" in self.class_name else out[0])
            elif "weight" in name or "bias" in name:
                self.macs += count * math.prod(self.output_size[:2])

    def named(self, options):
        found = self.class_name
        if "var_names" in options and self.var_name:
            found += f" ({self.var_name})"
        if "depth" in options and self.depth:
            found += f": {self.depth}" + ("" if self.depth_index is None else f"-{self.depth_index}")
        return found

    def beside(self, what):
        """The parameters (`what` of them) that belong to no module inside."""
        own = getattr(self, what)
        inside = [each for each in self.children if not each.is_recursive]
        return own - sum(getattr(each, what) if each.is_leaf_layer else each.beside(what) for each in inside)

    def cells(self, deepest, total):
        whole = deepest or self.is_leaf_layer
        shown = self.num_params if whole else self.beside("num_params")
        count, share = (f"{shown:,}", f"{shown / total:>7.2%}") if shown > 0 else ("--", " " * 5 + "--")
        if whole and shown and not self.trainable_params:
            count = f"({count})"
        if self.is_recursive and self.num_params:
            count = share = "(recursive)"
        macs = self.macs if self.is_leaf_layer else sum(each.macs for each in self.children if each.is_leaf_layer)
        return {
            "kernel_size": str(self.kernel_size or "--"),
            "input_size": str(self.input_size or "--"),
            "output_size": str(self.output_size or "--"),
            "num_params": count,
            "params_percent": share,
            "mult_adds": f"{macs:,}" if self.macs > 0 and whole else "--",
            "trainable": self.trainable,
        }


def _counted(module, name, parameter):
    """How many numbers a parameter has; of a pruned one those that are left."""
    if name.endswith("_orig"):
        found = module
        for part in f"{name[:-5]}_mask".split("."):
            found = getattr(found, part, None)
        if found is not None:
            return int(found.sum())
    return parameter.numel()


def _size(value, batch_dim):
    """The shape of the first tensor in `value`, and the bytes of an element."""
    within = False
    while not isinstance(value, torch.Tensor):
        if isinstance(value, dict):
            value = list(value.values())[-1:]
        elif hasattr(value, "data"):
            value = value.data  # a packed sequence
            continue
        if not value or not isinstance(value, (list, tuple)):
            return [], 0
        value, within = value[0], True
    size = list(value.size())
    if within and batch_dim is not None and batch_dim < len(size):
        size[batch_dim] = 1
    return size, value.element_size()


class ModelStatistics:
    """What summary() gives: its text is the table."""

    def __init__(self, summary_list, input_size, total_input, columns, options, depth, col_width):
        self.summary_list, self.input_size, self.total_input = summary_list, input_size, total_input
        self.columns, self.options, self.depth, self.col_width = columns, options, depth, col_width
        self.total_mult_adds = self.total_params = self.trainable_params = 0
        self.total_param_bytes = self.total_output_bytes = 0
        for each in summary_list:
            if each.is_leaf_layer:
                self.total_mult_adds += each.macs
                self.total_output_bytes += each.output_bytes * 2 if each.num_params else 0
            if each.is_recursive:
                continue
            self.total_param_bytes += each.param_bytes if each.is_leaf_layer else 0
            self.total_params += max(each.beside("num_params"), 0)
            self.trainable_params += max(each.beside("trainable_params"), 0)

    def _row(self, width, name, cells):
        parts = [f"{cells[column]:<{self.col_width}} " for column in self.columns]
        return f"{name:<{width}} {''.join(parts)}".rstrip() + "\n"

    def _start(self, depth):
        plain = "ascii_only" in self.options
        if depth < 2:
            return "" if not depth else "+ " if plain else "├─"
        return ("|    " if plain else "│    ") * (depth - 1) + ("+ " if plain else "└─")

    def __repr__(self):
        longest = max([len(each.named(self.options)) + each.depth * 5 + 1 for each in self.summary_list], default=0)
        width = math.ceil(longest / 5) * 5 if longest >= 40 else 40
        line = "=" * (len(self.columns) * self.col_width + width) + "\n"
        title = "Layer (type" + " (var_name)" * ("var_names" in self.options) + ":depth-idx" * ("depth" in self.options)
        text = line + self._row(width, f"{title})", _TITLES) + line
        for each in self.summary_list:
            if each.depth > self.depth or ("hide_recursive_layers" in self.options and each.is_recursive):
                continue
            name = self._start(each.depth) + each.named(self.options)
            text += self._row(width, name, each.cells(each.depth == self.depth, self.total_params))
        text += f"{line}Total params: {self.total_params:,}\nTrainable params: {self.trainable_params:,}\n"
        text += f"Non-trainable params: {self.total_params - self.trainable_params:,}\n"
        if self.input_size:
            text += f"Total mult-adds{_readable(self.total_mult_adds)}\n{line}"
            sizes = self.total_input, self.total_output_bytes, self.total_param_bytes
            names = "Input size", "Forward/backward pass size", "Params size", "Estimated Total Size"
            for name, size in zip(names, (*sizes, sum(sizes))):
                text += f"{name} (MB): {size / 1e6:0.2f}\n"
        return text + line[:-1]


def _readable(number):
    unit, part = ("TERABYTES", 1e12) if number >= 1e12 else ("GIGABYTES", 1e9) if number >= 1e9 else ("MEGABYTES", 1e6)
    found = number / part
    return f" (Units.{unit}): " + (f"{int(found):,}" if found.is_integer() else f"{found:,.2f}")


def _sizes(input_size):
    """A list of sizes, one for each input."""
    if not isinstance(input_size, (list, tuple)):
        raise TypeError(
            "Input_size is not a recognized type. Please ensure input_size is valid.\n"
            "For multiple inputs to the network, ensure input_size is a list of tuple "
            "sizes. If you are having trouble here, please submit a GitHub issue."
        )
    several = bool(input_size) and isinstance(input_size[0], (list, tuple))
    found = list(input_size) if several else [tuple(input_size)]
    if not input_size or any(size <= 0 for each in found for size in each):
        raise ValueError("Input_data is invalid, or negative size found in input_data.")
    return found


def _watched(model, batch_dim):
    """The layers in the order in which they are called, as they will be, and the hooks that see to it."""
    lines, handles, seen, latest = [], [], set(), {}

    def watch(name, module, depth):
        def before(module, inputs):
            made = Layer(name, module, depth)
            made.is_recursive = module in seen
            seen.add(module)
            lines.append(made)
            latest[module] = made

        def after(module, inputs, outputs):
            latest[module].saw(inputs, outputs, batch_dim)

        handles.extend((module.register_forward_pre_hook(before), module.register_forward_hook(after)))
        for inner, child in module.named_children():
            watch(inner, child, depth + 1)

    watch(type(model).__name__, model, 0)
    return lines, handles


def _unwatched(name, module, depth, lines, seen):
    made = Layer(name, module, depth)
    made.is_recursive = module in seen
    seen.add(module)
    lines.append(made)
    for inner, child in module.named_children():
        _unwatched(inner, child, depth + 1, lines, seen)
    return lines


def _with_containers(model, lines):
    """The lines, with those of modules that nobody called before the first of what they hold."""
    above = {}

    def note(module, way):
        for name, child in module.named_children():
            above.setdefault(child, [*way, (name, child)])
            note(child, [*way, (name, child)])

    note(model, [])
    called, found = {each.module for each in lines}, []
    shown = set()
    for each in lines:
        for depth, (name, module) in enumerate(above.get(each.module, [])[:-1], 1):
            if module not in called and module not in shown:
                shown.add(module)
                found.append(Layer(name, module, depth))
        found.append(each)
    return found


def summary(
    model,
    input_size=None,
    input_data=None,
    batch_dim=None,
    cache_forward_pass=None,
    col_names=None,
    col_width=25,
    depth=3,
    device=None,
    dtypes=None,
    mode=None,
    row_settings=None,
    verbose=None,
    **kwargs,
):
    """Print the table and give its object."""
    told = input_size is not None or input_data is not None
    columns = tuple(col_names or (("output_size", "num_params") if told else ("num_params",)))
    for each in columns:
        if each not in _TITLES:
            raise ValueError(f"{each!r} is not a valid ColumnSettings")
    options = set(("depth",) if row_settings is None else row_settings)
    for each in options:
        if each not in _ROWS:
            raise ValueError(f"{each!r} is not a valid RowSettings")
    if input_size is not None and input_data is not None:
        raise RuntimeError("Only one of (input_data, input_size) should be specified.")
    given, sizes = None, []
    if input_data is not None:
        given = [input_data] if isinstance(input_data, torch.Tensor) else input_data
        sizes = [each.size() for each in (given.values() if isinstance(given, dict) else given)]
    if input_size is not None:
        sizes = _sizes(input_size)
        given = []
        for size, kind in zip(sizes, dtypes or [torch.float] * len(sizes)):
            made = torch.rand(*size)
            given.append((made if batch_dim is None else made.unsqueeze(batch_dim)).type(kind))
    if given is None:
        lines = _unwatched(type(model).__name__, model, 0, [], set())
        held = 0
    else:
        lines = _with_containers(model, _passed(model, given, batch_dim, mode, kwargs))
        tensors = given.values() if isinstance(given, dict) else given
        held = sum(each.numel() * each.element_size() + 48 for each in tensors if isinstance(each, torch.Tensor))
    numbers = {}
    for i, each in enumerate(lines):
        numbers[each.depth] = numbers.get(each.depth, 0) + 1
        each.depth_index = numbers[each.depth]
        for other in lines[i + 1 :]:
            if other.depth <= each.depth:
                break
            each.children.append(other)
    found = ModelStatistics(lines, sizes, held, columns, options, depth, col_width)
    if verbose is None or verbose > 0:
        print(found)
    return found


def _passed(model, given, batch_dim, mode, kwargs):
    lines, handles = _watched(model, batch_dim)
    training = model.training
    try:
        model.train(mode == "train")
        with torch.no_grad():
            model(**given, **kwargs) if isinstance(given, dict) else model(*given, **kwargs)
    except Exception as error:
        executed = [each for each in lines if each.executed]
        raise RuntimeError(
            f"Failed to run torchinfo. See above stack traces for more details. Executed layers up to: {executed}"
        ) from error
    finally:
        for handle in handles:
            handle.remove()
        model.train(training)
    return lines
