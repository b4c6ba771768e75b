"""Stages of a frame on the CPU."""
