"""Decoding for playback, in a process that damaged files may crash."""
