"""What is measured on frames: cuts, dissolves, shots and colours. Knows nothing of files and their formats."""
