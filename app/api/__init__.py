"""The Python API: `framebrush.open`, `framebrush.paint` and their keyword arguments."""
