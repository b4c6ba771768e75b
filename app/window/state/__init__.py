"""Shared state of a window."""
