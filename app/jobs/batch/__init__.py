"""Batches: many videos into a folder, with names and results."""
