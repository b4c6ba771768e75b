"""Test clips, the scripts that make them, and the machine-readable frame number."""
