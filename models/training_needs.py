"""What a style can be learnt from: numbers of the trainer, the command line and the window. Needs no PyTorch."""

from __future__ import annotations

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")
SMALLEST_PAINTING_PX, GOOD_PAINTING_PX = 256, 600
"""Of the shorter side of a painting's picture: a smaller one is refused; from the second value on its strokes are
learnt in full, which at the usual width takes 640 pixels of it."""
FEWEST_PHOTOS, ENOUGH_PHOTOS, MOST_PHOTOS = 8, 25, 48
"""Of a folder: fewer are refused; from the second on they are not learnt by heart; so many are learnt on at most, since
a photograph with its clips takes 45 MB of the training device."""

UNUSABLE = (ImportError, OSError)
"""What an import of PyTorch raises where it is missing or cannot be loaded: OSError on Windows where a DLL is missing,
such as one of Microsoft's Visual C++ Redistributable."""
