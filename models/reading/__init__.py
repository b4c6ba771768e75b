"""Third-party networks: reading, analysis, conversion."""
