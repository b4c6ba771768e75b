"""Conversion of pictures to sRGB."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from framebrush.base.colour_profile import transform_to_srgb

Rgb = npt.NDArray[np.uint8]

ALIKE_CODES = 2
"""Maximum code difference between profiles of sRGB."""

_CUBE = np.stack(np.meshgrid(*[np.array([0, 64, 128, 192, 255], np.uint8)] * 3, indexing="ij"), -1).reshape(1, -1, 3)
_GREYS = _CUBE[..., :1]


class ToSrgb:
    """Converter from an ICC profile to sRGB."""

    def __init__(self, profile: bytes) -> None:
        """Parse a profile. Raises ValueError."""
        from PIL import Image, ImageCms  # imported here because only pictures need it

        self._to_image, self._apply = Image.fromarray, ImageCms.applyTransform
        channels, self._transform = transform_to_srgb(profile, {"RGB": "RGB", "GRAY": "L"})
        self.of_greys = channels == "GRAY"
        self.changes = int(np.abs(self(_CUBE).astype(int) - (_GREYS if self.of_greys else _CUBE)).max()) > ALIKE_CODES

    def __call__(self, picture: Rgb) -> Rgb:
        """Convert (H, W, 3) uint8; grey is the first channel."""
        given = self._to_image(np.ascontiguousarray(picture[..., 0] if self.of_greys else picture))
        return np.array(self._apply(given, self._transform))
