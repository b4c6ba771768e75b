"""What everything else stands on: text, names of files, JSON, threads, signals. Knows nothing about video."""
