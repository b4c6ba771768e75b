"""Conversion of ICC profiles to sRGB by Little CMS."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING

from framebrush.base.text import first_line

if TYPE_CHECKING:
    from PIL.ImageCms import ImageCmsTransform


def transform_to_srgb(profile: bytes, modes: Mapping[str, str]) -> tuple[str, ImageCmsTransform]:
    """Return a profile's channels and transform to sRGB. Raises ValueError.

    modes: Pillow's names.
    """
    from PIL import ImageCms  # only pictures need it

    try:
        own = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        channels = own.profile.xcolor_space.strip()
        if channels not in modes:
            raise ValueError(f"is for {channels or 'unknown'} channels, not for those of the picture")
        srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
        to_white, to_black = ImageCms.Intent.RELATIVE_COLORIMETRIC, ImageCms.Flags.BLACKPOINTCOMPENSATION
        return channels, ImageCms.buildTransform(own, srgb, modes[channels], "RGB", to_white, to_black)
    except (ImageCms.PyCMSError, OSError, TypeError) as error:
        raise ValueError(f"cannot be read ({first_line(error)})") from None
