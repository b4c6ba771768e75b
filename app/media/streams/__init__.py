"""Streams besides the picture."""
