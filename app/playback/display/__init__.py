"""What a screen shows of a film: frames through the device onto a surface, at the quality that keeps up."""
