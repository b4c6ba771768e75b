"""Soft masks of faces and people in each frame."""
