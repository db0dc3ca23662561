# type: ignore
"""torch.utils._pytree: what lies in nested containers as one list, and back again. Leaves stand in the order in which
containers hold them; dictionaries keep theirs."""

from collections import OrderedDict, defaultdict, deque


def _is_namedtuple(value):
    return isinstance(value, tuple) and hasattr(type(value), "_fields")


def _node(value):
    """(kind, what else the container knows, its children), or None for a leaf."""
    kind = type(value)
    if _is_namedtuple(value):
        return "namedtuple", kind, list(value)
    if kind in (tuple, list):
        return kind.__name__, None, list(value)
    if kind in (dict, OrderedDict):
        return kind.__name__, list(value), list(value.values())
    if kind is defaultdict:
        return "defaultdict", [value.default_factory, list(value)], list(value.values())
    if kind is deque:
        return "deque", value.maxlen, list(value)
    return None


_KINDS = {
    "tuple": tuple,
    "list": list,
    "dict": dict,
    "OrderedDict": OrderedDict,
    "defaultdict": defaultdict,
    "deque": deque,
}


class TreeSpec:
    """The containers of a tree without its leaves."""

    def __init__(self, type, context, children_specs):
        self.type = type
        self.context = context
        self.children_specs = children_specs

    def is_leaf(self):
        return self.type is None

    def children(self):
        return list(self.children_specs)

    @property
    def num_children(self):
        return len(self.children_specs)

    @property
    def num_leaves(self):
        return 1 if self.is_leaf() else sum(each.num_leaves for each in self.children_specs)

    @property
    def num_nodes(self):
        return 1 + sum(each.num_nodes for each in self.children_specs)

    def __eq__(self, other):
        if not isinstance(other, TreeSpec):
            return NotImplemented
        mine = (self.type, self.context, self.children_specs)
        return mine == (other.type, other.context, other.children_specs)

    def __hash__(self):
        return hash((self.num_leaves, self.num_nodes))

    def __repr__(self, indent=0):
        if self.is_leaf():
            return "*"
        name = "namedtuple" if self.type not in _KINDS.values() else self.type.__name__
        inside = indent + 2
        shown = ""
        if self.children_specs:
            shown = self.children_specs[0].__repr__(inside)
            if len(self.children_specs) > 1:
                shown += ",\n" + ",\n".join(" " * inside + each.__repr__(inside) for each in self.children_specs[1:])
        return f"TreeSpec({name}, {self.context}, [{shown}])"

    def unflatten(self, leaves):
        leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(
                f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to a pytree that "
                f"holds {self.num_leaves} items ({self})."
            )
        return self._made(iter(leaves))

    def _made(self, leaves):
        if self.is_leaf():
            return next(leaves)
        children = [each._made(leaves) for each in self.children_specs]
        if self.type in (tuple, list):
            return self.type(children)
        if self.type in (dict, OrderedDict):
            return self.type(zip(self.context, children))
        if self.type is defaultdict:
            return defaultdict(self.context[0], zip(self.context[1], children))
        if self.type is deque:
            return deque(children, maxlen=self.context)
        return self.type(*children)

    def flatten_up_to(self, tree):
        found = []
        self._up_to(tree, found)
        return found

    def _up_to(self, tree, found):
        if self.is_leaf():
            found.append(tree)
            return
        node = _node(tree)
        if type(tree) is not self.type:
            mappings = (dict, OrderedDict, defaultdict)
            if not (self.type in mappings and type(tree) in mappings):
                raise ValueError(f"Node type mismatch; expected {self.type!r}, but got {type(tree)!r}.")
        _, context, children = node
        if len(children) != len(self.children_specs):
            raise ValueError(f"Node arity mismatch; expected {len(self.children_specs)}, but got {len(children)}.")
        if isinstance(tree, dict):
            wanted = self.context[1] if self.type is defaultdict else self.context
            if set(wanted) != set(tree):
                missing, extra = set(wanted) - set(tree), set(tree) - set(wanted)
                told = f"; missing key(s): {missing}" if missing else ""
                told += f"; extra key(s): {extra}" if extra else ""
                raise ValueError(f"Node keys mismatch{told}.")
            children = [tree[key] for key in wanted]
        for spec, child in zip(self.children_specs, children):
            spec._up_to(child, found)


PyTreeSpec = TreeSpec


class LeafSpec(TreeSpec):
    def __init__(self):
        super().__init__(None, None, [])


def treespec_leaf():
    return LeafSpec()


def _flatten(tree, leaves, is_leaf):
    node = None if is_leaf is not None and is_leaf(tree) else _node(tree)
    if node is None:
        leaves.append(tree)
        return LeafSpec()
    _, context, children = node
    return TreeSpec(type(tree), context, [_flatten(each, leaves, is_leaf) for each in children])


def tree_flatten(tree, is_leaf=None):
    leaves = []
    spec = _flatten(tree, leaves, is_leaf)
    return leaves, spec


def tree_unflatten(leaves, treespec):
    if not isinstance(treespec, TreeSpec):
        raise TypeError(f"Expected `treespec` to be an instance of PyTreeSpec but got item of type {type(treespec)}.")
    return treespec.unflatten(leaves)


def tree_leaves(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[0]


def tree_iter(tree, is_leaf=None):
    yield from tree_leaves(tree, is_leaf)


def tree_structure(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[1]


def tree_is_leaf(tree, is_leaf=None):
    return _node(tree) is None or (is_leaf is not None and bool(is_leaf(tree)))


def tree_map(func, tree, *rests, is_leaf=None):
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [spec.flatten_up_to(each) for each in rests]
    return spec.unflatten([func(*each) for each in zip(leaves, *others)])


def tree_map_(func, tree, *rests, is_leaf=None):
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def map_only(type_or_types_or_pred, /):
    def asked(value):
        if isinstance(type_or_types_or_pred, (type, tuple)):
            return isinstance(value, type_or_types_or_pred)
        return type_or_types_or_pred(value)

    def wrapper(func):
        return lambda value: func(value) if asked(value) else value

    return wrapper


def tree_map_only(type_or_types_or_pred, /, func, tree, is_leaf=None):
    return tree_map(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_map_only_(type_or_types_or_pred, /, func, tree, is_leaf=None):
    return tree_map_(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    return all(map(pred, tree_leaves(tree, is_leaf)))


def tree_any(pred, tree, is_leaf=None):
    return any(map(pred, tree_leaves(tree, is_leaf)))


def tree_all_only(type_or_types, /, pred, tree, is_leaf=None):
    return all(pred(each) for each in tree_leaves(tree, is_leaf) if isinstance(each, type_or_types))


def tree_any_only(type_or_types, /, pred, tree, is_leaf=None):
    return any(pred(each) for each in tree_leaves(tree, is_leaf) if isinstance(each, type_or_types))
