"""The gallery of styles, and the user's own styles."""
