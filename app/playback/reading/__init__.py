"""Decode films for playback in a separate process, which a damaged file may crash."""
