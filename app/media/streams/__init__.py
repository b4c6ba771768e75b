"""What comes along beside the picture: sound, subtitles, metadata and times."""
