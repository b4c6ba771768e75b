"""A job cut into segments of time, so that a killed one resumes: plan, folder, writer, join."""
