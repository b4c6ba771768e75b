"""Displaying a film: frames go through the device onto a surface, in a quality that keeps up with playback."""
