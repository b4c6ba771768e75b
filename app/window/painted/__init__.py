"""Frames that a person paints over, in the window: their files, what is learnt from them, and where another helps."""
