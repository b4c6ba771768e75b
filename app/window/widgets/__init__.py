"""Building blocks of the window: controls, icons, theme, messages, background work."""
