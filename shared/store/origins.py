"""Where it is kept that a file was imported, so that it is taken once."""

from hashlib import sha256

from shared.models.note import Origin


def origin_path(tenant: str, origin: Origin) -> str:
    """The document that stands for an imported file; it holds the note's id."""
    return f"tenants/{tenant}/origins/{sha256(origin.path.encode()).hexdigest()}"
