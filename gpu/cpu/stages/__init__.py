"""The stages of a frame on the CPU."""
