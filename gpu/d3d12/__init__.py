"""Direct3D 12 backend with DirectML.

Entry points: `adapters` and `device`. Importing it loads no libraries.
"""
