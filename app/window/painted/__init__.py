"""Painted frames: files, learning process, and suggestions."""
