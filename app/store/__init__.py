"""What has to outlive a process: scripts, the commands given to them, and little else. Traces are computed."""

from app.store.base import Kept, KeyRecord, Store

__all__ = ["Kept", "KeyRecord", "Store"]
