"""Settings: from the environment (prefix GRADFLOW_; DATABASE_URL also plain) or given to create_app."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import platformdirs
from limits import parse_many
from pydantic import AliasChoices, Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

MIB = 1024 * 1024


def _default_workers() -> int:
    return max(1, min(4, os.cpu_count() or 1))


class Settings(BaseSettings):
    """Every setting, with its default for one laptop."""

    model_config = SettingsConfigDict(env_prefix="GRADFLOW_", extra="ignore", populate_by_name=True)

    host: str = Field(default="127.0.0.1", description="Address to listen on.")
    port: int = Field(default=8000, ge=0, le=65535, description="Port to listen on.")
    public_url: str = Field(default="", description="Where people reach the server, if elsewhere.")

    data_dir: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("gradient-flow", appauthor=False)),
        description="Folder of the SQLite database.",
    )
    database_url: str = Field(
        default="",
        validation_alias=AliasChoices("database_url", "DATABASE_URL", "GRADFLOW_DATABASE_URL"),
        description="Database; empty: SQLite in data_dir.",
    )
    scenarios_dir: Path | None = Field(default=None, description="Folder with more scenarios of your own.")

    workers: int = Field(default_factory=_default_workers, ge=1, description="Processes that execute scripts.")
    long_workers: int = Field(
        default=4, ge=0, description="How many more processes may be started while long commands hold the others."
    )
    worker_memory: int = Field(default=3072 * MIB, ge=0, description="Address space of a worker in bytes; 0: no limit.")
    worker_runs: int = Field(default=500, ge=1, description="Runs that a worker keeps in memory; others are rebuilt.")
    worker_resident: int = Field(default=1024 * MIB, description="Bytes above which a worker forgets idle runs.")

    idle_seconds: float = Field(default=900.0, gt=0, description="Seconds after which a worker forgets an unused run.")

    long_after: float = Field(default=1.0, gt=0, description="Seconds after which a command is answered with 202.")
    command_seconds: float = Field(
        default=30.0,
        gt=0,
        description="Seconds of a processor after which a command is stopped, or twice as many by the clock.",
    )
    grace_seconds: float = Field(default=5.0, gt=0, description="Seconds from there to its process's end.")
    rebuild_seconds: float = Field(default=120.0, gt=0, description="Seconds that the replay of a whole run may take.")
    queue: int = Field(default=200, ge=1, description="Requests that may wait for a worker before new ones get 429.")

    run_time: float = Field(default=60.0, gt=0, description="Budget of a script in seconds.")
    run_memory: int = Field(default=1024 * MIB, gt=0, description="Budget of a script's tensors in bytes.")
    source_bytes: int = Field(default=256 * 1024, gt=0, description="Size of a script in bytes.")
    body_bytes: int = Field(default=1 * MIB, gt=0, description="Size of a request in bytes.")

    expire_days: float = Field(
        default=30.0, ge=0, description="Days after which an unused run is forgotten, unless it is pinned; 0: never."
    )

    rate_address: str = Field(
        default="30000/minute", description="Requests that one address may make; empty: no limit."
    )
    rate_making: str = Field(
        default="1200/minute", description="Runs that one address may make, checks and forks among them."
    )
    rate_run: str = Field(default="6000/minute", description="Commands and other changes that one run may get.")
    trusted_proxies: str = Field(
        default="127.0.0.1", description="Addresses whose X-Forwarded-For is believed, separated by commas; * for all."
    )
    log_format: Literal["text", "json"] = Field(default="text", description="Lines of the log: text or json.")

    cors_origins: list[str] = Field(default=[], description="Origins of other sites that may call REST.")
    embed_ancestors: str = Field(default="*", description="frame-ancestors on the embed routes: who may embed.")
    drain_seconds: float = Field(default=10.0, ge=0, description="Seconds that commands get when the server ends.")

    @field_validator("rate_address", "rate_making", "rate_run")
    @classmethod
    def _is_a_rate(cls, text: str) -> str:
        if text and len(parse_many(text)) != 1:
            raise ValueError("one rate, as 100/minute")
        return text

    @property
    def store_url(self) -> str:
        """The SQLAlchemy URL of the store."""
        if self.database_url:
            url = self.database_url
            for plain in ("postgres://", "postgresql://"):
                if url.startswith(plain):
                    return "postgresql+psycopg://" + url.removeprefix(plain)
            return url
        return f"sqlite:///{self.data_dir / 'gradient-flow.sqlite3'}"
