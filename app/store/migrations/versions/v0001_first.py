"""Runs, their commands, and idempotency keys."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "runs",
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
    )
    op.create_index("runs_used", "runs", ["used"])
    op.create_table(
        "commands",
        sa.Column("run_id", sa.String(64), sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("command", sa.JSON, nullable=False),
        sa.Column("reached", sa.Integer, nullable=False),
        sa.Column("digest", sa.String(128), nullable=False),
        sa.Column("stamp", sa.String(32), nullable=False),
        sa.Column("given", sa.Float, nullable=False),
    )
    op.create_table(
        "keys",
        sa.Column("run_id", sa.String(64), sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("key", sa.String(255), primary_key=True),
        sa.Column("request", sa.String(64), nullable=False, comment="a hash of what was asked"),
        sa.Column("answer", sa.JSON, nullable=False),
        sa.Column("given", sa.Float, nullable=False),
    )


def downgrade() -> None:
    for table in ("keys", "commands", "runs"):
        op.drop_table(table)
