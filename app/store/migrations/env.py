"""What Alembic executes: the connection comes from app/store/migrating.py, which holds the transaction."""

from __future__ import annotations

from alembic import context

context.configure(connection=context.config.attributes["connection"], render_as_batch=True)
context.run_migrations()
