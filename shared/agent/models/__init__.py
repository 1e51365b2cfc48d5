"""Implementations of the model port."""
