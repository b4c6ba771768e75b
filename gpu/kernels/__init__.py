"""Texts and constants of several languages."""
