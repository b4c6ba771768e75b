"""Batches: many videos painted into a folder."""
