"""The local store: documents, triggers and bus in one SQLite file that one process owns."""
