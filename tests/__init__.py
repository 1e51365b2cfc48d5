"""Tests mirror the house; names are sentences."""
