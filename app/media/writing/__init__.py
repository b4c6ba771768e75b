"""Frames into files: what will be written, decided beforehand, and the writers."""
