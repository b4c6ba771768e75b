"""Limits of training material, without PyTorch."""

from __future__ import annotations

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")
SMALLEST_PAINTING_PX, GOOD_PAINTING_PX = 256, 600
"""Least shorter side of a painting's picture, and from where its strokes are learnt in full: at usual width 640 pixels
of it."""
FEWEST_PHOTOS, ENOUGH_PHOTOS, MOST_PHOTOS = 8, 25, 48
"""Photographs of a folder: least number, number from which they are not memorised, and largest number: each takes
45 MB on the device."""

MOST_BATCH, MOST_STEPS, MOST_SEED = 256, 1_000_000, (1 << 32) - 1  # a step of 256 crops takes 60 GB

UNUSABLE = (ImportError, OSError)
"""Exceptions of importing a missing or broken PyTorch: OSError on Windows for a missing DLL, such as Visual C++
Redistributable's."""
