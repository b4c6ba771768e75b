"""Render cache: frames painted ahead in export quality, in memory and on disk."""
