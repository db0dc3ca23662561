"""Commands are claimed before they are executed; runs can be pinned; keys are forgotten by age."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column(
        "runs",
        sa.Column(
            "pinned", sa.Boolean, nullable=False, server_default=sa.false(), comment="kept though nobody uses it"
        ),
    )
    op.create_index("keys_given", "keys", ["given"])
    op.create_table(
        "claims",
        sa.Column("run_id", sa.String(64), sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
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


def downgrade() -> None:
    op.drop_table("claims")
    op.drop_index("keys_given", "keys")
    op.drop_column("runs", "pinned")
