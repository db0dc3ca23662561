"""A client for the REST API, in its own words. Also what our tests talk with.

    with Client("http://127.0.0.1:8000") as client:
        run = client.create(scenario="gradients-add-up")
        run.do("forward")
        moment = run.do("backward").moment
        print(moment.tensor("w").grad, moment.explanation)

What is safe to repeat is repeated when the connection breaks, and everything when the server says when to come back:
commands carry an Idempotency-Key. Only what makes a run is not sent twice.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Self
from urllib.parse import quote

import httpx
import msgspec

Do = Literal[
    "zero_grad", "forward", "backward", "step", "next", "into", "out", "run", "finish", "to_line", "skip", "statement",
    "reset",
]  # fmt: skip
Nested = Any
"""A number, or lists of lists of numbers; non-finite ones are the strings "nan", "inf" and "-inf"."""

PATIENCE = 60.0
"""Seconds for which a request is repeated before its error is raised."""


SILENCE = 60.0
"""Seconds without a word of a stream of events after which it has broken: the server says something every 15."""


class Refused(Exception):
    """What the server refused (RFC 9457): `status`, `kind` (the end of `type`; "blank": the status says it all),
    `detail`, `suggestion`, and for scripts `line` and `column`."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.status = status
        self.kind = str(problem.get("type", "about:blank")).rpartition(":")[2]
        self.detail = str(problem.get("detail", ""))
        self.suggestion = str(problem.get("suggestion", ""))
        self.line: int | None = problem.get("line")
        self.column: int | None = problem.get("column")
        super().__init__(f"{status} {self.kind}: {self.detail}" + (f" ({self.suggestion})" if self.suggestion else ""))


class Tensor(msgspec.Struct, frozen=True):
    """A named tensor. `data` is None where it is too large to be told with the moment: `summary` is there then, and
    Run.tensor has all of it."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    requires_grad: bool
    is_leaf: bool
    grad_fn: str | None
    data: Nested = None
    grad: Nested = None
    summary: dict[str, Any] | None = None


class Error(msgspec.Struct, frozen=True):
    """A statement that failed."""

    type: str
    message: str
    line: int
    suggestion: str = ""
    limit: str | None = None


class Moment(msgspec.Struct, frozen=True):
    """The state after one executed statement. `raw` has what is not named here."""

    number: int
    statement: str
    line: int | None
    next_line: int | None
    phase: str | None
    do: str | None
    iteration: int | None
    loss: float | str | None
    tensors: tuple[Tensor, ...]
    events: tuple[dict[str, Any], ...]
    stdout: str
    explanation: str
    graph: dict[str, Any]
    optimizers: tuple[dict[str, Any], ...]
    findings: tuple[dict[str, Any], ...] = ()
    error: Error | None = None

    def tensor(self, name: str) -> Tensor:
        """Raises KeyError."""
        for tensor in self.tensors:
            if tensor.name == name:
                return tensor
        raise KeyError(name)


class Phase(msgspec.Struct, frozen=True):
    """A phase of the training loop: a button."""

    id: str
    do: str
    lines: tuple[tuple[int, int], ...]
    text: str
    enabled: bool
    usual_next: bool


class State(msgspec.Struct, frozen=True):
    """What a run is now."""

    id: str
    role: Literal["drive", "view", "shared"]
    view_id: str | None
    source: str
    state: Literal["ready", "running", "finished", "failed"]
    number_of_moments: int
    phases: tuple[Phase, ...]
    usual_next: str | None
    breakpoints: tuple[int, ...]
    pinned: bool
    differs: bool
    losses: tuple[dict[str, Any], ...] = ()
    warnings: tuple[dict[str, Any], ...] = ()
    seed: int | None = None
    parent: str | None = None
    expires: str | None = None


class Outcome(msgspec.Struct, frozen=True):
    """What a command did: moments `first`..`last` (none, when first > last), the last one whole. `run` is the drive id
    of the run that it changed: another one when it `forked`."""

    run: str
    forked: bool
    first: int
    last: int
    stopped: bool
    note: str
    state: str
    etag: str
    moment: Moment


class Scenario(msgspec.Struct, frozen=True):
    """A scenario of the library; `source` and `lesson` are "" in a list."""

    slug: str
    title: str
    summary: str
    level: str
    minutes: int
    source: str = ""
    lesson: str = ""


class Expectation(msgspec.Struct, frozen=True):
    """One expectation of a check, and whether it held."""

    after: int
    what: str
    passed: bool
    got: Any
    wanted: Any


class Check(msgspec.Struct, frozen=True):
    """What held of a scripted scenario. `error`: a command was refused."""

    passed: bool
    results: tuple[Expectation, ...]
    error: str


@dataclass(frozen=True)
class Event:
    """Something that happened to a run: "moment", "progress", "refused" or "gone". `data` has `last` and `state`, and
    `done` and `asked` of a command's progress."""

    kind: str
    data: dict[str, Any] = field(default_factory=dict)
    id: str = ""


class Client:
    """Talks to a server. `transport` and what else httpx.Client takes can be given. Raises Refused, and httpx.HTTPError
    when the server cannot be reached for PATIENCE seconds."""

    def __init__(self, url: str = "http://127.0.0.1:8000", *, patience: float = PATIENCE, **options: Any) -> None:
        self.patience = patience
        self.http = httpx.Client(base_url=url.rstrip("/") + "/api/v1", **{"timeout": 60.0} | options)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.http.close()

    # ------------------------------------------------------------------ the library

    def scenarios(self) -> list[Scenario]:
        """The library, without sources and lessons."""
        return msgspec.json.decode(self.request("GET", "/scenarios").content, type=list[Scenario])

    def scenario(self, slug: str) -> Scenario:
        """One scenario whole."""
        return msgspec.json.decode(self.request("GET", f"/scenarios/{slug}").content, type=Scenario)

    def check(
        self,
        commands: Sequence[dict[str, Any] | str],
        expect: Sequence[dict[str, Any]],
        *,
        source: str | None = None,
        scenario: str | None = None,
        seed: int | None = None,
    ) -> Check:
        """Execute a scripted scenario on a run that is forgotten at once."""
        body: dict[str, Any] = {
            "commands": [{"do": one} if isinstance(one, str) else one for one in commands],
            "expect": list(expect),
        }
        body |= _given(source=source, scenario=scenario, seed=seed)
        return msgspec.json.decode(self.request("POST", "/check", json=body).content, type=Check)

    # ------------------------------------------------------------------ runs

    def create(self, *, source: str | None = None, scenario: str | None = None, seed: int | None = None) -> Run:
        """A run of a script or of a scenario, begun."""
        body = _given(source=source, scenario=scenario, seed=seed)
        return Run(self, self.request("POST", "/runs", json=body).json()["id"])

    def run(self, run_id: str) -> Run:
        """A run by its drive id, its view id, or "scenario:SLUG"."""
        return Run(self, run_id)

    # ------------------------------------------------------------------ requests

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send a request below /api/v1, again and again while that may help. Raises Refused."""
        until = time.monotonic() + self.patience
        pause = 0.1
        while True:
            try:
                response = self.http.request(method, path, **options)
            except httpx.TransportError:
                # Without a key, a request that makes something may have been heard: it is not said twice.
                if time.monotonic() > until or not may_repeat(method, options):
                    raise
            else:
                if response.is_success:
                    return response
                wait = response.headers.get("Retry-After", "")
                if response.status_code not in (429, 503) or not wait.isdigit() or time.monotonic() + int(wait) > until:
                    raise refused(response)
                pause = int(wait)
            time.sleep(pause)
            pause = min(2 * pause, 2.0)


class Run:
    """A run on the server. `id` may change: a command that acts on the past forks, and this object goes on with the
    fork."""

    def __init__(self, client: Client, run_id: str) -> None:
        self.client = client
        self.id = run_id

    @property
    def path(self) -> str:
        return f"/runs/{self.id}"

    def state(self) -> State:
        """What the run is now."""
        return msgspec.json.decode(self.client.request("GET", self.path).content, type=State)

    def do(
        self,
        do: Do,
        *,
        times: int | None = None,
        line: int | None = None,
        statement: str | None = None,
        phase: str | None = None,
        at: int | None = None,
        if_match: str | None = None,
    ) -> Outcome:
        """Give a command, and wait for its end however long it takes (`stop`, from another thread, ends it)."""
        body = {"do": do} | _given(times=times, line=line, statement=statement, phase=phase, at=at)
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        if if_match is not None:
            headers["If-Match"] = f'"{if_match}"'
        path, pause = f"{self.path}/commands", 0.05
        while (response := self.client.request("POST", path, json=body, headers=headers)).status_code == 202:
            time.sleep(pause)  # the same key again: it waits for the same answer
            pause = min(2 * pause, 1.0)
        outcome = msgspec.json.decode(response.content, type=Outcome)
        self.id = outcome.run
        return outcome

    def stop(self) -> None:
        """End the command that is running, if there is one."""
        self.client.request("POST", f"{self.path}/commands", json={"do": "stop"})

    def moment(self, number: int) -> Moment:
        """One moment whole."""
        return msgspec.json.decode(self.client.request("GET", f"{self.path}/moments/{number}").content, type=Moment)

    def moments(self, first: int = 0, last: int | None = None) -> Iterator[Moment]:
        """Moments in order; long lists come in several answers."""
        address = f"{self.path}/moments?from={first}" + ("" if last is None else f"&to={last}")
        while address:
            response = self.client.request("GET", address)
            yield from msgspec.json.decode(response.content, type=list[Moment])
            following = response.links.get("next", {}).get("url", "")
            address = following.removeprefix("/api/v1")

    def tensor(self, number: int, name: str) -> Tensor:
        """A tensor with all of its values and its `.grad`."""
        answer = self.client.request("GET", f"{self.path}/moments/{number}/tensors/{quote(name, safe='')}")
        return msgspec.json.decode(answer.content, type=Tensor)

    def picture(self, number: int, form: Literal["svg", "json", "dot"] = "svg") -> str:
        """The graph of a moment."""
        return self.client.request("GET", f"{self.path}/moments/{number}/graph.{form}").text

    def transcript(self) -> str:
        """The program executed so far: under real PyTorch it prints the same."""
        return self.client.request("GET", f"{self.path}/transcript.py").text

    def trace(self) -> Iterator[Moment]:
        """The trace, moment by moment, as it arrives."""
        with self.client.http.stream("GET", f"{self.path}/trace.ndjson") as response:
            if not response.is_success:
                response.read()
                raise refused(response)
            for line in response.iter_lines():
                yield msgspec.json.decode(line, type=Moment)

    def follow(self, seen: str = "") -> Iterator[Event]:
        """What happens to the run from now on until it is gone; first what it is now, unless that is `seen` (an Event's
        id). A connection that breaks is made again, and goes on where it was."""
        broken: float | None = None
        while True:
            try:
                for event in self._events(seen):
                    broken, seen = None, event.id or seen
                    yield event
                    if event.kind == "gone":
                        return
            except httpx.TransportError:
                if broken is not None and time.monotonic() - broken > self.client.patience:
                    raise
            broken = time.monotonic() if broken is None else broken
            time.sleep(0.5)

    def _events(self, seen: str) -> Iterator[Event]:
        headers = {"Last-Event-ID": seen} if seen else {}
        timeout = httpx.Timeout(10.0, read=SILENCE)
        with self.client.http.stream("GET", f"{self.path}/events", headers=headers, timeout=timeout) as response:
            if not response.is_success:
                response.read()
                raise refused(response)
            yield from read_events(response.iter_lines())

    def fork(self, moment: int) -> Run:
        """A new run that shares the past up to `moment`."""
        response = self.client.request("POST", f"{self.path}/fork", json={"moment": moment})
        return Run(self.client, response.json()["id"])

    def breakpoints(self, *lines: int, when: Mapping[int, str] | None = None) -> None:
        """Set the lines before which `run` and `finish` pause: all of them. `when`: those where they do so if an
        expression is true."""
        conditions = [{"line": line, "when": text} for line, text in (when or {}).items()]
        self.client.request("PUT", f"{self.path}/breakpoints", json={"lines": list(lines), "conditions": conditions})

    def pin(self, pinned: bool = True) -> None:
        """Keep the run though nobody uses it, or let it expire."""
        self.client.request("PUT" if pinned else "DELETE", f"{self.path}/pin")

    def delete(self) -> None:
        """Forget the run."""
        self.client.request("DELETE", self.path)


def may_repeat(method: str, options: dict[str, Any]) -> bool:
    """Whether a request that may have been heard can be sent again."""
    return method in ("GET", "PUT", "DELETE") or "Idempotency-Key" in (options.get("headers") or {})


def refused(response: httpx.Response) -> Refused:
    """The error that an answer tells."""
    try:
        problem = response.json()
    except ValueError:
        problem = {"detail": response.text[:200]}
    return Refused(response.status_code, problem if isinstance(problem, dict) else {"detail": str(problem)})


def read_events(lines: Iterator[str]) -> Iterator[Event]:
    """Server-sent events of lines, without their comments."""
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
        elif "data" in fields:
            data = msgspec.json.decode(fields["data"], type=dict[str, Any])
            yield Event(fields.get("event", "message"), data, fields.get("id", ""))
            fields = {}


def _given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
