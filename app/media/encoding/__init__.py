"""Encoding of frames: encoders, pixel formats, memory, HDR, and losses of a result."""
