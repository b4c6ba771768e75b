"""Painted frames in the window: their files, the learning process, and suggestions where to paint another."""
