"""Thousands of damaged files from fixed seeds."""
