"""Third-party networks: reading in a separate process, analysis, and conversion to the canonical form."""
