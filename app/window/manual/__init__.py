"""Documentation in the window."""
