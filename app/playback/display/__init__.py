"""Display of a film on a surface."""
