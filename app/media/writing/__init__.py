"""Writing of results: plans and writers."""
