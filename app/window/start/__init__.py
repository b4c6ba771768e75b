"""What the window shows while no video is open."""
