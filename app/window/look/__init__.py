"""The panel of the look: what is turned while the picture stands or plays."""
