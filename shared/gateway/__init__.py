"""The one way to a tool."""
