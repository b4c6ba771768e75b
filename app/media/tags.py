"""Colour codes (ITU-T H.273), and mpv's and libplacebo's guesses."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from av.video.frame import VideoFrame

from framebrush.gpu.frame import FrameFormat, Matrix, PlaneOrder, Primaries, Siting, Transfer
from framebrush.media.side_data import side_data
from framebrush.media.video import ColourTags, LightLevel, MasteringDisplay

UNSPECIFIED = 2
LIMITED_RANGE, FULL_RANGE = 1, 2  # AVCOL_RANGE_MPEG and AVCOL_RANGE_JPEG; 0 is unspecified
LINEAR, PQ, HLG = 8, 16, 18
SRGB = ColourTags(primaries=1, transfer=13, matrix=0)
NOTHING_SAID = {0, UNSPECIFIED, 3}  # 0 and 3 are reserved, but for the matrix 0
IDENTITY = 0  # the matrix of R'G'B'
MATRICES = {
    1: Matrix.BT709,
    4: Matrix.FCC,
    5: Matrix.BT601,
    6: Matrix.BT601,
    7: Matrix.SMPTE240M,
    8: Matrix.YCGCO,
    9: Matrix.BT2020,
    12: Matrix.CHROMA_DERIVED,
}
UNCONVERTED = {
    10: "BT.2020 of constant luminance",
    11: "Y'D'zD'x",
    13: "chroma-derived of constant luminance",
    14: "ICtCp",
    15: "IPT-C2",
    16: "YCgCo-Re",
    17: "YCgCo-Ro",
}
PRIMARIES = {
    1: Primaries.BT709,
    5: Primaries.BT601_625,
    6: Primaries.BT601_525,
    7: Primaries.BT601_525,
    9: Primaries.BT2020,
    11: Primaries.DISPLAY_P3,  # DCI-P3 differs in white only
    12: Primaries.DISPLAY_P3,
    22: Primaries.BT601_625,  # based on EBU 3213
}
DERIVABLE = {1, 5, 6, 7, 9, 12}
"""Primaries codes whose coordinates are in `PRIMARIES`, for derived matrices."""
FULL_RANGE_CODECS = {
    *("alias_pix", "dds", "fits", "jpeg2000", "jpegls", "mjpeg", "pam", "pgm", "psd", "sgi", "sunrast", "targa", "tiff")
}
"""Codecs of single pictures, with full-range grey that FFmpeg does not tag."""
CENTRED_CODECS = {"mjpeg", "mpeg1video", "webp"}  # JFIF and MPEG-1 place chroma in the middle of four luma samples


@dataclass(frozen=True, slots=True)
class Colour:
    """Resolved colour of a frame, in terms of `FrameFormat`."""

    matrix: Matrix
    full_range: bool
    transfer: Transfer
    primaries: Primaries
    siting: Siting
    peak_nits: float


def tags_of(frame: VideoFrame) -> ColourTags:
    """Return a frame's colour codes."""
    return ColourTags(frame.color_primaries, frame.color_trc, frame.colorspace)


def resolve(frame: VideoFrame, layout: PlaneOrder, subsample: tuple[int, int], codec: str) -> Colour:
    """Resolve a frame's colour, guessing missing codes. Raises ValueError.

    Siting defaults to left, or top-left for BT.2020 in 4:2:0 (H.265 D.3.3).

    subsample: log2. codec: for JPEG's siting and grey's range.
    """
    tags = tags_of(frame)
    rgb = layout in (PlaneOrder.GBR, PlaneOrder.RGBA)
    transfer = {PQ: Transfer.PQ, HLG: Transfer.HLG}.get(tags.transfer, Transfer.SDR)
    wide = transfer is not Transfer.SDR or tags.primaries == 9
    matrix = Matrix.RGB if rgb else _matrix(frame, tags, wide)
    primaries = PRIMARIES.get(tags.primaries)
    underived = matrix is Matrix.CHROMA_DERIVED and tags.primaries not in DERIVABLE
    if underived or (primaries is None and transfer is not Transfer.SDR and tags.primaries not in NOTHING_SAID):
        raise ValueError(f"its colours have primaries with code {tags.primaries}, which are not converted here")
    full_range = frame.color_range == FULL_RANGE or frame.format.name.startswith("yuvj")
    if frame.color_range == 0 and (rgb or (layout is PlaneOrder.GREY and codec in FULL_RANGE_CODECS)):
        full_range = True
    primaries = primaries or _guess_primaries(frame, matrix, wide)
    siting = Siting.LEFT
    if codec in CENTRED_CODECS:
        siting = Siting.CENTRE
    elif subsample == (1, 1) and (matrix is Matrix.BT2020 or primaries is Primaries.BT2020):
        siting = Siting.TOP_LEFT
    peak_nits = _peak_nits(frame) if transfer is Transfer.PQ else 1000.0
    return Colour(matrix, full_range, transfer, primaries, siting, peak_nits)


def doubts(tags: ColourTags, picture: FrameFormat) -> list[str]:
    """Return a sentence per contradictory tag."""
    if tags.matrix != IDENTITY or picture.layout not in (PlaneOrder.PLANAR, PlaneOrder.SEMI_PLANAR):
        return []
    return [f"colours: tagged as R'G'B', which the samples are not: read as {picture.matrix.name}"]


def is_dolby_vision_only(frame: VideoFrame) -> bool:
    """Return whether only Dolby Vision decoders know the colours."""
    data = side_data(frame, "DOVI_METADATA")
    if data is None:
        return False
    (header,) = struct.unpack_from("@N", data)
    profile, full_range = struct.unpack_from("4xB5xB", data, header)
    return bool(profile == 0 and full_range)


def has_dolby_vision(frame: VideoFrame) -> bool:
    """Return whether a frame has Dolby Vision data."""
    return any(side_data(frame, name) is not None for name in ("DOVI_METADATA", "DOVI_RPU_BUFFER"))


def _matrix(frame: VideoFrame, tags: ColourTags, wide: bool) -> Matrix:
    known = MATRICES.get(tags.matrix)
    if known is not None:
        return known
    if tags.matrix not in NOTHING_SAID:
        name = UNCONVERTED.get(tags.matrix, f"a matrix with code {tags.matrix}")
        raise ValueError(f"its colours are coded as {name}, which is not converted here")
    return _guess_matrix(frame, wide)


def _guess_matrix(frame: VideoFrame, wide: bool) -> Matrix:
    if wide:
        return Matrix.BT2020
    return Matrix.BT709 if frame.width >= 1280 or frame.height > 576 else Matrix.BT601


def _guess_primaries(frame: VideoFrame, matrix: Matrix, wide: bool) -> Primaries:
    if wide or matrix is Matrix.BT2020:
        return Primaries.BT2020
    if matrix is Matrix.BT601:
        if frame.height == 576:
            return Primaries.BT601_625
        if frame.height in (480, 486, 488):
            return Primaries.BT601_525
    return Primaries.BT709


def _peak_nits(frame: VideoFrame) -> float:
    light, display = light_of(frame), _mastering_values(frame)
    return peak_of(light.most if light else 0.0, display[9] if display else 0.0)


def light_of(frame: VideoFrame) -> LightLevel | None:
    """Return a frame's light level (AVContentLightMetadata)."""
    data = side_data(frame, "CONTENT_LIGHT_LEVEL")
    return None if data is None else LightLevel(*struct.unpack_from("=II", data))


def mastering_of(frame: VideoFrame) -> MasteringDisplay | None:
    """Return a frame's mastering display, if complete."""
    values = _mastering_values(frame)
    if values is None or not all(values[:8]) or not values[9]:
        return None
    red, green, blue, white = ((values[i], values[i + 1]) for i in range(0, 8, 2))
    return MasteringDisplay(red, green, blue, white, values[8], values[9])


def _mastering_values(frame: VideoFrame) -> list[float] | None:
    """Return x, y of red, green, blue, white; least, greatest luminance."""
    data = side_data(frame, "MASTERING_DISPLAY_METADATA")
    if data is None:
        return None
    *parts, has_primaries, has_luminance = struct.unpack_from("=22i", data)
    ratios = [parts[i] / parts[i + 1] if parts[i] > 0 and parts[i + 1] > 0 else 0.0 for i in range(0, 20, 2)]
    return [*(ratios[:8] if has_primaries else [0.0] * 8), *(ratios[8:] if has_luminance else [0.0] * 2)]


def peak_of(light_nits: float, display_nits: float) -> float:
    """Return HDR's peak in cd/m2: MaxCLL, else the display's, else 1000."""
    peak = light_nits or display_nits
    return min(max(peak, 100.0), 10000.0) if peak > 0 else 1000.0
