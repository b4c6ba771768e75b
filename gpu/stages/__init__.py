"""The stages of a frame: what each does, and the constants that every device computes with."""
