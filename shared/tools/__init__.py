"""What an agent can do, one file a noun."""
