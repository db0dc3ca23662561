"""How the predictions of a class went, in numbers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "predictions",
        sa.Column("run_id", sa.String(64), sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("card", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("told", sa.String(500), primary_key=True, comment="what the wrong answer was told; '': it was right"),
        sa.Column("count", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("predictions")
