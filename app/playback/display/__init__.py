"""Displaying a film in a quality that keeps up with playback.

Frames go through the device onto a surface.
"""
