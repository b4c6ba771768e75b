"""Segments, by which a job resumes after a kill: plan, folder, writer, join."""
