"""Frames into files: plan, encoder, muxer, and the streams carried over."""
