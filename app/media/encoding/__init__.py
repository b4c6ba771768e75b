"""Encoders, pixel formats, HDR metadata, losses."""
