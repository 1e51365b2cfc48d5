"""Title, summary, tags and tasks for a note, from the note alone."""
