"""The one folder that talks HTTP to the outside."""
