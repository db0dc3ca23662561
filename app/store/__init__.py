"""What has to outlive a process: scripts, the commands given to them, and little else. Traces are computed."""

from app.store.claims import LEASE, Answered, Claimed, Occupied
from app.store.claims import Claims as Store
from app.store.records import Claim, Kept, KeyRecord

__all__ = ["LEASE", "Answered", "Claim", "Claimed", "Kept", "KeyRecord", "Occupied", "Store"]
