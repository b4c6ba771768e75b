"""Encoding: encoders, pixel formats, memory, HDR, and losses."""
