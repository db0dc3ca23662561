"""The tables as they are now; app/store/migrations leads there from any earlier version. A command belongs to one
place in one run; a run's `stamp` changes with each. A claim is a command that has been accepted and is not done yet:
there is at most one for each run, whichever server executes it."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

runs = sa.Table(
    "runs",
    metadata,
    sa.Column("id", sa.String(64), primary_key=True, comment="the drive id"),
    sa.Column("view_id", sa.String(64), nullable=False, unique=True),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("scenario", sa.String(200)),
    sa.Column("seed", sa.BigInteger),
    sa.Column("engine", sa.String(100), nullable=False, comment="the versions that executed it first"),
    sa.Column("created", sa.Float, nullable=False, comment="seconds since 1970"),
    sa.Column("used", sa.Float, nullable=False),
    sa.Column("parent", sa.String(64), comment="the view id of the run that it was forked from"),
    sa.Column("stamp", sa.String(32), nullable=False),
    sa.Column("commands", sa.Integer, nullable=False, comment="how many there are"),
    sa.Column("last", sa.Integer, nullable=False, comment="the number of the last moment"),
    sa.Column("breakpoints", sa.JSON, nullable=False),
    sa.Column("pinned", sa.Boolean, nullable=False, server_default=sa.false(), comment="kept though nobody uses it"),
    sa.Index("runs_used", "used"),
)

commands = sa.Table(
    "commands",
    metadata,
    sa.Column("run_id", sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("command", sa.JSON, nullable=False),
    sa.Column("reached", sa.Integer, nullable=False),
    sa.Column("digest", sa.String(128), nullable=False),
    sa.Column("stamp", sa.String(32), nullable=False),
    sa.Column("given", sa.Float, nullable=False),
)

keys = sa.Table(
    "keys",
    metadata,
    sa.Column("run_id", sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("key", sa.String(255), primary_key=True),
    sa.Column("request", sa.String(64), nullable=False, comment="a hash of what was asked"),
    sa.Column("answer", sa.JSON, nullable=False),
    sa.Column("given", sa.Float, nullable=False),
    sa.Index("keys_given", "given"),
)

claims = sa.Table(
    "claims",
    metadata,
    sa.Column("run_id", sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("token", sa.String(32), nullable=False, comment="another one for each server that takes it up"),
    sa.Column("server", sa.String(120), nullable=False),
    sa.Column("asked", sa.String(64), nullable=False, comment="the run that was asked: another one after a fork"),
    sa.Column("key", sa.String(255)),
    sa.Column("request", sa.String(64), nullable=False, comment="a hash of what was asked"),
    sa.Column("command", sa.JSON, nullable=False),
    sa.Column("at", sa.Integer, comment="the moment to fork at first"),
    sa.Column("accepted", sa.Float, nullable=False, comment="by the database's clock, as `until`"),
    sa.Column("until", sa.Float, nullable=False, comment="when others may take it up, unless renewed"),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("stop", sa.Boolean, nullable=False, comment="somebody asked to stop it"),
    sa.Column("done", sa.Integer, nullable=False, comment="progress, of `of`"),
    sa.Column("of", sa.Integer, nullable=False),
    sa.UniqueConstraint("asked", "key", name="claims_asked_key"),
)

predictions = sa.Table(
    "predictions",
    metadata,
    sa.Column("run_id", sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("card", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("told", sa.String(500), primary_key=True, comment="what the wrong answer was told; '': it was right"),
    sa.Column("count", sa.Integer, nullable=False),
)
