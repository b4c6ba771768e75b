"""What Python programs use: `framebrush.open`, `framebrush.paint` and their keyword arguments."""
