"""The memex command, against the real local product."""
