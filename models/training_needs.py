"""Limits of training material, without PyTorch."""

from __future__ import annotations

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")
SMALLEST_PAINTING_PX, GOOD_PAINTING_PX = 256, 600
"""Least shorter side of a painting's picture, and from where its strokes are learnt in full: at usual width 640 pixels
of it."""
FEWEST_PHOTOS, ENOUGH_PHOTOS, MOST_PHOTOS = 8, 25, 48
"""Photographs of a folder: least number, number from which they are not memorised, and largest number, as a photograph
with its clips takes 45 MB on the device."""

UNUSABLE = (ImportError, OSError)
"""Exceptions of importing PyTorch if it is missing or broken: OSError on Windows for a missing DLL, such as Visual C++
Redistributable's."""
