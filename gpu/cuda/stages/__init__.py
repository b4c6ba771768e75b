"""The stages of a frame on NVIDIA GPUs."""
