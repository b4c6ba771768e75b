"""The video view, its overlays and tools."""
