"""The doctor, against sound and broken set-ups."""
