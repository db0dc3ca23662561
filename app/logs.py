"""The log: lines of text, or of JSON for a machine that collects them. Each names the request that it belongs to."""

from __future__ import annotations

import json
import logging
import sys
import time
from contextvars import ContextVar
from typing import Literal

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request that is being answered; "" for what happens beside."""

STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class Text(logging.Formatter):
    """A line for a person."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        asked = request_id.get()
        return f"{text} [{asked}]" if asked else text


class Json(logging.Formatter):
    """A JSON object a line: time, level, logger, message, request_id, and what the record brings along."""

    def format(self, record: logging.LogRecord) -> str:
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        values: dict[str, object] = {
            "time": f"{moment}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if asked := request_id.get():
            values["request_id"] = asked
        values |= {name: value for name, value in vars(record).items() if name not in STANDARD}
        if record.exc_info:
            values["exception"] = self.formatException(record.exc_info)
        return json.dumps(values, default=str)


def set_up(form: Literal["text", "json"]) -> None:
    """Write what is logged to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Json() if form == "json" else Text())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for chatty in ("alembic", "httpx"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
