"""Read media files: frames, sound, subtitles and metadata."""
