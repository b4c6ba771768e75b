"""The bars under the picture: position, seeking, speed, volume, live sources."""
