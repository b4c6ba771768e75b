"""Frames that a user paints over, and the networks learnt from them, one per shot."""
