"""The Python client, against a real server."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import httpx
import pytest

from app import client as client_module
from app.client import Client, Event, Refused, read_events
from tests.app.conftest import ENDLESS, SCALAR
from tests.conftest import Server


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(server.url) as client:
        yield client


def test_gradients_add_up(client: Client) -> None:
    run = client.create(source=SCALAR)
    assert (run.state().state, run.state().phases[0].do) == ("ready", "zero_grad")
    run.do("forward")
    moment = run.do("backward").moment
    assert (moment.tensor("w").grad, moment.do, moment.error) == (-8.0, "backward", None)
    again = run.do("backward")
    assert again.moment.error is not None
    assert again.moment.error.type == "RuntimeError"
    assert [loss["value"] for loss in run.state().losses] == [4.0]
    with pytest.raises(KeyError):
        moment.tensor("nothing")


def test_everything_about_a_run(client: Client) -> None:
    run = client.create(scenario="gradients-add-up", seed=3)
    run.do("run", times=2)
    last = run.state().number_of_moments - 1
    assert [moment.number for moment in run.moments(1, 3)] == [1, 2, 3]
    assert [moment.number for moment in run.trace()] == list(range(last + 1))
    assert run.moment(last).number == last
    assert run.tensor(last, "w").shape == ()
    assert run.picture(last).startswith("<svg")
    assert "digraph" in run.picture(last, "dot")
    compile(run.transcript(), "transcript.py", "exec")
    run.breakpoints(10)
    run.pin()
    assert (run.state().breakpoints, run.state().pinned, run.state().expires) == ((10,), True, None)
    run.pin(False)
    assert run.state().expires is not None
    fork = run.fork(2)
    assert (fork.state().parent, fork.state().number_of_moments) == (run.state().view_id, 3)
    before = run.id
    outcome = run.do("zero_grad", at=2)
    assert (outcome.forked, run.id) == (True, outcome.run)
    assert run.id != before
    run.delete()
    with pytest.raises(Refused, match="404 not-found"):
        run.state()


def test_long_commands_are_waited_for_and_stopped(client: Client) -> None:
    run = client.create(source=ENDLESS)
    events: list[Event] = []

    def follow() -> None:
        events.extend(run.follow())

    following = threading.Thread(target=follow)
    following.start()
    stopper = threading.Timer(1.5, run.stop)
    stopper.start()
    outcome = run.do("finish")
    stopper.join(60)  # its answer may come after that of what it stopped, and needs the client until then
    assert (outcome.stopped, outcome.state, outcome.last > 100) == (True, "ready", True)
    run.delete()
    following.join(60)
    assert (events[0].kind, events[-1].kind) == ("moment", "gone")
    assert outcome.etag in [event.id for event in events]


def test_names_may_have_anything_in_them(client: Client) -> None:
    names = ["d['a/b']", "d['q?x#y']", "d['%2F']", "d['a/why']"]
    run = client.create(source="import torch\nd = {}\n" + "".join(f"{name} = torch.ones(2)\n" for name in names))
    last = run.do("finish").moment
    assert [tensor.name for tensor in last.tensors] == names
    assert [run.tensor(last.number, name).name for name in names] == names


def test_followers_come_back_to_where_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module.time, "sleep", lambda _: None)
    seen: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers.get("Last-Event-ID", ""))
        if len(seen) == 2:
            raise httpx.ConnectError("it starts again")
        kind = "gone" if len(seen) == 3 else "moment"
        text = f"event: {kind}\nid: {len(seen)}-a\ndata: {{}}\n\nevent: progress\ndata: {{}}\n\n"
        return httpx.Response(200, text=text)

    with Client(transport=httpx.MockTransport(answer)) as client:
        assert [event.kind for event in client.run("x").follow()] == ["moment", "progress", "gone"]
    assert seen == ["", "1-a", "1-a"]


def test_followers_give_up_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module.time, "sleep", lambda _: None)

    def answer(_request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("nobody is there")

    with Client(patience=0, transport=httpx.MockTransport(answer)) as client, pytest.raises(httpx.ConnectError):
        next(client.run("x").follow())


def test_refusals_say_why(client: Client) -> None:
    with pytest.raises(Refused) as caught:
        client.create(source="x = (")
    assert (caught.value.status, caught.value.kind, caught.value.line) == (422, "bad-source", 1)
    run = client.create(source=SCALAR)
    tag = run.do("forward").etag
    run.do("backward", if_match=tag)
    with pytest.raises(Refused, match="412 stale"):
        run.do("step", if_match=tag)


def test_the_library_and_checks(client: Client) -> None:
    listed = client.scenarios()
    assert client.scenario(listed[0].slug).title == listed[0].title
    result = client.check(
        ["forward", {"do": "backward"}],
        [{"tensor": "w.grad", "equals": -8.0}, {"tensor": "w.grad", "equals": 1}],
        source=SCALAR,
    )
    assert (result.passed, [row.passed for row in result.results]) == (False, [True, False])


def test_what_may_help_is_said_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module.time, "sleep", lambda _: None)
    asked: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.headers.get("Idempotency-Key", ""))
        if len(asked) == 1:
            raise httpx.ConnectError("not yet")
        if len(asked) == 2:
            return httpx.Response(503, headers={"Retry-After": "1"}, json={})
        return httpx.Response(404, json={"type": "urn:gradient-flow:problem:not-found", "detail": "none"})

    with Client(transport=httpx.MockTransport(answer)) as client:
        with pytest.raises(Refused, match="404 not-found: none"):
            client.run("x").do("forward")
        assert len(asked) == 3
        assert len(set(asked)) == 1
        asked.clear()
        with pytest.raises(httpx.ConnectError):
            client.create(source="")
        assert len(asked) == 1


def test_events_are_read_as_they_are_sent() -> None:
    lines = [": ping", "", "event: moment", "id: 3-a", 'data: {"last": 3}', "", 'data: {"last": 4}', ""]
    assert list(read_events(iter(lines))) == [Event("moment", {"last": 3}, "3-a"), Event("message", {"last": 4})]
