"""What agents propose and a person decides: applied once, or never."""

from shared.approvals.expire import expire

__all__ = ["expire"]
