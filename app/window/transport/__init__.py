"""The bars under the picture: position, seeking, speed, sound, live sources."""
