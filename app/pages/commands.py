"""Forms into commands: what a press sends, as the REST commands' fields."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from app import errors
from app.runs import Runs
from app.runs.pressing import Pressed
from engine.errors import CommandError
from engine.run import Command

MOST_COMMANDS = 100
"""How many commands one offer may stand for."""


def read_commands(form: Mapping[str, Any]) -> list[tuple[Command, int | None]]:
    """The commands of a press, each with the moment at which it is given (None: where the run is).

    A plain press has `do` and its fields; an offer has `commands`, a JSON list of them. Raises BadCommand."""
    at = _whole(form.get("at"), "at")
    if not form.get("commands"):
        return [
            (_command({key: form[key] for key in ("do", "phase", "statement", "times", "line") if form.get(key)}), at)
        ]
    try:
        listed = json.loads(str(form["commands"]))
    except ValueError:
        raise errors.BadCommand("`commands` is not JSON") from None
    if not isinstance(listed, list) or not 0 < len(listed) <= MOST_COMMANDS:
        raise errors.BadCommand(f"`commands` must be a list of 1 to {MOST_COMMANDS} commands")
    commands = []
    for index, one in enumerate(listed):
        if not isinstance(one, dict):
            raise errors.BadCommand("each of `commands` must be an object")
        own = _whole(one.pop("at", None), "at")
        commands.append((_command(one), own if own is not None else at if index == 0 else None))
    return commands


async def execute(runs: Runs, run_id: str, commands: list[tuple[Command, int | None]], sight: str | None) -> Pressed:
    """Give `commands` to the run; one that only looks is forked first. The answer is the last command's; when one
    takes long, that one's. `sight` is what its viewer chose to see (None: nobody looks). Raises what Runs.command
    raises."""
    try:
        return await _execute(runs, run_id, commands, sight)
    except errors.ReadOnly:
        view = await runs.info(run_id)
        at = commands[0][1]
        copy = await runs.fork(run_id, view.last if at is None or at > view.last else at)
        return await _execute(runs, copy.id, [(commands[0][0], None), *commands[1:]], sight)


async def _execute(runs: Runs, run_id: str, commands: list[tuple[Command, int | None]], sight: str | None) -> Pressed:
    for command, at in commands[:-1]:
        answer = await runs.command(run_id, command, at=at, bare=True)
        run_id = answer.run
        if answer.running:
            return Pressed(answer)
    command, at = commands[-1]
    if sight is None:
        return Pressed(await runs.command(run_id, command, at=at, bare=True))
    return await runs.press(run_id, command, at=at, sight=sight)


def _command(values: dict[str, Any]) -> Command:
    if values.get("do") == "stop":  # not a command of the engine's: the service ends what is running
        return Command("stop")
    for key in ("times", "line"):
        if key in values:
            values[key] = _whole(values[key], key)
    try:
        return Command.from_dict(values)
    except CommandError as error:
        raise errors.BadCommand(error.message, error.suggestion) from None


def _whole(value: Any, name: str) -> int | None:
    if value in (None, ""):
        return None
    try:
        return int(value)
    except (TypeError, ValueError):
        raise errors.BadCommand(f"`{name}` must be a whole number") from None
