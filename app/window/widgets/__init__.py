"""Building blocks for the parts of the window: controls, icons, theme, messages, background work."""
