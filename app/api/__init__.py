"""Python API: `framebrush.open`, `framebrush.paint` and their options."""
