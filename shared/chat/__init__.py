"""Conversations as a state machine: who may speak, who works on a turn, what a suspended one waits for. No ADK here."""
