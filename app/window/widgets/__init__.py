"""Building blocks for the parts of the window.

Controls, icons, theme, messages, background work.
"""
