"""Styles as users name them: networks, pictures, the user's own styles, and palettes."""
