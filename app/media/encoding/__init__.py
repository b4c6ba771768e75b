"""Frames into coded pictures: the encoder, the pixel format, its memory, HDR, and what a result loses."""
