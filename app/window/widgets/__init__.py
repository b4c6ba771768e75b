"""Controls, icons, theme, messages, background work."""
