"""How much of an outside text a model is given."""

LONGEST = 20_000
"""Characters."""


def bounded(text: str, longest: int = LONGEST) -> str:
    """The text, or its beginning with a mark that says how much is missing."""
    return text if len(text) <= longest else f"{text[:longest]}\n[cut: {len(text) - longest} more characters]"
