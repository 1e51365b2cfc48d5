"""What `adk api_server` serves in the bench: a folder for each agent."""
