"""Measurements on frames: cuts, dissolves, shots, colours."""
