"""The window's content while no video is open."""
