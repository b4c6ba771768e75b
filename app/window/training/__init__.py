"""Training a style from a painting: form, requirements, and process."""
