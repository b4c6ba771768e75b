"""Projects of the window: the open film's settings, kept and restored."""
