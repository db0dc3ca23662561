"""Findings with their costs, whys, nudges, boundary, surface and variants over REST."""

from __future__ import annotations

import pytest

from app.api.probe_models import (
    FORGOTTEN,
    BoundaryOut,
    DiagnosisOut,
    LossesOut,
    NudgeOut,
    SurfaceOut,
    VariantOut,
    WhyOut,
)
from tests.app.conftest import ENDLESS, SCALAR, Service
from tests.engine.tracing.diagnosis.corpus import CORRECT

pytestmark = pytest.mark.anyio


async def test_a_pasted_script_is_diagnosed(service: Service) -> None:
    response = await service.client.post("/diagnose", json={"source": FORGOTTEN})
    assert response.status_code == 200
    told = DiagnosisOut.model_validate(response.json())
    (finding,) = told.findings
    assert (finding.kind, finding.names) == ("missing-zero-grad", ["w"])
    assert (told.iterations, told.complete, told.error) == (20, True, None)
    assert finding.mend is not None
    assert finding.mend.label == "opt.zero_grad() before line 7"
    assert finding.cost is not None
    assert finding.cost.text.startswith("After 20 iterations: loss = 4.443 as written, ")
    assert [each.iteration for each in finding.cost.mended.losses] == list(range(1, 21))


async def test_a_right_script_has_no_findings(service: Service) -> None:
    told = (await service.client.post("/diagnose", json={"scenario": "gradients-add-up"})).json()
    assert told["findings"] == []
    assert told["error"] is None


async def test_costs_can_be_left_out(service: Service) -> None:
    told = (await service.client.post("/diagnose", json={"source": FORGOTTEN, "costs": False, "iterations": 2})).json()
    (finding,) = told["findings"]
    assert finding["cost"] is None
    assert finding["mend"]["source"].count("zero_grad") == 1
    assert told["iterations"] == 2


async def test_what_is_no_script(service: Service) -> None:
    response = await service.client.post("/diagnose", json={"source": "def ("})
    assert (response.status_code, response.json()["line"]) == (422, 1)
    response = await service.client.post("/diagnose", json={"scenario": "nowhere"})
    assert response.status_code == 404
    for body in ({}, {"source": "1", "scenario": "x"}, {"source": "1", "iterations": 0}, {"source": "1", "more": 1}):
        assert (await service.client.post("/diagnose", json=body)).status_code == 422


@pytest.mark.slow
async def test_an_endless_script_ends_in_time(service: Service) -> None:
    told = (await service.client.post("/diagnose", json={"source": ENDLESS})).json()
    assert (told["findings"], told["complete"]) == ([], False)


async def test_a_script_that_fails_says_where(service: Service) -> None:
    source = "import torch\nw = torch.tensor(1.0)\nfor i in range(3):\n    loss = w * 2\n    loss.backward()\n"
    told = (await service.client.post("/diagnose", json={"source": source})).json()
    assert told["error"]["line"] == 5
    assert [finding["kind"] for finding in told["findings"]] == ["nothing-requires-grad"]


async def test_findings_of_a_run(service: Service) -> None:
    run = (await service.create(FORGOTTEN))["id"]
    assert (await service.client.get(f"/runs/{run}/findings")).json()["findings"] == []
    await service.do(run, "run", times=3)
    told = DiagnosisOut.model_validate((await service.client.get(f"/runs/{run}/findings")).json())
    assert [finding.kind for finding in told.findings] == ["missing-zero-grad"]
    assert told.findings[0].cost is not None
    info = await service.info(run)
    moment = (await service.client.get(f"/runs/{run}/moments/{info['cursor']['moment']}")).json()
    assert moment["findings"][0]["text"] == told.findings[0].text
    quick = (await service.client.get(f"/runs/{run}/findings?costs=false")).json()
    assert quick["findings"][0]["cost"] is None


async def test_what_the_presses_did(service: Service) -> None:
    run = (await service.create(SCALAR))["id"]
    await service.press(run, "forward", "backward", "forward", "backward")
    (finding,) = (await service.client.get(f"/runs/{run}/findings")).json()["findings"]
    assert finding["kind"] == "missing-zero-grad"
    assert finding["mend"] is None
    assert "pressed" in finding["reason"]


async def test_why(service: Service) -> None:
    run = (await service.create(SCALAR))["id"]
    answer = await service.press(run, "zero_grad", "forward", "backward", "step")
    path = f"/runs/{run}/moments/{answer['last']}/tensors/w/why"
    told = WhyOut.model_validate((await service.client.get(path)).json())
    assert told.complete
    assert told.links[0].text == "step() moved w from 1.5 to 1.9: w − lr × grad = 1.5 − 0.05 × (−8)."
    assert told.links[0].moment == answer["last"]
    of_grad = WhyOut.model_validate((await service.client.get(path, params={"field": "grad", "most": 1})).json())
    assert [link.value for link in of_grad.links] == [-8.0]
    assert not of_grad.complete
    for params, status in (
        ({"index": "0"}, 404),  # of a number there is no entry 0
        ({"index": "a"}, 422),
        ({"field": "data"}, 422),
        ({"most": 0}, 422),
        ({"index": ""}, 200),
    ):
        assert (await service.client.get(path, params=params)).status_code == status, params
    assert (await service.client.get(path.replace("tensors/w", "tensors/v"))).status_code == 404
    assert (await service.client.get(path.replace(f"moments/{answer['last']}", "moments/99"))).status_code == 404


async def test_nudge_leaves_the_run_alone(service: Service) -> None:
    run = (await service.create(SCALAR))["id"]
    answer = await service.press(run, "zero_grad", "forward", "backward")
    etag = (await service.info(run))["cursor"], answer["etag"]
    path = f"/runs/{run}/moments/{answer['last']}/nudge"
    told = NudgeOut.model_validate((await service.client.post(path, json={"name": "w"})).json())
    assert told.change == pytest.approx(-0.0796, rel=1e-3)
    assert told.foretold == pytest.approx(-0.08, rel=1e-3)
    assert ((await service.info(run))["cursor"], answer["etag"]) == etag
    before = await service.client.post(f"/runs/{run}/moments/0/nudge", json={"name": "w"})
    assert before.status_code == 404
    early = NudgeOut.model_validate(
        (await service.client.post(f"/runs/{run}/moments/3/nudge", json={"name": "w", "index": []})).json()
    )
    assert (early.loss, early.reason) == (None, "No forward has run up to this moment: there is no loss to look at.")
    for body, status in (({"name": "q"}, 404), ({"name": "w", "delta": 0}, 422), ({"name": "w", "index": [1]}, 422)):
        assert (await service.client.post(path, json=body)).status_code == status
    view = (await service.info(run))["view_id"]
    assert (await service.client.post(path.replace(run, view), json={"name": "w"})).status_code == 200


async def test_boundary_and_surface(service: Service) -> None:
    run = (await service.client.post("/runs", json={"scenario": "two-moons"})).json()["id"]
    await service.do(run, "run", times=3)
    last = (await service.info(run))["cursor"]["moment"]
    told = BoundaryOut.model_validate((await service.client.get(f"/runs/{run}/moments/{last}/boundary")).json())
    assert (told.model, told.kind, len(told.points)) == ("model", "probability", 80)
    assert len(told.values) == len(told.y)
    assert len(told.values[0]) == len(told.x)
    none = SurfaceOut.model_validate((await service.client.get(f"/runs/{run}/moments/{last}/surface")).json())
    assert none.values == []
    assert "exactly two numbers" in none.reason
    shared = SurfaceOut.model_validate(
        (await service.client.get("/runs/scenario:linear-regression/moments/3/surface")).json()
    )
    assert shared.reason.startswith("No forward has run") or "exactly two" in shared.reason


async def test_variants(service: Service) -> None:
    run = (await service.create(SCALAR))["id"]
    made = [VariantOut.model_validate(each) for each in (await service.client.get(f"/runs/{run}/variants")).json()]
    assert [variant.id for variant in made] == [
        "without-zero-grad",
        "lr-times-10",
        "lr-divided-by-10",
        "other-optimizer",
    ]
    other = (await service.create(made[0].source))["id"]
    answer = await service.press(other, "forward", "backward", "forward", "backward")
    assert await service.grad(other, answer["last"]) == -16.0


async def test_losses_of_two_networks(service: Service) -> None:
    source = CORRECT["GAN with a loss sum and optimizers cleared before each backward"]
    run = (await service.create(source))["id"]
    await service.do(run, "run", times=2)
    told = [LossesOut.model_validate(each) for each in (await service.client.get(f"/runs/{run}/losses")).json()]
    assert [series.name for series in told] == ["d_loss", "g_loss"]
    assert [[loss.iteration for loss in series.losses] for series in told] == [[1, 2], [1, 2]]
    first = (await service.info(run))["losses"]
    assert [loss["value"] for loss in first] == [loss.value for loss in told[0].losses]
