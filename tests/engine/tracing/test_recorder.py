from __future__ import annotations

import gc
import weakref

import numpy as np

from engine.run import Command, Run
from engine.tracing import events as ev
from engine.tracing.moments import Graph, GraphNode
from tests.engine.tracing.watched import Watched


def node(graph: Graph, id_: str) -> GraphNode:
    return next(node for node in graph.nodes if node.id == id_)


def started() -> Watched:
    do = Watched()
    do("w = torch.tensor([1.0, -2.0], requires_grad=True)", 1)
    do("x = torch.tensor([3.0, 4.0])", 2)
    return do


def test_events_of_a_forward_and_a_backward_in_order() -> None:
    do = started()
    forward = do("loss = (w * x + 1).sum()", 3)
    assert [(e.node, e.grad_fn, e.inputs, e.line) for e in forward.events] == [
        ("op:3.0", "MulBackward0", ("leaf:w", "leaf:x"), 3),
        ("op:3.1", "AddBackward0", ("op:3.0",), 3),
        ("op:3.2", "SumBackward0", ("op:3.1",), 3),
    ]
    assert node(forward.graph, "op:3.1").operands == ("", "1")
    assert node(forward.graph, "op:3.2").name == "loss"
    backward = do("loss.backward()", 4)
    assert [event.kind for event in backward.events] == ["gradient"] * 3 + ["accumulate"]
    last = backward.events[2]
    assert isinstance(last, ev.GradientComputed)
    assert last.node == "op:3.0"
    assert last.upstream.tolist() == [1, 1]
    assert [(to, None if array is None else array.tolist()) for to, array in last.contributions] == [
        ("leaf:w", [3, 4]),
        ("leaf:x", None),
    ]
    edge = next(e for e in backward.graph.edges if (e.source, e.target) == ("leaf:w", "op:3.0"))
    assert edge.slot == 0
    assert edge.gradient is not None
    assert edge.gradient.tolist() == [3, 4]
    assert node(backward.graph, "op:3.2").passing == 1
    assert node(backward.graph, "leaf:w").contributions[0].tolist() == [3, 4]


def test_a_tensor_used_twice_has_two_edges_and_one_accumulation() -> None:
    do = started()
    do("loss = (w * w).sum()", 3)
    parts = do("loss.backward()", 4)
    edges = [e for e in parts.graph.edges if e.target == "op:3.0"]
    assert [(e.source, e.slot) for e in edges] == [("leaf:w", 0), ("leaf:w", 1)]
    assert [e.gradient.tolist() for e in edges if e.gradient is not None] == [[1, -2], [1, -2]]
    (accumulated,) = [e for e in parts.events if isinstance(e, ev.GradientAccumulated)]
    assert accumulated.added.tolist() == [2, -4]


def test_part_of_the_forward_again_makes_the_rest_stale() -> None:
    do = started()
    do("pred = w * x", 3)
    do("loss = pred.sum()", 4)
    parts = do("pred = w * x", 3)
    assert [(n.id, n.state) for n in parts.graph.nodes] == [
        ("leaf:w", "live"),
        ("leaf:x", "live"),
        ("op:3.0", "live"),
        ("op:4.0", "stale"),
    ]
    parts = do("loss = pred.sum()", 4)
    assert {n.state for n in parts.graph.nodes} == {"live"}


def test_what_is_stale_can_be_freed_as_well() -> None:
    do = started()
    do("loss = (w * x).sum()", 3)
    do("loss.backward()", 4)
    parts = do("w.data += 1", 5)
    assert (node(parts.graph, "op:3.0").state, node(parts.graph, "op:3.0").freed) == ("stale", True)
    parts = do("loss = (w * x).sum()", 3)
    assert (node(parts.graph, "op:3.0").state, node(parts.graph, "op:3.0").freed) == ("live", False)


def test_a_new_batch_makes_the_old_forward_stale() -> None:
    do = started()
    do("loss = (w * x).sum()", 3)
    parts = do("x = torch.tensor([5.0, 6.0])", 2)
    assert node(parts.graph, "op:3.0").state == "stale"
    assert [n.id for n in parts.graph.nodes] == ["leaf:w", "leaf:x", "op:3.0", "op:3.1"]
    shown = node(parts.graph, "leaf:x")
    assert shown.state == "stale"
    assert shown.value is not None
    assert shown.value.tolist() == [3, 4], "the picture shows what the operation used"


def test_edits_that_count_no_version_are_seen() -> None:
    do = started()
    do("loss = (w * x).sum()", 3)
    parts = do("w.data += 1", 4)
    assert node(parts.graph, "op:3.0").state == "stale"
    assert parts.tensors[0].value.tolist() == [2, -1]
    assert parts.tensors[0].version == 0


def test_a_state_carried_over_iterations_is_drawn_generation_by_generation() -> None:
    do = started()
    do("h = torch.zeros(2)", 3)
    for _ in range(3):
        parts = do("h = torch.tanh(w * x + h)", 4)
    parts = do("loss = h.sum()", 5)
    ids = [n.id for n in parts.graph.nodes]
    assert ids.count("op:4.0") == 1
    assert {"op:4.0", "op:4.0~2", "op:4.0~3"} <= set(ids)
    assert len(set(ids)) == len(ids) == 2 + 1 + 3 * 3 + 1
    place = {id_: i for i, id_ in enumerate(ids)}
    assert all(place[e.source] < place[e.target] for e in parts.graph.edges)
    assert place["op:4.2~3"] < place["op:4.2~2"] < place["op:4.2"], "the oldest generation comes first"


def test_two_names_count_once_under_the_first() -> None:
    do = started()
    parts = do("v = w", 3)
    assert [t.name for t in parts.tensors] == ["w", "x"]
    parts = do("pair = [x, w * 2]", 4)
    assert [t.name for t in parts.tensors] == ["w", "x", "pair[1]"]


def test_names_through_containers_and_modules() -> None:
    do = Watched()
    do("model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))", 1)
    do("batch = {'x': torch.ones(4, 2)}", 2)
    parts = do("loss = model(batch['x']).mean()", 3)
    assert [t.name for t in parts.tensors] == [
        "model.0.weight",
        "model.0.bias",
        "model.2.weight",
        "model.2.bias",
        "loss",
        "batch['x']",
    ]
    assert [t.is_parameter for t in parts.tensors] == [True] * 4 + [False] * 2
    assert [(n.id, n.module) for n in parts.graph.nodes if n.kind != "leaf"] == [
        ("op:3.0", "model.0"),
        ("op:3.1", "model.1"),
        ("op:3.2", "model.2"),
        ("op:3.3", None),
    ]
    assert [n.id for n in parts.graph.nodes if n.kind == "leaf"] == [
        "leaf:model.0.bias",
        "leaf:batch['x']",
        "leaf:model.0.weight",
        "leaf:model.2.bias",
        "leaf:model.2.weight",
    ]


def test_a_leaf_without_a_name_is_called_after_its_place() -> None:
    do = started()
    parts = do("loss = (w * torch.tensor([1.0, 2.0])).sum()", 3)
    leaf = next(n for n in parts.graph.nodes if n.kind == "leaf" and n.name == "")
    assert leaf.id == "leaf:3.0.1"
    assert leaf.value is not None
    assert leaf.value.tolist() == [1, 2]


def test_retained_gradients_are_grad_and_others_only_pass() -> None:
    do = started()
    do("pred = w * x", 3)
    do("pred.retain_grad()", 4)
    do("loss = pred.sum()", 5)
    parts = do("loss.backward()", 6)
    kept, other = node(parts.graph, "op:3.0"), node(parts.graph, "op:5.0")
    assert kept.grad is not None
    assert kept.grad.tolist() == [1, 1]
    assert other.grad is None
    assert other.passing == 1
    state = next(t for t in parts.tensors if t.name == "pred")
    assert state.grad is not None


def test_the_graph_stays_when_the_loss_was_local() -> None:
    do = started()
    do("def train():\n    loss = (w * x).sum()\n    loss.backward()", 3)
    parts = do("train()", 4)
    assert [n.id for n in parts.graph.nodes] == ["leaf:w", "leaf:x", "op:4.0", "op:4.1"]
    assert node(parts.graph, "op:4.1").kind == "output"


def test_what_backward_is_called_on_is_drawn_though_no_variable_holds_it() -> None:
    do = started()
    for _ in range(2):
        do("loss = (w * x).sum()", 3)
        graph = do("(loss / 4).backward()", 4).graph
        ends = [(node.id, node.operation, node.passing) for node in graph.nodes if node.kind == "output"]
        assert ends == [("op:3.1", "sum", 0.25), ("op:4.0", "div", 1.0)]
    graph = do("loss = (w * x).sum()", 3).graph
    assert node(graph, "op:4.0").state == "stale"  # it keeps its place until it is computed anew


def test_an_old_passing_gradient_does_not_stay_in_the_picture() -> None:
    do = started()
    do("loss = (w * x).sum()", 3)
    do("loss.backward(retain_graph=True)", 4)
    do("other = (w * 2).sum()", 5)
    parts = do("other.backward()", 6)
    assert all(e.gradient is None for e in parts.graph.edges if e.target.startswith("op:3"))


def test_clearing_by_hand_empties_the_ledger() -> None:
    for clearing in ("w.grad = None", "w.grad.zero_()"):
        do = started()
        do("loss = (w * x).sum()", 3)
        assert len(node(do("loss.backward()", 4).graph, "leaf:w").contributions) == 1
        assert node(do(clearing, 5).graph, "leaf:w").contributions == ()


def test_watching_keeps_no_graph_alive() -> None:
    do = started()
    do("loss = (w * x).sum()", 3)
    loss = weakref.ref(do.names["loss"])
    do("del loss", 4)
    gc.collect()
    assert loss() is None


def test_unchanged_arrays_are_shared_and_read_only() -> None:
    do = started()
    one = do("loss = (w * x).sum()", 3)
    two = do("y = 3", 4)
    assert one.tensors[0].value is two.tensors[0].value
    assert one.graph.nodes[0].value is one.tensors[0].value
    assert not one.tensors[0].value.flags.writeable
    assert isinstance(one.tensors[0].value, np.ndarray)


def test_what_is_trained_is_not_called_as_a_loop_calls_it() -> None:
    script = """import torch
weights = [torch.ones(1, requires_grad=True) for _ in range(3)]
layers = [torch.nn.Linear(1, 1), torch.nn.Linear(1, 1)]
alone = torch.ones(1, requires_grad=True)
data = [torch.ones(1)]
for w in weights:
    pass
for layer in layers:
    pass
for only in (alone, torch.zeros(1, requires_grad=True)):
    pass
for x in data:
    pass
"""
    run = Run(script)
    run.begin()
    run.execute(Command("finish"))
    names = [state.name for state in run.moment(run.last).tensors]
    assert names == [
        "alone",
        "x",
        *(f"weights[{i}]" for i in range(3)),
        *(f"layers[{i}].{part}" for i in range(2) for part in ("weight", "bias")),
        "only",
    ]


def test_what_a_notebook_shows_keeps_its_name() -> None:
    run = Run("import torch\n_ = net = torch.nn.Linear(1, 1)\n_ = x = torch.ones(1)\n_ = torch.zeros(1)\ny = net(x)")
    run.begin()
    run.execute(Command("finish"))
    state = run.moment(run.last)
    assert [tensor.name for tensor in state.tensors] == ["net.weight", "net.bias", "x", "y", "_"]
    assert {node.name for node in state.graph.nodes} >= {"net.weight", "net.bias", "y"}


def test_what_is_trained_keeps_its_name_inside_functions() -> None:
    script = """import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(1, 1)
    def forward(self, x):
        return self.a(x)
def train(net, params, w):
    return net(w)
model = Net()
v = torch.ones(1, requires_grad=True)
out = train(model, [v], v)
"""
    run = Run(script)
    run.begin()
    seen = {}
    while run.moment(run.last).next_line is not None:
        run.execute(Command("into"))
        moment = run.moment(run.last)
        seen[moment.next_line] = [state.name for state in moment.tensors if state.is_leaf]
    trained = ["model.a.weight", "model.a.bias", "v"]
    assert sorted(seen[9]) == sorted(seen[7]) == sorted(trained)
    assert run.moment(run.last).error is None
