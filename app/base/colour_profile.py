"""What an ICC profile says, in sRGB, by Little CMS, which Pillow brings along."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING

from framebrush.base.text import first_line

if TYPE_CHECKING:
    from PIL.ImageCms import ImageCmsTransform


def transform_to_srgb(profile: bytes, modes: Mapping[str, str]) -> tuple[str, ImageCmsTransform]:
    """The channels of a profile, and the transform of Little CMS from them to sRGB.

    modes: Pillow's name of the pictures, for each kind of channels that they may have. Raises ValueError where the
    profile is damaged, or is for others.
    """
    from PIL import ImageCms  # here, not above: only pictures need it

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
