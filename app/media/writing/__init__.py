"""Output plans and writers."""
