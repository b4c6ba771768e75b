"""Many videos into a folder: their names, one job after the other, and what became of each."""
