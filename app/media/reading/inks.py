"""Pictures whose colours are amounts of ink (CMYK), as they are made for print. FFmpeg reads them without their
profile, and some (TIFF of 16 bits, of planes, with JPEG inside) as if they were something else: Pillow decodes them
here, and Little CMS brings them to sRGB."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from av.packet import Packet
from av.video.format import VideoFormat
from av.video.frame import VideoFrame

from framebrush.base.colour_profile import transform_to_srgb
from framebrush.base.text import first_line
from framebrush.media.reading.open import is_too_large
from framebrush.media.reading.profile import MAX_BYTES

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

_BITS, _PLANES = 258, 284
"""TIFF 6.0: BitsPerSample, PlanarConfiguration."""


class Inks:
    """Decodes one picture after the other.

    in_srgb: whether the last one was of inks, and so is R'G'B' of sRGB now. deep: whether it had more than 8 bits a
    channel. problem: why its profile does not count, if it does not.
    """

    def __init__(self, codec: str) -> None:
        """codec: FFmpeg's name of it, "mjpeg" or "tiff"."""
        self._codec = codec
        self.in_srgb = self.deep = False
        self.problem = ""

    def decode(self, packet: Packet[Any]) -> VideoFrame | None:
        """The picture of a packet that holds a whole file, upright; None where that is for FFmpeg: it is of no inks, or
        cannot be read."""
        self.in_srgb, self.problem = False, ""
        try:
            image = _opened(io.BytesIO(bytes(packet)), self._codec)
            if image is None:
                return None
            picture = self._in_srgb(image)
        except Exception as error:  # Pillow raises anything for what is damaged
            self.problem = f"its inks cannot be read ({first_line(error)}): they are taken as FFmpeg takes them"
            return None
        self.in_srgb = True
        frame = VideoFrame.from_ndarray(picture, "rgb24")
        frame.pts, frame.time_base = packet.pts, packet.time_base
        return frame

    def _in_srgb(self, image: ImageFile) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """(H, W, 3)."""
        from PIL import ImageCms, ImageOps

        tags = getattr(image, "tag_v2", {})
        self.deep = max(tags.get(_BITS, (8,))) > 8
        if self.deep and tags.get(_PLANES, 1) != 1:
            raise ValueError("Pillow takes planes of more than 8 bits for such of 8")
        profile = image.info.get("icc_profile") or b""
        image.load()
        ImageOps.exif_transpose(image, in_place=True)
        if not profile:
            self.problem = "its inks (CMYK) have no colour profile: they are taken for ideal ones"
            return np.array(image.convert("RGB"))
        try:
            if len(profile) > MAX_BYTES:
                raise ValueError(f"is larger than {MAX_BYTES >> 20} MiB")
            _, transform = transform_to_srgb(profile, {"CMYK": "CMYK"})
        except ValueError as error:
            self.problem = f"its colour profile {error}: its inks (CMYK) are taken for ideal ones"
            return np.array(image.convert("RGB"))
        return np.array(ImageCms.applyTransform(image, transform))


def inks_of(path: Path, codec: str, form: VideoFormat | None) -> Inks | None:
    """What decodes a picture, if it is of inks. codec, form: FFmpeg's name of it, and what FFmpeg would make of it."""
    if codec not in ("mjpeg", "tiff") or form is None or not (form.name == "rgb0" or len(form.components) == 4):
        return None
    try:
        with path.open("rb") as file:
            return None if _opened(file, codec) is None else Inks(codec)
    except Exception:  # as above; it is FFmpeg's then
        return None


def claimed_size(path: Path, codec: str) -> tuple[int, int] | None:
    """Return the width and height that the header of a PNG, JPEG, TIFF, BMP or GIF claims, None for other files.

    FFmpeg tells no size beyond the one that it can decode. codec: its name of the picture."""
    from PIL.BmpImagePlugin import BmpImageFile
    from PIL.GifImagePlugin import GifImageFile
    from PIL.JpegImagePlugin import JpegImageFile
    from PIL.PngImagePlugin import PngImageFile
    from PIL.TiffImagePlugin import TiffImageFile

    readers: dict[str, type[ImageFile]] = {
        "png": PngImageFile,
        "mjpeg": JpegImageFile,
        "tiff": TiffImageFile,
        "bmp": BmpImageFile,
        "gif": GifImageFile,
    }
    if codec not in readers:
        return None
    warnings.filterwarnings("ignore", module=r"PIL\.")
    try:
        with path.open("rb") as file:
            return readers[codec](file).size
    except Exception:  # Pillow raises anything for what is damaged
        return None


def _opened(file: IO[bytes], codec: str) -> ImageFile | None:
    """A picture whose samples are not read yet; None where it is of no inks. Raises whatever Pillow does."""
    from PIL.JpegImagePlugin import JpegImageFile  # no other reader of Pillow's ever sees a file
    from PIL.TiffImagePlugin import TiffImageFile

    warnings.filterwarnings("ignore", module=r"PIL\.")  # what is odd in a file is not for the terminal
    image: ImageFile = (JpegImageFile if codec == "mjpeg" else TiffImageFile)(file)
    if image.mode != "CMYK":
        return None
    if is_too_large(*image.size):
        raise ValueError(f"it claims {image.width}x{image.height}")
    return image
