"""Reading of media files."""
