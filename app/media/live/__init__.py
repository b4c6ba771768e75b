"""Sources that run in real time: cameras, microphones, test sources."""
