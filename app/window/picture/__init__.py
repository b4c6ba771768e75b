"""The video view, and all that is done to the picture on the screen."""
