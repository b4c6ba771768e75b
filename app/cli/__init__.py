"""The command line: `framebrush` and its commands."""
