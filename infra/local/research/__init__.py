"""The stand-in for Google's Interactions API: the same wire format, and research in the user's own notes."""
