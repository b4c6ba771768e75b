"""Real-time sources: cameras, microphones, test sources."""
