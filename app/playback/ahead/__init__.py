"""Render cache: frames painted ahead of playback in export quality, in memory and on disk."""
