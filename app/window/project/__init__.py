"""Projects: the open film's settings, kept and restored."""
