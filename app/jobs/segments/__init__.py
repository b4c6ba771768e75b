"""A job cut into segments of time, so that it can resume after being killed: plan, folder, writer, join."""
