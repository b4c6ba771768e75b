"""Direct3D 12 and DirectML, the resident pipeline: `adapters` and `device` are its entry points. This loads nothing."""
