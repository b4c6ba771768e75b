"""Sources of frames by name: files, cameras, generators, standard input."""
