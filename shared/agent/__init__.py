"""The agent: models, the loop, turns."""
