"""One folder, one Cloud Function."""
