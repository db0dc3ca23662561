"""Commands in any order, against a simple model of a run: a list of states, one for each moment."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    multiple,
    rule,
    run_state_machine_as_test,
)

from app.client import Client, Refused
from tests.conftest import Server

PROGRAM = ["x = 0", "x += 1", "x *= 2", "print(x)", "x -= 7", "print('end', x)"]


@dataclass(frozen=True)
class State:
    """What a moment knows: the value of x (None: there is none yet), the next line, what was printed, the error."""

    x: int | None = None
    line: int = 0
    printed: str = ""
    error: str = ""

    def step(self) -> State:
        """The next statement of PROGRAM."""
        after = replace(self.execute(PROGRAM[self.line]), line=self.line + 1)
        return replace(after, line=self.line) if after.error else after

    def execute(self, statement: str) -> State:
        if statement == "x = 0":
            return State(0, self.line)
        if self.x is None:
            return State(None, self.line, "", "NameError")
        scope = {"x": self.x}
        if statement.startswith("print"):
            return State(self.x, self.line, f"{self.x}\n" if statement == "print(x)" else f"end {self.x}\n")
        exec(statement, {}, scope)
        return State(scope["x"], self.line)

    @property
    def word(self) -> str:
        return "failed" if self.error else "finished" if self.line == len(PROGRAM) else "ready"


@dataclass(eq=False)
class Model:
    """A run, and what it should be. `tags` are the etags that it had."""

    run: str
    states: list[State] = field(default_factory=lambda: [State()])
    tags: list[str] = field(default_factory=list)


class Runs(RuleBasedStateMachine):
    client: Client
    models = Bundle("models")

    @initialize(target=models)
    def first(self) -> Model:
        return self.create()

    @rule(target=models)
    def create(self) -> Model:
        return Model(self.client.create(source="\n".join(PROGRAM)).id)

    @rule(model=models, number=st.integers(-9, 9))
    def statement(self, model: Model, number: int) -> None:
        statement = f"x += {number}" if number else "print(x)"
        self.give(model, "statement", model.states[-1].execute(statement), statement=statement)

    @rule(model=models)
    def next(self, model: Model) -> None:
        if model.states[-1].line == len(PROGRAM):
            self.refuse(model, 422, "bad-command", {"do": "next"})
        else:
            self.give(model, "next", model.states[-1].step())

    @rule(model=models)
    def finish(self, model: Model) -> None:
        before, state = len(model.states), model.states[-1]
        while state.line < len(PROGRAM):
            state = state.step()
            model.states.append(state)
            if state.error:
                break
        outcome = self.client.run(model.run).do("finish")
        assert (outcome.first, outcome.last) == (before, len(model.states) - 1)
        model.tags.append(outcome.etag)

    @rule(model=models)
    def reset(self, model: Model) -> None:
        outcome = self.client.run(model.run).do("reset")
        model.states[:] = [State()]
        model.tags[:] = [outcome.etag]

    @rule(target=models, model=models, back=st.integers(1, 4))
    def act_on_the_past(self, model: Model, back: int) -> Model:
        at = max(0, len(model.states) - 1 - back)
        run = self.client.run(model.run)
        outcome = run.do("statement", statement="x = 0", at=at)
        forked = at < len(model.states) - 1
        assert (outcome.forked, outcome.run != model.run, outcome.first) == (forked, forked, at + 1)
        branch = Model(run.id, model.states[: at + 1]) if forked else model
        branch.states.append(State(0, model.states[at].line))
        branch.tags.append(outcome.etag)
        return branch if forked else multiple()  # type: ignore[return-value]

    @rule(target=models, model=models, back=st.integers(0, 4))
    def fork(self, model: Model, back: int) -> Model:
        at = max(0, len(model.states) - 1 - back)
        return Model(self.client.run(model.run).fork(at).id, model.states[: at + 1])

    @rule(model=models)
    def say_it_twice(self, model: Model) -> None:
        headers = {"Idempotency-Key": f"{model.run}-{len(model.tags)}-{len(model.states)}"}
        body = {"do": "statement", "statement": "x = 0"}
        answers = [self.done(model, body, headers) for _ in range(2)]
        assert answers[0] == answers[1]
        model.states.append(State(0, model.states[-1].line))
        model.tags.append(answers[0]["etag"])

    @rule(model=models)
    def stale(self, model: Model) -> None:
        if len(model.tags) > 1:
            self.refuse(model, 412, "stale", {"do": "statement", "statement": "x = 0"}, {"If-Match": model.tags[-2]})

    @rule(model=models)
    def from_the_future(self, model: Model) -> None:
        self.refuse(model, 422, "bad-command", {"do": "next", "at": len(model.states)})

    @rule(model=consumes(models))
    def delete(self, model: Model) -> None:
        self.client.run(model.run).delete()
        with pytest.raises(Refused, match="404 not-found"):
            self.client.run(model.run).state()
        model.states.clear()

    @rule(model=models)
    def look(self, model: Model) -> None:
        if not model.states:
            return
        run = self.client.run(model.run)
        state = run.state()
        assert (state.state, state.number_of_moments) == (model.states[-1].word, len(model.states))
        for moment, wanted in zip(run.moments(), model.states, strict=True):
            assert moment.stdout == wanted.printed
            assert (moment.error.type if moment.error else "") == wanted.error
            assert moment.next_line == (wanted.line + 1 if wanted.line < len(PROGRAM) else None)

    def give(self, model: Model, do: str, after: State, **more: object) -> None:
        outcome = self.client.run(model.run).do(do, **more)  # type: ignore[arg-type]
        model.states.append(after)
        model.tags.append(outcome.etag)
        number = len(model.states) - 1
        assert (outcome.first, outcome.last, outcome.moment.stdout) == (number, number, after.printed)
        assert outcome.state == after.word

    def refuse(
        self, model: Model, status: int, kind: str, body: dict[str, object], headers: dict[str, str] | None = None
    ) -> None:
        response = self.post(model, body, headers or {})
        assert (response.status_code, response.json()["type"].rpartition(":")[2]) == (status, kind)

    def done(self, model: Model, body: dict[str, object], headers: dict[str, str]) -> Any:
        """The answer once it is there: a busy machine says first that it goes on."""
        while (response := self.post(model, body, headers)).status_code == 202:
            time.sleep(0.05)
        return response.json()

    def post(self, model: Model, body: dict[str, object], headers: dict[str, str]) -> httpx.Response:
        return self.client.http.post(f"/runs/{model.run}/commands", json=body, headers=headers)


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with Client(server.url) as client:
        yield client


def check(client: Client, examples: int, steps: int) -> None:
    Runs.client = client
    slow = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    run_state_machine_as_test(
        Runs,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=True,
            suppress_health_check=slow,
        ),
    )


def test_a_run_is_what_its_commands_make_of_it(client: Client) -> None:
    check(client, 6, 25)


@pytest.mark.slow
def test_many_runs_are_what_their_commands_make_of_them(client: Client) -> None:
    check(client, 60, 50)
