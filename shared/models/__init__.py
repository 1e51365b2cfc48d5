"""The shape of every document and message."""
