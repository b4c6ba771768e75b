"""Colours of pictures as those of sRGB: by their ICC profile, or by the codes of their primaries."""

from __future__ import annotations

import io

import numpy as np

from framebrush.base.text import first_line
from framebrush.gpu import colour
from framebrush.gpu.frame import Primaries
from framebrush.models.colours import oklab
from framebrush.styles.to_rgb import Picture


def from_profile(picture: Picture, profile: bytes) -> Picture:
    """A picture (H, W, 3) uint8 whose colours a profile of R'G'B' or of greys defines, by tables or by a matrix, in
    sRGB. Raises ValueError where the profile is damaged, or is for other channels than these."""
    from PIL import Image, ImageCms  # here, not above: only pictures need it

    try:
        own = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        channels = own.profile.xcolor_space.strip()
        if channels == "GRAY" and (picture == picture[..., :1]).all():
            source = Image.fromarray(np.ascontiguousarray(picture[..., 0]))
        elif channels == "RGB":
            source = Image.fromarray(np.ascontiguousarray(picture))
        else:
            raise ValueError(f"is for {channels or 'unknown'} channels, not for those of the picture")
        srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
        to_white, to_black = ImageCms.Intent.RELATIVE_COLORIMETRIC, ImageCms.Flags.BLACKPOINTCOMPENSATION
        transform = ImageCms.buildTransform(own, srgb, source.mode, "RGB", to_white, to_black)
        return np.array(ImageCms.applyTransform(source, transform))
    except (ImageCms.PyCMSError, OSError, TypeError) as error:
        raise ValueError(f"cannot be read ({first_line(error)})") from None


def from_primaries(picture: Picture, primaries: Primaries) -> Picture:
    """A picture (H, W, 3) uint8 with the curve of sRGB and these primaries, in sRGB."""
    linear = oklab.to_light(picture.astype(np.float32) / np.float32(255))
    light = linear @ colour.gamut_matrix(primaries, Primaries.BT709).T.astype(np.float32)
    return np.rint(oklab.from_light(np.clip(light, 0.0, 1.0)) * 255).astype(np.uint8)
