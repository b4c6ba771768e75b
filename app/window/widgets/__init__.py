"""What several parts of the window are made of: controls, icons, theme, messages, background work."""
