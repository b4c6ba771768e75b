"""Damaged files by the thousand, from fixed seeds."""
