"""Conversations with the agent."""
