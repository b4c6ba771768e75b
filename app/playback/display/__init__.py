"""Display of a film through a device onto a surface, in a quality that keeps up."""
