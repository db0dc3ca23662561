"""Runs over REST: every route, as a program would use it."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest

from app.api.models import RunOut
from app.api.moment_models import CommandOut, GraphOut, MomentOut, WholeTensorOut
from tests.app.conftest import SCALAR, Service

pytestmark = pytest.mark.anyio


async def test_library(service: Service) -> None:
    listed = (await service.client.get("/scenarios")).json()
    assert listed[0]["slug"] == "gradients-add-up"
    whole = (await service.client.get(listed[0]["links"]["self"].removeprefix("/api/v1"))).json()
    assert "import torch" in whole["source"]
    assert whole["title"] == listed[0]["title"]


async def test_a_run_is_created_at_its_location(service: Service) -> None:
    response = await service.client.post("/runs", json={"scenario": "gradients-add-up"})
    assert response.status_code == 201
    made = response.json()
    assert response.headers["location"] == f"/api/v1/runs/{made['id']}"
    again = await service.client.get(f"/runs/{made['id']}")
    assert again.json() == made
    assert again.headers["etag"] == response.headers["etag"]


async def test_a_run_starts_with_everything_before_the_loop_executed(service: Service) -> None:
    made = await service.create()
    assert RunOut.model_validate(made).state == "ready"
    assert made["cursor"] == {"moment": made["number_of_moments"] - 1, "event": None}
    assert [phase["id"] for phase in made["phases"]] == ["zero_grad", "forward", "backward", "step"]
    assert [phase["lines"] for phase in made["phases"]] == [[[6, 6]], [[7, 7]], [[8, 8]], [[9, 9]]]
    assert made["usual_next"] == "zero_grad"
    assert made["losses"] == []
    moment = (await service.client.get(f"/runs/{made['id']}/moments/{made['cursor']['moment']}")).json()
    assert moment["next_line"] == 5
    assert [tensor["name"] for tensor in moment["tensors"]] == ["w"]


async def test_gradients_add_up_over_rest(service: Service) -> None:
    run = (await service.create())["id"]
    answer = await service.press(run, "forward", "backward")
    # d/dw (2w - 5)^2 at 1.5 is 4 (2 * 1.5 - 5) = -8
    assert await service.grad(run, answer["last"]) == -8.0
    answer = await service.press(run, "forward", "backward")
    assert await service.grad(run, answer["last"]) == -16.0
    answer = await service.press(run, "zero_grad")
    assert await service.grad(run, answer["last"]) is None
    assert [loss["value"] for loss in (await service.client.get(f"/runs/{run}")).json()["losses"]] == [4.0, 4.0]


async def test_a_command_answers_with_its_moments_and_the_last_one_whole(service: Service) -> None:
    made = await service.create()
    last = made["cursor"]["moment"]
    response = await service.do(made["id"], "run", times=2)
    answer = CommandOut.model_validate(response.json())
    assert (answer.run, answer.forked, answer.first) == (made["id"], False, last + 1)
    assert answer.last == answer.moment.number > answer.first
    assert response.headers["etag"] == f'"{answer.etag}"'
    assert response.json()["moment"] == (await service.client.get(f"/runs/{made['id']}/moments/{answer.last}")).json()


async def test_a_failing_statement_is_a_moment(service: Service) -> None:
    run = (await service.create())["id"]
    answer = await service.press(run, "forward", "backward", "backward")
    error = answer["moment"]["error"]
    assert error["type"] == "RuntimeError"
    assert error["message"].startswith("Trying to backward through the graph a second time")
    assert error["line"] == 8
    assert answer["state"] == "failed"
    answer = await service.press(run, "forward", "backward")
    assert (answer["state"], answer["moment"]["error"]) == ("ready", None)


async def test_a_statement_prints_into_its_moment(service: Service) -> None:
    run = (await service.create())["id"]
    response = await service.do(run, "statement", statement="print(w.item() * 2)")
    assert response.json()["moment"]["stdout"] == "3.0\n"
    assert response.json()["moment"]["free"] is True


async def test_names_outside_the_subset_only_warn(service: Service) -> None:
    made = await service.create("import torch\nif torch.cuda.is_available():\n    import mlflow\n")
    assert [(warning["line"], warning["name"]) for warning in made["warnings"]] == [(3, "mlflow")]
    answer = await service.press(made["id"], "finish")
    assert (answer["state"], answer["moment"]["error"]) == ("finished", None)


async def test_lists_of_moments(service: Service) -> None:
    run = (await service.create())["id"]
    last = (await service.press(run, "run"))["last"]
    moments = (await service.client.get(f"/runs/{run}/moments")).json()
    assert [moment["number"] for moment in moments] == list(range(last + 1))
    for moment in moments:
        MomentOut.model_validate(moment)
    some = await service.client.get(f"/runs/{run}/moments", params={"from": 2, "to": 3})
    assert some.json() == moments[2:4]
    assert "link" not in some.headers
    assert (await service.client.get(f"/runs/{run}/moments", params={"from": 99})).json() == []


async def test_a_long_list_goes_on_at_a_link(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    made = await service.create("import torch\nx = torch.arange(900) / 7\n" + "y = x + 1\n" * 400)
    await service.press(made["id"], "finish")
    numbers: list[int] = []
    address = f"/runs/{made['id']}/moments?from=1&to=400"
    answers = 0
    while address:
        answers += 1
        response = await service.client.get(address)
        numbers += [moment["number"] for moment in response.json()]
        link = response.headers.get("link", "")
        assert not link or link.endswith('&to=400>; rel="next"')
        address = link.split(">")[0].removeprefix("</api/v1")
    assert numbers == list(range(1, 401))
    assert answers > 1, "the list was short enough for one answer"


async def test_pictures(service: Service) -> None:
    run = (await service.create())["id"]
    last = (await service.press(run, "forward"))["last"]
    graph = await service.client.get(f"/runs/{run}/moments/{last}/graph.json")
    GraphOut.model_validate(graph.json())
    assert [node["operation"] for node in graph.json()["nodes"] if node["kind"] != "leaf"] == ["mul", "sub", "pow"]
    dot = await service.client.get(f"/runs/{run}/moments/{last}/graph.dot")
    assert dot.headers["content-type"].startswith("text/vnd.graphviz")
    assert '"leaf:w" -> "op:7.0";' in dot.text
    svg = await service.client.get(f"/runs/{run}/moments/{last}/graph.svg")
    assert svg.headers["content-type"] == "image/svg+xml"
    assert svg.text.startswith("<svg xmlns=")
    assert "PowBackward0" in svg.text


async def test_a_tensor_in_full(service: Service) -> None:
    source = "import torch\nx = torch.arange(1200.).reshape(2, 600).requires_grad_()\n(x * x).sum().backward()\n"
    run = (await service.create(source))["id"]
    last = (await service.press(run, "finish"))["last"]
    moment = (await service.client.get(f"/runs/{run}/moments/{last}")).json()
    [tensor] = moment["tensors"]
    assert (tensor["data"], tensor["grad"]) == (None, None)
    assert (tensor["summary"]["min"], tensor["summary"]["max"], tensor["summary"]["mean"]) == (0.0, 1199.0, 599.5)
    address = f"/runs/{run}/moments/{last}/tensors/x"
    whole = (await service.client.get(address)).json()
    WholeTensorOut.model_validate(whole)
    assert (len(whole["data"]), len(whole["data"][0]), whole["grad"][1][599]) == (2, 600, 2398.0)
    binary = await service.client.get(address, headers={"Accept": "application/octet-stream"})
    values = np.load(io.BytesIO(binary.content), allow_pickle=False)
    assert (values.dtype, values.tolist()) == (np.float32, whole["data"])
    binary = await service.client.get(address + ".grad", headers={"Accept": "application/octet-stream"})
    assert np.load(io.BytesIO(binary.content)).tolist() == whole["grad"]


async def test_non_finite_numbers_are_strings(service: Service) -> None:
    run = (await service.create("import torch\nx = torch.tensor([1.0, -1.0, 0.0]) / 0\n"))["id"]
    response = await service.do(run, "finish")
    assert response.json()["moment"]["tensors"][0]["data"] == ["inf", "-inf", "nan"]
    json.loads(response.text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


async def test_trace_and_transcript(service: Service) -> None:
    run = (await service.create())["id"]
    last = (await service.press(run, "zero_grad", "forward"))["last"]
    trace = await service.client.get(f"/runs/{run}/trace.ndjson")
    assert trace.headers["content-type"] == "application/x-ndjson"
    rows = [json.loads(line) for line in trace.text.splitlines()]
    assert rows == (await service.client.get(f"/runs/{run}/moments")).json()
    assert len(rows) == last + 1
    transcript = await service.client.get(f"/runs/{run}/transcript.py")
    assert transcript.headers["content-type"].startswith("text/x-python")
    compile(transcript.text, "transcript.py", "exec")
    assert "loss = (w * 2.0 - 5.0) ** 2" in transcript.text
    assert "loss.backward()" not in transcript.text


async def test_a_view_id_looks_and_does_not_drive(service: Service) -> None:
    made = await service.create()
    view = made["view_id"]
    seen = (await service.client.get(f"/runs/{view}")).json()
    assert (seen["role"], seen["id"], seen["source"]) == ("view", view, SCALAR)
    assert made["id"] not in json.dumps(seen)
    assert (await service.client.get(f"/runs/{view}/moments/0")).status_code == 200
    for refused in (
        await service.do(view, "forward"),
        await service.do(view, "stop"),
        await service.client.delete(f"/runs/{view}"),
        await service.client.put(f"/runs/{view}/breakpoints", json={"lines": [6]}),
    ):
        assert refused.status_code == 403
    assert (await service.client.get(f"/runs/{made['id']}")).json()["number_of_moments"] == made["number_of_moments"]


async def test_a_shared_recording_is_looked_at_without_storing_anything(service: Service) -> None:
    count = "select count(*) from runs"
    with service.runs.store.reader.connect() as connection:
        before = connection.exec_driver_sql(count).scalar_one()
    shared = (await service.client.get("/runs/scenario:two-moons")).json()
    assert (shared["role"], shared["view_id"]) == ("shared", None)
    assert (await service.client.get("/runs/scenario:two-moons/moments/0")).status_code == 200
    assert (await service.do("scenario:two-moons", "forward")).status_code == 403
    with service.runs.store.reader.connect() as connection:
        assert connection.exec_driver_sql(count).scalar_one() == before


async def test_a_fork_shares_the_past(service: Service) -> None:
    made = await service.create()
    last = (await service.press(made["id"], "forward", "backward"))["last"]
    await service.press(made["id"], "step")
    response = await service.client.post(f"/runs/{made['view_id']}/fork", json={"moment": last})
    assert response.status_code == 201
    fork = response.json()
    assert fork["parent"] == made["view_id"]
    assert (fork["role"], fork["cursor"]["moment"]) == ("drive", last)
    assert await service.grad(fork["id"], last) == -8.0
    assert (await service.client.post(f"/runs/{made['id']}/fork", json={"moment": 999})).status_code == 422


async def test_acting_from_the_past_forks(service: Service) -> None:
    run = (await service.create())["id"]
    forward = (await service.press(run, "forward"))["last"]
    await service.press(run, "backward", "step")
    before = (await service.client.get(f"/runs/{run}")).json()
    answer = (await service.do(run, "zero_grad", at=forward)).json()
    assert answer["forked"] is True
    assert answer["run"] != run
    assert (answer["first"], answer["moment"]["do"]) == (forward + 1, "zero_grad")
    assert (await service.client.get(f"/runs/{run}")).json() == before
    here = (await service.do(run, "zero_grad", at=before["cursor"]["moment"])).json()
    assert (here["forked"], here["run"]) == (False, run)
    assert (await service.do(run, "zero_grad", at=10_000)).status_code == 422


async def test_if_match_refuses_a_stale_command(service: Service) -> None:
    made = await service.create()
    tag = (await service.client.get(f"/runs/{made['id']}")).headers["etag"]
    first = await service.do(made["id"], "forward", {"If-Match": tag})
    assert first.status_code == 200
    stale = await service.do(made["id"], "backward", {"If-Match": tag})
    assert stale.status_code == 412
    assert (await service.do(made["id"], "backward", {"If-Match": first.headers["etag"]})).status_code == 200
    assert (await service.do(made["id"], "step", {"If-Match": "*"})).status_code == 200


async def test_if_match_takes_lists_and_weak_tags_and_what_it_refuses_locks_nothing(service: Service) -> None:
    run = await service.create()

    async def tag() -> str:
        return (await service.client.get(f"/runs/{run['id']}")).headers["etag"].strip('"')

    last, _, stamp = (await tag()).partition("-")
    for refused in (f'"{int(last) + 1}-{stamp}"', f'"{last}-other", "{stamp}"', ""):
        response = await service.do(run["id"], "next", {"If-Match": refused})
        assert response.status_code == 412, refused
    for taken in ('"other", W/"{}"', ' "{}" ,"other"', "*"):
        response = await service.do(run["id"], "next", {"If-Match": taken.format(await tag())})
        assert response.status_code == 200, response.text


async def test_an_idempotency_key_executes_once(service: Service) -> None:
    run = (await service.create())["id"]
    key = {"Idempotency-Key": "a-key"}
    first = await service.do(run, "forward", key)
    await service.press(run, "backward")
    again = await service.do(run, "forward", key)
    assert (again.status_code, again.json()) == (200, first.json())
    assert (await service.client.get(f"/runs/{run}")).json()["cursor"]["moment"] == first.json()["last"] + 1
    other = await service.do(run, "step", key)
    assert (other.status_code, other.json()["type"]) == (422, "urn:gradient-flow:problem:key-reused")
    elsewhere = (await service.create())["id"]
    assert (await service.do(elsewhere, "step", key)).status_code == 200


async def test_an_idempotency_key_of_a_fork_names_the_same_run(service: Service) -> None:
    run = (await service.create())["id"]
    last = (await service.press(run, "forward"))["last"]
    await service.press(run, "backward")
    first = await service.do(run, "step", {"Idempotency-Key": "f"}, at=last)
    again = await service.do(run, "step", {"Idempotency-Key": "f"}, at=last)
    assert first.json()["run"] == again.json()["run"] != run


async def test_starting_over(service: Service) -> None:
    made = await service.create()
    await service.press(made["id"], "run")
    answer = await service.press(made["id"], "reset")
    assert answer["last"] == made["cursor"]["moment"]
    assert (await service.client.get(f"/runs/{made['id']}")).json()["losses"] == []
    answer = await service.press(made["id"], "forward", "backward")
    assert await service.grad(made["id"], answer["last"]) == -8.0


async def test_breakpoints_pause_a_run_and_its_replay(service: Service) -> None:
    made = await service.create()
    run = made["id"]
    put = await service.client.put(f"/runs/{run}/breakpoints", json={"lines": [9, 9]})
    assert put.json()["breakpoints"] == [9]
    answer = (await service.do(run, "run", times=5)).json()
    assert answer["moment"]["next_line"] == 9
    await service.client.put(f"/runs/{run}/breakpoints", json={"lines": []})
    service.runs.execution.forget(run)
    rebuilt = (await service.client.get(f"/runs/{run}")).json()
    assert rebuilt["cursor"]["moment"] == answer["last"]
    assert rebuilt["differs"] is False
    assert (await service.client.put(f"/runs/{run}/breakpoints", json={"lines": [99]})).status_code == 422


async def test_conditions_pause_a_run_where_they_are_true(service: Service) -> None:
    made = await service.create("total = 0\nfor i in range(20):\n    # here\n    total += i\nprint(total)\n")
    run, wanted = made["id"], [{"line": 3, "when": " i % 5 == 0 ", "hits": 2}]
    put = await service.client.put(f"/runs/{run}/breakpoints", json={"lines": [5], "conditions": wanted})
    assert (put.json()["breakpoints"], put.json()["conditions"]) == (
        [4, 5],
        [{"line": 4, "when": "i % 5 == 0", "hits": 2}],
    )
    answer = (await service.do(run, "finish")).json()
    held = {each["name"]: each["text"] for each in answer["moment"]["variables"]}
    assert (answer["moment"]["next_line"], held["i"]) == (4, "5")
    service.runs.execution.forget(run)
    rebuilt = (await service.client.get(f"/runs/{run}")).json()
    assert (rebuilt["cursor"]["moment"], rebuilt["differs"]) == (answer["last"], False)
    assert rebuilt["conditions"] == put.json()["conditions"]
    assert (await service.client.put(f"/runs/{run}/breakpoints", json={})).status_code == 422
    await service.client.put(f"/runs/{run}/breakpoints", json={"conditions": [{"line": 4, "when": "unknown"}]})
    answer = (await service.do(run, "finish")).json()
    assert (answer["moment"]["next_line"], "NameError" in answer["note"]) == (None, True)


@pytest.mark.parametrize(
    "condition",
    [
        {"line": 1, "when": "a ="},
        {"line": 1, "when": "a = 1"},
        {"line": 1, "when": "(" * 400},
        {"line": 1, "when": "x" * 1001},
        {"line": 1, "when": "\ud800"},
        {"line": 1, "hits": 0},
        {"line": 1, "hits": True},
        {"line": 99, "when": "True"},
        {"when": "True"},
    ],
)
async def test_conditions_that_are_none_change_nothing(service: Service, condition: dict[str, Any]) -> None:
    run = (await service.create("x = 1\n"))["id"]
    await service.client.put(f"/runs/{run}/breakpoints", json={"lines": [1]})
    body = json.dumps({"conditions": [condition]})
    headers = {"Content-Type": "application/json"}
    assert (await service.client.put(f"/runs/{run}/breakpoints", content=body, headers=headers)).status_code == 422
    assert (await service.client.get(f"/runs/{run}")).json()["breakpoints"] == [1]


async def test_breakpoints_of_a_script_from_another_system(service: Service) -> None:
    for source in ("\ufeffx = 1\n\ny = 2\n", "x = 1\r\n\r\ny = 2\r\n", "x = 1\r\ry = 2\r"):
        made = (await service.client.post("/runs", json={"source": source})).json()
        put = await service.client.put(f"/runs/{made['id']}/breakpoints", json={"lines": [1, 2]})
        assert put.json()["breakpoints"] == [1, 3]


async def test_breakpoints_without_a_statement_move_to_the_next_one(service: Service) -> None:
    made = await service.create(
        "# a comment\ndef f(x):\n    return x * 2\n\ntry:\n    y = f(1) + 1\nfinally:\n    z = 0\n# end\n"
    )
    address = f"/runs/{made['id']}/breakpoints"
    assert (await service.client.put(address, json={"lines": [1, 4, 7, 3]})).json()["breakpoints"] == [2, 3, 6, 8]
    assert (await service.client.put(address, json={"lines": [9]})).status_code == 422
    await service.client.put(address, json={"lines": [3]})
    answer = (await service.do(made["id"], "finish")).json()
    assert (answer["moment"]["next_line"], answer["note"]) == (3, "")
    service.runs.execution.forget(made["id"])
    rebuilt = (await service.client.get(f"/runs/{made['id']}")).json()
    assert (rebuilt["cursor"]["moment"], rebuilt["differs"]) == (answer["last"], False)


async def test_a_deleted_run_is_gone(service: Service) -> None:
    made = await service.create()
    await service.press(made["id"], "forward")
    assert (await service.client.delete(f"/runs/{made['id']}")).status_code == 204
    for address in (made["id"], made["view_id"]):
        assert (await service.client.get(f"/runs/{address}")).status_code == 404
    assert service.runs.store.commands(made["id"]) == ()


async def test_the_seed_is_shown_and_used(service: Service) -> None:
    source = "import torch\nx = torch.randn(2)\n"
    values = []
    for seed in (1, 1, 2):
        made = await service.create(source, seed=seed)
        assert made["seed"] == seed
        answer = await service.press(made["id"], "finish")
        values.append(answer["moment"]["tensors"][0]["data"])
    assert values[0] == values[1] != values[2]


async def test_check(service: Service) -> None:
    scenario = {
        "source": SCALAR,
        "commands": [{"do": "forward"}, {"do": "backward"}, {"do": "backward"}],
        "expect": [
            {"after": 2, "tensor": "w.grad", "equals": -8.0, "tolerance": 1e-6},
            {"after": 1, "tensor": "w.grad", "equals": None},
            {"error": "second time"},
            {"after": 2, "error": "second time"},
        ],
    }
    result = (await service.client.post("/check", json=scenario)).json()
    assert [row["passed"] for row in result["results"]] == [True, True, True, False]
    assert result["passed"] is False
    assert result["results"][0] == {
        "after": 2,
        "what": "w.grad equals -8.0",
        "passed": True,
        "got": -8.0,
        "wanted": -8.0,
    }


@pytest.mark.parametrize("wanted", [10**400, [10**30], -(2**64)])
async def test_what_is_expected_may_be_larger_than_any_number(service: Service, wanted: object) -> None:
    scenario = {"source": SCALAR, "expect": [{"tensor": "w", "equals": wanted}]}
    answer = await service.client.post("/check", json=scenario)
    assert answer.status_code == 200
    assert answer.json()["passed"] is False


async def test_commands_of_a_run_are_executed_in_order(service: Service) -> None:
    import asyncio

    run = (await service.create())["id"]
    pressed = ["forward", "backward", "zero_grad", "forward", "step"] * 4
    answers = await asyncio.gather(*(service.do(run, do) for do in pressed))
    assert [answer.json()["moment"]["do"] for answer in answers] == pressed
    firsts = [answer.json()["first"] for answer in answers]
    assert firsts == sorted(firsts)
