"""Foundations without video: text, file names, JSON, threads, signals."""
