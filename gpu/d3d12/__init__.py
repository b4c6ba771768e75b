"""Direct3D 12 and DirectML: the resident pipeline. Importing this loads nothing; `adapters` and `device` are its doors."""
