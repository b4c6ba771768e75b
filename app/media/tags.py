"""What the colour codes of a file mean, with the guesses for codes that are missing.

The guesses are those of mpv and libplacebo for untagged video. Codes: ITU-T H.273, as FFmpeg numbers them.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from av.sidedata.sidedata import Type
from av.video.frame import VideoFrame

from framebrush.gpu.frame import Matrix, Primaries, Siting, Transfer
from framebrush.media.video import ColourTags

UNSPECIFIED = 2
FULL_RANGE = 2  # AVCOL_RANGE_JPEG; 1 is limited, 0 unspecified
PQ, HLG = 16, 18
MATRICES = {1: Matrix.BT709, 4: Matrix.BT601, 5: Matrix.BT601, 6: Matrix.BT601, 7: Matrix.BT709} | {
    9: Matrix.BT2020,
    10: Matrix.BT2020,
}  # 4 (FCC) and 7 (SMPTE 240M) are nearest to 601 and 709; 10 is constant luminance, treated as 9
PRIMARIES = {
    1: Primaries.BT709,
    5: Primaries.BT601_625,
    6: Primaries.BT601_525,
    7: Primaries.BT601_525,
    9: Primaries.BT2020,
    11: Primaries.DISPLAY_P3,  # DCI-P3 has the same colours around another white
    12: Primaries.DISPLAY_P3,
    22: Primaries.BT601_625,  # EBU 3213 is their origin
}
CENTRED_CODECS = {"mjpeg", "mpeg1video", "webp"}  # JFIF and MPEG-1 put chroma in the middle of its four luma samples


@dataclass(frozen=True, slots=True)
class Colour:
    """Resolved colour of a frame, in the terms of `gpu.frame.FrameFormat`."""

    matrix: Matrix
    full_range: bool
    transfer: Transfer
    primaries: Primaries
    siting: Siting
    peak_nits: float


def tags_of(frame: VideoFrame) -> ColourTags:
    """The codes as the frame has them."""
    return ColourTags(frame.color_primaries, frame.color_trc, frame.colorspace)


def resolve(frame: VideoFrame, subsample: tuple[int, int], rgb: bool, codec: str) -> Colour:
    """The colour of a frame, missing codes guessed.

    subsample: log2 of the chroma subsampling. rgb: the samples are R'G'B', so that there is no matrix. codec: FFmpeg's
    name of it, which tells where chroma sits in codecs of the JPEG family. FFmpeg knows the chroma location of a
    frame, but PyAV does not pass it on: left is assumed, and top-left for 4:2:0 of BT.2020 (H.265 D.3.3, BT.2100).
    """
    tags = tags_of(frame)
    transfer = {PQ: Transfer.PQ, HLG: Transfer.HLG}.get(tags.transfer, Transfer.SDR)
    wide = transfer is not Transfer.SDR or tags.primaries == 9
    matrix = Matrix.RGB if rgb else MATRICES.get(tags.matrix) or _guess_matrix(frame, wide)
    primaries = PRIMARIES.get(tags.primaries) or _guess_primaries(frame, matrix, wide)
    full_range = frame.color_range == FULL_RANGE or frame.format.name.startswith("yuvj")
    if frame.color_range == 0 and rgb:
        full_range = True
    siting = Siting.LEFT
    if codec in CENTRED_CODECS:
        siting = Siting.CENTRE
    elif subsample == (1, 1) and (matrix is Matrix.BT2020 or primaries is Primaries.BT2020):
        siting = Siting.TOP_LEFT
    peak_nits = _peak_nits(frame) if transfer is Transfer.PQ else 1000.0
    return Colour(matrix, full_range, transfer, primaries, siting, peak_nits)


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
    """MaxCLL, else the peak of the mastering display, else 1000 cd/m2.

    The layouts are libavutil's AVContentLightMetadata (MaxCLL and MaxFALL as unsigned int) and
    AVMasteringDisplayMetadata (ten AVRational, of which the last two are the least and the greatest luminance, then
    two flags: has_primaries, has_luminance).
    """
    peak = 0.0
    side = frame.side_data
    if (light := side.get(Type.CONTENT_LIGHT_LEVEL)) is not None:  # type: ignore[call-overload]
        peak = float(struct.unpack_from("=I", bytes(light))[0])
    if peak == 0 and (display := side.get(Type.MASTERING_DISPLAY_METADATA)) is not None:  # type: ignore[call-overload]
        numerator, denominator, _, has_luminance = struct.unpack_from("=iiii", bytes(display), 9 * 8)
        if has_luminance and denominator > 0:
            peak = numerator / denominator
    return min(max(peak, 100.0), 10000.0) if peak > 0 else 1000.0
