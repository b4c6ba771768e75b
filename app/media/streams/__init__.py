"""Streams besides the picture: sound, subtitles, metadata, times."""
