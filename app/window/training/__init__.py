"""Training a style from a painting."""
