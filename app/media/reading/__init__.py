"""Files into frames, and what accompanies the picture."""
