"""Checkpoints: going back and forking from a copy of the state comes to what a replay from the beginning comes to."""

from __future__ import annotations

import gc
import math
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.encode import moment_json
from app.library import scenarios
from engine.run import Command, Run, checkpoints, copying
from engine.run.checkpoints import Checkpoints
from engine.run.copying import Copier, Known
from engine.run.sharing import Refused
from engine.script.limits import Limits
from tests.engine.run.loops import HEAD, LOOPS, OPTIMIZE, W
from tests.engine.run.test_passing import SCRIPTS
from tests.selection import some

ALL = SCRIPTS | LOOPS
EPOCHS = "batches, and a look at the end of each epoch"
QUICK = ["plain", "classes", "generators"]
RUN = Command("run", times=45)


@pytest.fixture(autouse=True)
def _many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of a minute have as many checkpoints as long ones."""
    monkeypatch.setattr(checkpoints, "FIRST", 8)
    monkeypatch.setattr(checkpoints, "EVERY", 8)
    monkeypatch.setattr(checkpoints, "MOST", 100)


def long_run(source: str, command: Command = RUN) -> Run:
    run = Run(source)
    run.execute(command)
    return run


def kept_of(run: Run) -> Checkpoints:
    assert run._checkpoints is not None
    return run._checkpoints


def served(run: Run) -> list[int]:
    """The moments for which there is a checkpoint."""
    longest = run._session.routine.longest
    return [n for n in range(run.last + 1) if kept_of(run).before(n, longest) is not None]


def recalled(run: Run, number: int, kept: Checkpoints | None) -> Any:
    """A moment that is computed again, with these checkpoints or (None) from the beginning."""
    before, run._checkpoints, run._past = run._checkpoints, kept, None
    try:
        return moment_json(run._recalled(number))
    finally:
        run._checkpoints = before


def fork(run: Run, number: int, kept: Checkpoints | None) -> Run:
    before, run._checkpoints = run._checkpoints, kept
    try:
        return run.fork(number)
    finally:
        run._checkpoints = before


def assert_equal(one: Run, other: Run) -> None:
    assert (one.last, one.digest(), one.state) == (other.last, other.digest(), other.state)
    assert one.transcript() == other.transcript()
    assert repr(list(one.summaries())) == repr(list(other.summaries()))
    assert repr(one.series().rows) == repr(other.series().rows)
    assert one.series().curves == other.series().curves
    assert one._session.printed == other._session.printed
    assert one._session.diagnosis.findings == other._session.diagnosis.findings
    assert one.commands[-1] == other.commands[-1]
    assert moment_json(one.moment(one.last)) == moment_json(other.moment(other.last))


def go_on(run: Run) -> None:
    run.execute(Command("run", times=3))
    run.execute(Command("statement", statement="1 + 1"))
    if run._session.position is not None:
        run.execute(Command("next"))


@pytest.fixture
def strays(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often a replay began at the beginning although there was a checkpoint."""
    found: list[int] = []
    replay = Run.replay.__func__  # type: ignore[attr-defined]

    def told(cls: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return replay(cls, *args, **kwargs)
        except Exception:
            found.append(1)
            raise

    monkeypatch.setattr(Run, "replay", classmethod(told))
    return found


@pytest.mark.parametrize("name", [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.slow]) for n in ALL])
def test_going_back_and_forking_from_a_checkpoint(name: str, strays: list[int]) -> None:
    run = long_run(ALL[name])
    there = served(run)
    watched = Run(ALL[name])
    watched._pace.windows = ((0, math.inf),)
    watched.execute(RUN)
    for number in (there[0], there[-1]):
        moment = recalled(run, number, kept_of(run))
        assert moment == recalled(run, number, None) == moment_json(watched.moment(number))
    number = there[len(there) // 2]
    forks = fork(run, number, kept_of(run)), fork(run, number, None)
    assert_equal(*forks)
    for each in forks:
        go_on(each)
    assert_equal(*forks)
    for each in (run, watched):  # nothing of the run was touched by all this
        go_on(each)
    assert run.digest() == watched.digest()
    assert not strays


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in (*QUICK, EPOCHS) else [pytest.mark.slow]) for n in ALL]
)
def test_an_end_that_nobody_foresaw_is_watched_from_a_checkpoint(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    began: list[int] = []
    start_from = Run._start_from

    def told(run: Run, start: Any, like: Run, share: bool) -> Any:
        began.append(start.moment)
        return start_from(run, start, like, share)

    run, watched = Run(ALL[name]), Run(ALL[name])
    watched._pace.windows = ((0, math.inf),)
    with monkeypatch.context() as patch:
        patch.setattr(Run, "_start_from", told)
        outcome = run.execute(Command("finish"))
    assert outcome == watched.execute(Command("finish"))
    assert run.commands == watched.commands
    assert run.digest() == watched.digest()
    assert run.printed(run.last, 1000) == watched.printed(watched.last, 1000)
    assert_equal(run, watched)
    assert began or name != EPOCHS
    if began:
        assert recalled(run, began[0], None) == moment_json(watched.moment(began[0]))


@pytest.mark.slow
@pytest.mark.parametrize("slug", scenarios())
def test_scenarios_go_back_to_any_moment(slug: str, strays: list[int]) -> None:
    run = long_run(scenarios()[slug].source)
    there = served(run)
    assert there or run._session.iteration < 16 or slug == "all-orders"  # whose permutations() is not copied
    for number in there[:: max(len(there) // 2, 1)]:
        assert recalled(run, number, kept_of(run)) == recalled(run, number, None)
        assert_equal(fork(run, number, kept_of(run)), fork(run, number, None))
    assert not strays


STATEMENTS = [
    "    loss = (w * x).pow(2).sum()\n",
    "    loss = loss + nn.functional.dropout(w, 0.5).abs().sum()\n",
    "    x = x + torch.randn(2)\n",
    "    with torch.no_grad():\n        w *= 0.99\n",
    "    kept.append(loss.item())\n",
    "    kept[:] = kept[-3:]\n",
    "    view += 0.1\n",
    "    state['n'] = state.get('n', 0) + i\n",
    "    if i % 7 == 3:\n        print(i, kept[-1:], state)\n",
    "    if i % 5 == 2:\n        held = w * 2\n",
    "    n, _ = next(stream)\n",
    "    w.grad *= 0.5\n",
    "    f = lambda v, i=i: v + i\n",
]


@settings(max_examples=5, derandomize=True, deadline=None)
@given(
    st.lists(st.sampled_from(STATEMENTS), max_size=6), st.sampled_from(["SGD([w], lr=0.01, momentum=0.9)", "Adam([w])"])
)
def test_generated_loops_go_back_to_any_moment(lines: list[str], optimizer: str) -> None:
    generated(lines, optimizer)


@pytest.mark.slow
@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    st.lists(st.sampled_from(STATEMENTS), max_size=12),
    st.sampled_from(["SGD([w], lr=0.01)", "AdamW([w], lr=0.01)", "RMSprop([w], lr=0.01)", "Adagrad([w])"]),
)
def test_many_generated_loops_go_back_to_any_moment(lines: list[str], optimizer: str) -> None:
    generated(lines, optimizer)


def generated(lines: list[str], optimizer: str) -> None:
    source = (
        f"{W}x, kept, state = torch.ones(2), [], {{}}\nview = x[:1]\nstream = ((k, None) for k in range(1000))\n"
        f"opt = torch.optim.{optimizer}\nfor i in range(60):\n{STATEMENTS[0]}{OPTIMIZE}{''.join(lines)}"
    )
    saved = checkpoints.FIRST, checkpoints.EVERY
    checkpoints.FIRST = checkpoints.EVERY = 8
    try:
        run = long_run(source, Command("run", times=30))
    finally:
        checkpoints.FIRST, checkpoints.EVERY = saved
    for number in served(run)[-1:]:
        assert recalled(run, number, kept_of(run)) == recalled(run, number, None)
        forks = fork(run, number, kept_of(run)), fork(run, number, None)
        for each in forks:
            go_on(each)
        assert_equal(*forks)


@pytest.mark.parametrize("command", [Command("finish"), Command("next", times=200), Command("to_line", line=13)])
def test_what_is_left_of_a_command_is_what_it_was(command: Command) -> None:
    source = ALL["plain"] + "print('over')\n"
    run = Run(source)
    run.execute(Command("run", times=9))
    run.execute(command)
    run.execute(Command("statement", statement="model[0].weight.grad"))
    for number in (served(run)[-1], run.last):
        assert recalled(run, number, kept_of(run)) == recalled(run, number, None)
        assert_equal(fork(run, number, kept_of(run)), fork(run, number, None))


def test_a_stretch_of_moments_is_told_once_and_in_order() -> None:
    run = long_run(ALL["plain"])
    told: list[int] = []
    run.retell(150, 190, lambda moment: told.append(moment.number) or True)  # type: ignore[func-returns-value]
    assert told == list(range(150, 191))


def test_a_fork_shares_the_checkpoints_and_goes_on_making_them() -> None:
    run = long_run(ALL["plain"])
    copy = run.fork(served(run)[-1])
    assert kept_of(copy).kept[:2] == kept_of(run).kept[:2]
    copy.execute(Command("run", times=12))
    assert kept_of(copy).kept[-1].iteration > kept_of(run).kept[-1].iteration - 8
    assert kept_of(copy).kept[-1] not in kept_of(run).kept


REFUSED = {
    "a block that is open": HEAD + "w = torch.ones(2, requires_grad=True)\nopt = torch.optim.SGD([w], lr=0.1)\n"
    "with torch.autograd.set_detect_anomaly(False):\n    for i in range(60):\n        loss = (w * w).sum()\n"
    + "".join(f"    {line}\n" for line in OPTIMIZE.splitlines()),
    "an enum": "import enum\nclass Mode(enum.Enum):\n    A = 1\n" + ALL["plain"],
    "so many objects": ALL["plain"].replace("for i in", "many = [[k] for k in range(3000)]\nfor i in", 1),
    "an array larger than the budget": ALL["plain"].replace("for i in", "big = torch.zeros(9000000)\nfor i in", 1),
    "an iterator of the host": "import itertools\n"
    + ALL["plain"].replace("range(60)", "itertools.islice(itertools.count(), 60)"),
}


@pytest.mark.parametrize("name", some(REFUSED, 2))
def test_what_cannot_be_copied_is_replayed_from_the_beginning(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "MOST_OBJECTS", 3000)
    run = long_run(REFUSED[name])
    if name != "an iterator of the host":  # these have a class of ours
        assert not kept_of(run).kept
    number = run.last // 2
    assert not run.kept(number)
    assert run.moment(number).number == number
    assert run.fork(number).last == number


def test_a_checkpoint_that_cannot_be_used_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    run = long_run(ALL["plain"])
    number = served(run)[-1]
    right = recalled(run, number, None), fork(run, number, None).digest()

    def refuse(*_: Any) -> None:
        raise Refused("a test")

    with monkeypatch.context() as patch:
        patch.setattr(checkpoints.Checkpoint, "put_into", refuse)
        assert (recalled(run, number, kept_of(run)), run.fork(number).digest()) == right


def test_there_are_few_and_their_distance_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "MOST", 4)
    kept = kept_of(long_run(ALL["plain"], Command("run", times=58))).kept
    assert [each.iteration for each in kept] == [16, 32, 48]
    monkeypatch.setattr(checkpoints, "BUDGET", kept[-1].nbytes * 2)
    fewer = kept_of(long_run(ALL["plain"], Command("run", times=58))).kept
    assert 1 <= len(fewer) < 4
    assert kept_of(long_run(ALL["plain"], Command("run", times=7))).kept == []


def test_a_limit_between_two_statements_needs_no_second_run(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "import torch\nwhile True:\n    pass\n"
    run = Run(source, limits=Limits(time=0.3))
    replays: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(Run, "replay", classmethod(lambda *args, **kwargs: replays.append(1)))
        run.execute(Command("finish"))
    error = run.moment(run.last).error
    assert error is not None
    assert error.limit == "time"
    assert not replays
    again = Run.replay(source, run.seed, run.commands)
    assert (again.last, again.digest(), again.transcript()) == (run.last, run.digest(), run.transcript())
    assert moment_json(again.moment(run.last)) == moment_json(run.moment(run.last))
    for each in (run, again):
        each.execute(Command("statement", statement="2"))
    assert moment_json(again.moment(run.last)) == moment_json(run.moment(run.last))


def arrays_of(value: Any, seen: set[int], found: list[Any]) -> None:
    """Every array that something leads to."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        found.append(value)
        return
    held = [each for each in gc.get_referents(value) if not isinstance(each, (type, ModuleType, str, int, float))]
    for each in held:
        if type(value) is not FunctionType or each is value.__closure__ or type(each) is not dict:
            arrays_of(each, seen, found)


def test_a_copy_shares_nothing_that_may_change() -> None:
    run = long_run(ALL["views"], Command("run", times=30))
    copy = fork(run, run.last, kept_of(run))
    machines = [each._session.interpreter for each in (run, copy)]
    ours, theirs = (machine.globals for machine in machines)
    assert list(ours) == list(theirs)
    for name in ("w", "opt", "table", "row", "column", "flat", "loss"):
        assert ours[name] is not theirs[name]
    writable = []
    for machine in machines:
        found: list[Any] = []
        arrays_of([machine.globals, machine.machine.stack[0].locals], set(), found)
        writable.append([array for array in found if array.flags.writeable and array.size])
    assert len(writable[0]) >= 8
    assert not any(np.may_share_memory(a, b) for a in writable[0] for b in writable[1])
    before = [each.digest() for each in (run, copy)]
    copy.execute(Command("statement", statement="table.fill_(7)"))
    assert theirs["row"].tolist() == [7, 7, 7]  # what was one memory is one memory there
    assert float(theirs["flat"][0, 0]) == 7
    assert 7 not in ours["row"].tolist()
    assert theirs["row"]._version > ours["row"]._version
    assert run.digest() == before[0]
    run.execute(Command("statement", statement="w.data.zero_()"))
    assert theirs["w"].tolist() != [0, 0]


def copied(value: Any) -> Any:
    return Copier(math.inf, {}, Known()).copy(value)


def test_iterators_go_on_from_where_they_are() -> None:
    names = {"a": 1, "b": 2, "c": 3}
    items = [10, 20, 30, 40]
    both = [
        iter(items),
        items,
        iter(names.items()),
        names,
        enumerate(iter(items), 5),
        zip(items, range(9), strict=False),
        iter("abcd"),
    ]
    more = [iter((1, 2, 3)), iter(range(5)), reversed(items), iter(names), iter(names.values()), iter([])]
    iterators: list[Any] = [each for each in (*both, *more) if hasattr(each, "__next__")]
    for each in iterators:
        next(each, None)
    made = copied([both, more])
    twins = [each for each in (*made[0], *made[1]) if hasattr(each, "__next__")]
    made[0][1].append(50)  # a list that its own iterators see
    assert list(twins[0]) == [20, 30, 40, 50]
    assert list(iterators[0]) == [20, 30, 40]
    assert [list(each) for each in twins[1:]] == [
        [("b", 2), ("c", 3)],
        [(6, 20), (7, 30), (8, 40), (9, 50)],
        [(20, 1), (30, 2), (40, 3), (50, 4)],
        ["b", "c", "d"],
        [2, 3],
        [1, 2, 3, 4],
        [30, 20, 10],
        ["b", "c"],
        [2, 3],
        [],
    ]


def test_what_may_change_is_copied_and_what_may_not_is_not() -> None:
    array = np.arange(12.0).reshape(3, 4)
    kept = np.ones(3)
    kept.flags.writeable = False
    value = {
        "view": array[1:, ::-2],
        "turned": array.T,
        "all": array,
        "kept": kept,
        "fortran": np.asfortranarray(array),
    }
    made = copied(value)
    assert made["kept"] is kept
    assert all((made[key] == value[key]).all() and made[key].strides == value[key].strides for key in value)
    made["all"][2, 3] = -1.0
    assert made["view"][1, 0] == made["turned"][3, 2] == -1.0
    assert array[2, 3] == 11.0
    itself: list[Any] = [1]
    itself.append(itself)
    twin = copied(itself)
    assert twin[1] is twin
    assert twin is not itself


@pytest.mark.parametrize(
    "value",
    [
        (x for x in [1]),
        np.array([object()]),
        open,
        {1: [memoryview(b"a")]},
        np.ma.masked_array([1.0]),
        Exception.args,
        [np.zeros(2, dtype=[("x", float)])[0]],
    ],
    ids=["generator", "objects", "function", "memory", "masked", "descriptor", "record"],
)
def test_values_of_the_host_are_refused_or_shared(value: Any) -> None:
    if value is open or value is Exception.args:
        assert copied(value) is value
    else:
        with pytest.raises(Refused):
            copied(value)
