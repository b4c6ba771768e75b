"""Styles as users name them: networks, pictures, their own ones, and whose colours they paint with."""
