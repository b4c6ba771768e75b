"""Learning a style from a painting: the form, what it takes, and the process that does it."""
