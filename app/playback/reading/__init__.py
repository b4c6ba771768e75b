"""Films for playback, decoded in a process that a damaged one may crash."""
