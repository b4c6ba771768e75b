"""Painting many videos into a folder: their names, the jobs one after the other, and their results."""
