"""Bars under the picture."""
