"""Measurements on frames: cuts, dissolves, shots, colours.

Independent of files and formats.
"""
