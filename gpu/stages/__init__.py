"""The stages of a frame: what each does, the constants that every device computes with, and its passes for GPUs."""
