"""Markdown vaults: how a file becomes a note, and a note that very file again. Nothing here talks to Memex."""
