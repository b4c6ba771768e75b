"""Subject masks: faces and people as soft masks of each frame."""
