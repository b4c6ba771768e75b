"""What a film shows: faces and people, as soft masks of each frame."""
