"""Segments of a job, so that it can resume after a kill: plan, folder, writer, join."""
