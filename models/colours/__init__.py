"""Colours: perceptual space, colour tables, and palettes of pictures."""
