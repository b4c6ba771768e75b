"""Frames that a user paints over, and networks learnt from them."""
