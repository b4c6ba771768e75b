"""Exports: dialog, list and processes."""
