"""Frames painted ahead of playback in export quality, cached in memory and on disk."""
