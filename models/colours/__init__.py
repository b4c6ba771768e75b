"""Colour spaces, colour tables and palettes of pictures."""
