"""Styles by users' names: networks, pictures, own styles, and palettes."""
