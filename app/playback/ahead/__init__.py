"""Frames painted ahead of playing, as an export has them, and kept in memory and on the disk."""
