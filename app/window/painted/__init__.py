"""Painted frames: files, learning process, and suggestions where to paint more."""
