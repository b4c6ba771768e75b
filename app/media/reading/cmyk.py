"""CMYK pictures, by Pillow, as FFmpeg ignores their profiles."""

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
    """Decoder of CMYK pictures.

    in_srgb: the last picture was CMYK. deep: above 8 bits. problem: why its profile was ignored.
    """

    def __init__(self, codec: str) -> None:
        self._codec = codec
        self.in_srgb = self.deep = False
        self.problem = ""

    def decode(self, packet: Packet[Any]) -> VideoFrame | None:
        """Decode a file, upright; None if FFmpeg should."""
        self.in_srgb, self.problem = False, ""
        try:
            image = _opened(io.BytesIO(bytes(packet)), self._codec)
            if image is None:
                return None
            picture = self._in_srgb(image)
        except Exception as error:  # Pillow raises any exception for damaged files
            self.problem = f"its inks cannot be read ({first_line(error)}): FFmpeg's conversion is used"
            return None
        self.in_srgb = True
        frame = VideoFrame.from_ndarray(picture, "rgb24")
        frame.pts, frame.time_base = packet.pts, packet.time_base
        return frame

    def _in_srgb(self, image: ImageFile) -> np.ndarray[Any, np.dtype[np.uint8]]:
        from PIL import ImageCms, ImageOps

        tags = getattr(image, "tag_v2", {})
        self.deep = max(tags.get(_BITS, (8,))) > 8
        if self.deep and tags.get(_PLANES, 1) != 1:
            raise ValueError("Pillow takes planes of more than 8 bits for such of 8")
        profile = image.info.get("icc_profile") or b""
        image.load()
        ImageOps.exif_transpose(image, in_place=True)
        if not profile:
            self.problem = "its inks (CMYK) have no colour profile: ideal ones are assumed"
            return np.array(image.convert("RGB"))
        try:
            if len(profile) > MAX_BYTES:
                raise ValueError(f"is larger than {MAX_BYTES >> 20} MiB")
            _, transform = transform_to_srgb(profile, {"CMYK": "CMYK"})
        except ValueError as error:
            self.problem = f"its colour profile {error}: ideal inks (CMYK) are assumed"
            return np.array(image.convert("RGB"))
        return np.array(ImageCms.applyTransform(image, transform))


def inks_of(path: Path, codec: str, form: VideoFormat | None) -> Inks | None:
    """Return a CMYK picture's decoder, if needed."""
    if codec not in ("mjpeg", "tiff") or form is None or not (form.name == "rgb0" or len(form.components) == 4):
        return None
    try:
        with path.open("rb") as file:
            return None if _opened(file, codec) is None else Inks(codec)
    except Exception:  # as above; FFmpeg decodes it
        return None


def claimed_size(path: Path, codec: str) -> tuple[int, int] | None:
    """Return (width, height) in a picture's header, if known."""
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
    except Exception:  # Pillow raises any exception for damaged files
        return None


def _opened(file: IO[bytes], codec: str) -> ImageFile | None:
    from PIL.JpegImagePlugin import JpegImageFile  # restricts files to these readers of Pillow
    from PIL.TiffImagePlugin import TiffImageFile

    warnings.filterwarnings("ignore", module=r"PIL\.")  # keep oddities of files off the terminal
    image: ImageFile = (JpegImageFile if codec == "mjpeg" else TiffImageFile)(file)
    if image.mode != "CMYK":
        return None
    if is_too_large(*image.size):
        raise ValueError(f"it claims {image.width}x{image.height}")
    return image
