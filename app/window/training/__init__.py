"""Training a style from a painting: the form, the requirements, and the process."""
