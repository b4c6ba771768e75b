"""Render cache: frames painted ahead of playback."""
