"""Frames of a film that a person paints over, and the networks that are learnt from them, one a shot."""
