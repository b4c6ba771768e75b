"""Frame sources by name."""
