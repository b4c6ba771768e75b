"""The gallery of styles, and the person's own ones."""
