"""Colours: perceptual space, tables of colours, and those that a film gets from a picture."""
