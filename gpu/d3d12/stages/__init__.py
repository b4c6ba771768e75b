"""The stages of a frame on Direct3D 12."""
