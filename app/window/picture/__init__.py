"""The video view, and everything that is done to the picture on the screen."""
