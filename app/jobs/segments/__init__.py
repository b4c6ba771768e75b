"""Segments, by which a job resumes."""
