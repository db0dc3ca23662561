"""What only computes: expressions, functions and modules of a script whose result depends on what they are given, and
that do nothing else. What a name means in them is looked at when a loop is recorded."""

from __future__ import annotations

import ast
from collections import Counter
from copy import deepcopy
from functools import lru_cache

from engine.script.reading.walk import children, walk

COMPUTING = frozenset(
    {"relu", "tanh", "sigmoid", "exp", "log", "pow", "neg", "sum", "mean", "mm", "matmul", "mul", "add", "sub", "div"}
    | {"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "cross_entropy", "nll_loss", "log_softmax", "linear"}
    | {"binary_cross_entropy", "binary_cross_entropy_with_logits", "leaky_relu", "gelu", "elu", "silu", "softplus"}
    | {"softmax", "square", "sqrt", "sin", "cos", "abs", "view", "reshape", "flatten", "size", "squeeze", "unsqueeze"}
    | {"multiply", "subtract", "divide", "t", "transpose", "conv1d", "conv2d", "max_pool2d", "avg_pool2d", "dropout"}
    | {
        "layer_norm",
        "embedding",
        "cat",
        "randn_like",
        "rand_like",
        "zeros",
        "ones",
        "bmm",
        "permute",
        "unbind",
        "chunk",
    }
)
OF_A_SHAPE = frozenset({"shape", "ndim"})
"""Attributes of tensors that stay the same as long as shapes do."""
SIZES = frozenset({"size", "dim", "numel"})
"""Methods that do."""
LISTING = "parameters"
"""What gives the parameters of a module one by one."""
FIXED = (ast.Constant, ast.Slice, ast.UnaryOp, ast.USub, ast.Tuple, ast.Load)
"""What an index that is always the same is made of."""

PLACES = (*FIXED, ast.Name, ast.BinOp, ast.Add, ast.Sub, ast.Mult)
"""What a place is made of at which something is picked."""

LISTS = (ast.GeneratorExp, ast.ListComp)


def loads(node: ast.AST) -> frozenset[str]:
    return frozenset(n.id for n in walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))


def paths(node: ast.AST) -> frozenset[str]:
    """What a piece of a program reads: names, and attributes of them as paths (`self.model`). What only computes is no
    part of a path: of `x.sum()` and `torch.nn.functional.relu(x)`, `x` and `torch.nn.functional` are read. What is
    picked is read as such (`X[i:i + b]`)."""
    if picked(node):
        return frozenset({ast.unparse(node)})
    path = path_of(node)
    if path is not None:
        owner, _, attribute = path.rpartition(".")
        known = attribute in COMPUTING | OF_A_SHAPE or attribute == LISTING
        return frozenset({owner if owner not in ("", "self") and known else path})
    inside = frozenset[str]().union(*map(paths, children(node)))
    return frozenset(each for each in inside if each not in bound_in(node)) if isinstance(node, LISTS) else inside


def path_of(node: ast.AST) -> str | None:
    """`self.model.one` as text; None for what is no path."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        attributes.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return None
    return ".".join([node.id, *reversed(attributes)])


def roots(read: frozenset[str]) -> frozenset[str]:
    """The names at the beginning of paths, and those by which something is picked."""
    plain = frozenset(path.partition(".")[0] for path in read if not is_pick(path))
    return plain.union(*(loads(pick(path)) for path in read if is_pick(path)))


def is_pick(path: str) -> bool:
    """Whether what is read is picked: `X[i:i + b]`."""
    return path.endswith("]")


@lru_cache(maxsize=1024)
def pick(path: str) -> ast.Subscript:
    """What is picked, as an expression."""
    found = ast.parse(path, mode="eval").body
    assert isinstance(found, ast.Subscript)
    return found


def picked(node: ast.AST) -> bool:
    """Whether an expression takes from a variable what is at a place that varies: `X[ix]`, `X[i:i + b]`."""
    if not isinstance(node, ast.Subscript) or path_of(node.value) is None or fixed(node.slice):
        return False
    return all(isinstance(each, PLACES) for each in walk(node.slice))


def fixed(index: ast.expr) -> bool:
    """Whether an index is always the same."""
    return all(isinstance(each, FIXED) for each in walk(index))


def listing(node: ast.AST) -> bool:
    """Whether something is computed of each parameter of a module: `p.pow(2).sum() for p in model.parameters()`."""
    if not isinstance(node, LISTS) or len(node.generators) != 1:
        return False
    (part,) = node.generators
    owner = path_of(part.iter.func) if isinstance(part.iter, ast.Call) and not part.iter.args else None
    named = owner is not None and owner.endswith(f".{LISTING}") and isinstance(part.target, ast.Name)
    return named and not part.ifs and computes(node.elt)


def bound_in(node: ast.AST) -> frozenset[str]:
    """The names that a piece of a program binds."""
    return frozenset(n.id for n in walk(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))


def unpacked(targets: list[ast.expr]) -> list[ast.expr]:
    """The targets of an assignment, with the parts of a tuple one by one."""
    return [part for each in targets for part in (each.elts if isinstance(each, ast.Tuple) else [each])]


def names_only(targets: list[ast.expr]) -> bool:
    return all(isinstance(target, ast.Name) for target in targets)


def computes(node: ast.expr, attributes: bool = False) -> bool:
    """Whether an expression only computes: operators, and calls of functions, on names and numbers. What names mean is
    looked at when a loop is recorded; with `attributes`, what paths of attributes mean, too."""

    def fine(part: ast.expr) -> bool:
        return computes(part, attributes)

    if isinstance(node, ast.Name):
        return True
    if isinstance(node, ast.Constant):
        return type(node.value) in (int, float, str, bool, type(None))
    if isinstance(node, ast.BinOp):
        return fine(node.left) and fine(node.right)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and fine(node.operand)
    if isinstance(node, ast.Tuple):
        return isinstance(node.ctx, ast.Load) and all(map(fine, node.elts))
    if isinstance(node, ast.Attribute):
        return (attributes and path_of(node) is not None) or (node.attr in OF_A_SHAPE and fine(node.value))
    if isinstance(node, ast.Subscript):
        return (attributes and picked(node)) or (fine(node.value) and fixed(node.slice))
    if attributes and listing(node):
        return True
    if isinstance(node, ast.Call):
        if not all(map(fine, [*node.args, *(keyword.value for keyword in node.keywords)])):
            return False
        function = node.func
        if isinstance(function, ast.Name) or (attributes and path_of(function) is not None):
            return True
        if not isinstance(function, ast.Attribute) or function.attr not in COMPUTING:
            return False
        return path_of(function.value) is not None or fine(function.value)  # such as torch.nn.functional
    return False


def that_compute(tree: ast.Module) -> frozenset[str]:
    """The names of the script's own classes of modules, and functions, that only compute."""
    return _modules_that_compute(tree) | functions_that_compute(tree).keys()


def functions_that_compute(tree: ast.Module) -> dict[str, frozenset[str]]:
    """The functions of the top level that are a straight line of computing statements; by name, which variables of the
    program they read themselves."""
    nodes = walk(tree)
    defined = Counter(node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef)))
    given = bound_in(tree) | {part.arg for part in nodes if isinstance(part, ast.arg)}
    found: dict[str, frozenset[str]] = {}
    for each in tree.body:
        if not isinstance(each, ast.FunctionDef) or defined[each.name] > 1 or each.name in given:
            continue
        if _straight(each, ""):
            arguments = {part.arg for part in each.args.args}
            found[each.name] = frozenset(loads(each) - bound_in(each) - arguments)
    return found


def _modules_that_compute(tree: ast.Module) -> frozenset[str]:
    """The script's own classes of modules whose forward, and the methods that it calls, are straight lines of computing
    statements, and read nothing but what they are given, their own and what was imported. With them, as `Net.layers`,
    the attributes whose parts they take one by one, which must be lists of modules; as `Net.?deep`, those that decide
    which way they go, which must be settings."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    imported = {
        alias.asname or alias.name.partition(".")[0]
        for node in walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    imported -= bound_in(tree) | {node.name for node in walk(tree) if isinstance(node, ast.FunctionDef)}
    found: set[str] = set()
    for each in classes:
        methods = {part.name: part for part in each.body if isinstance(part, ast.FunctionDef)}
        others = [part for part in each.body if not isinstance(part, ast.FunctionDef) and not _is_text(part)]
        alone = [c.name for c in classes].count(each.name) == 1 and not others and not each.decorator_list
        called = _called_by(methods, "forward") if alone and "forward" in methods else None
        if called is None:
            continue
        lists: set[str] = set()  # with a question mark, what decides which way it goes
        for method in called:
            me, *arguments = (part.arg for part in method.args.args)
            free = loads(method) - bound_in(method) - {me, *arguments}
            if not (free <= imported and _straight(method, me, lists)):
                break
        else:
            found |= {each.name, *(f"{each.name}.{name}" for name in lists)}
    return frozenset(found)


def _called_by(methods: dict[str, ast.FunctionDef], name: str) -> list[ast.FunctionDef] | None:
    """A method and those of the same class that it calls, themselves or through others; None where one has no self."""
    found: list[str] = [name]
    for each in found:  # which grows
        arguments = methods[each].args.args
        if not arguments:
            return None
        for part in walk(methods[each]):
            path = path_of(part)
            if path is not None and path.startswith(f"{arguments[0].arg}."):
                called = path.split(".")[1]
                found += [called] if called in methods and called not in found else []
    return [methods[each] for each in found]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _straight(function: ast.FunctionDef, me: str, lists: set[str] | None = None) -> bool:
    """Whether a function does nothing but compute, statement by statement. `me` is what it calls itself, where it is a
    method; the attributes are added to `lists` of which it takes parts one by one."""
    arguments = function.args
    if function.decorator_list or arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
        return False
    if not all(isinstance(default, ast.Constant) for default in arguments.defaults):
        return False
    return all(_is_straight(part, me, set() if lists is None else lists) for part in function.body)


def _is_straight(part: ast.stmt, me: str, lists: set[str]) -> bool:
    if isinstance(part, ast.Assign):
        fine = len(part.targets) == 1 and names_only(unpacked(part.targets))
        return fine and computes(_without(me, part.value, lists))
    if isinstance(part, ast.Return):
        return part.value is not None and computes(_without(me, part.value, lists))
    if isinstance(part, ast.For):
        plain = isinstance(part.target, ast.Name) and not part.orelse and me
        own = isinstance(_without(me, ast.Subscript(part.iter, ast.Slice()), lists), ast.Name)
        sliced = isinstance(_without(me, part.iter, lists), ast.Name) and isinstance(part.iter, ast.Subscript)
        assigned = all(isinstance(each, ast.Assign) and _is_straight(each, me, lists) for each in part.body)
        return bool(plain) and (own or sliced) and assigned
    if isinstance(part, ast.If):
        both = [*part.body, *part.orelse]
        return _settled(part.test, me, lists) and all(_is_straight(each, me, lists) for each in both)
    return _is_text(part)


def _settled(test: ast.expr, me: str, lists: set[str]) -> bool:
    """Whether a condition comes out the same as long as shapes and settings do, which are added to `lists`."""
    if isinstance(test, (ast.BoolOp, ast.UnaryOp)):
        parts = test.values if isinstance(test, ast.BoolOp) else [test.operand]
        return all(_settled(each, me, lists) for each in parts)
    if isinstance(test, ast.Compare):
        none = isinstance(test.left, ast.Name) and isinstance(test.ops[0], (ast.Is, ast.IsNot))
        return all(_settled(each, me, lists) for each in test.comparators) and (none or _settled(test.left, me, lists))
    path = path_of(test)
    if path is not None and me and path.startswith(f"{me}.") and path.count(".") == 1:
        lists.add("?" + path.partition(".")[2])
        return True
    if isinstance(test, ast.Call):
        of_a_tensor = isinstance(test.func, ast.Attribute) and test.func.attr in SIZES
        return of_a_tensor and computes(test.func.value) and all(map(fixed, test.args))  # type: ignore[attr-defined]
    if isinstance(test, ast.Subscript):
        return fixed(test.slice) and isinstance(test.value, ast.Attribute) and _settled(test.value, me, lists)
    return isinstance(test, ast.Constant) or (isinstance(test, ast.Attribute) and test.attr in OF_A_SHAPE)


def _without(me: str, node: ast.expr, lists: set[str]) -> ast.expr:
    """The expression with `self.layer` read as a plain name, and `self.layers[0]` as well; the names of the latter are
    added to `lists`."""

    class Plain(ast.NodeTransformer):
        def visit_Attribute(self, part: ast.Attribute) -> ast.AST:
            if isinstance(part.value, ast.Name) and part.value.id == me:
                return ast.copy_location(ast.Name(part.attr, ast.Load()), part)
            return self.generic_visit(part)

        def visit_Subscript(self, part: ast.Subscript) -> ast.AST:
            whole = path_of(part.value)
            if me and fixed(part.slice) and whole is not None and whole.count(".") == 1 and whole.startswith(f"{me}."):
                lists.add(whole.partition(".")[2])
                return ast.Name(whole.partition(".")[2], ast.Load())
            return self.generic_visit(part)

    return Plain().visit(deepcopy(node))
