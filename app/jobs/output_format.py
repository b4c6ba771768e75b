"""Frame formats for encoders."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from framebrush.gpu.frame import FrameFormat, Matrix, PlaneOrder, Siting, Transfer, gbrp, nv12
from framebrush.gpu.sizes import Size, Sizes
from framebrush.media.containers import Container
from framebrush.media.encoding.encoders import keeps_full_range, keeps_matrix, pixel_format_for
from framebrush.media.encoding.pixels import Hdr, packing_of, to_watch
from framebrush.media.writing.output_plan import OutputOptions

COMMON_MATRICES = (Matrix.BT601, Matrix.BT709, Matrix.BT2020)
"""Matrices that every player supports."""

SHAPE_TOLERANCE = 0.01
"""Relative shape difference below which a target keeps the source's sample aspect ratio."""


def output_frames(
    output: OutputOptions, container: Container, picture: FrameFormat, size: Size | None, *, painted: bool = True
) -> tuple[str, FrameFormat]:
    """Return an encoder's pixel format and frame format. Raises OutputError.

    picture: decoded format. painted: grey sources get colours.
    """
    pix_fmt = pixel_format_for(output.pix_fmt, output.codec, container, picture, output.hdr, painted=painted)
    ranged = keeps_full_range(output.codec, container, pix_fmt)
    own = keeps_matrix(output.codec, container, pix_fmt)
    frames = video_target(picture, pix_fmt, size, output.hdr, full_range=ranged, own_matrix=own)
    if container.jfif_range:
        frames = of_still(frames, full_range=container.jfif_range == "full")
    return pix_fmt, frames


def video_target(
    source: FrameFormat,
    pix_fmt: str | None = None,
    size: Size | None = None,
    hdr: Hdr = "sdr",
    *,
    full_range: bool = False,
    own_matrix: bool = True,
) -> FrameFormat:
    """Return an encoder's input format.

    The matrix is the source's if common, else BT.709 or, for HDR, BT.2020.

    pix_fmt: of PIXEL_FORMATS. full_range: keep the source's. own_matrix: other matrices can be declared.
    """
    kind = packing_of(pix_fmt or to_watch(source))
    keeps_hdr = hdr == "keep" and source.transfer is not Transfer.SDR
    keeps_gamut = keeps_hdr or source.transfer is Transfer.SDR
    usual = Matrix.BT2020 if keeps_hdr else Matrix.BT709
    own = keeps_gamut and own_matrix and source.matrix in COMMON_MATRICES
    matrix = source.matrix if own else usual
    width, height = size or source.size
    is_video = kind.layout is not PlaneOrder.GBR
    if not is_video:
        target = replace(gbrp(width, height, bits=kind.bits, floating=kind.floating), alpha=kind.alpha)
    elif kind.subsample == (1, 1) and kind.bits in (8, 10) and not kind.alpha:
        target = nv12(width, height, bits=kind.bits, matrix=matrix)
    else:
        planar = FrameFormat(width, height, kind.layout, kind.bits, subsample=kind.subsample, matrix=matrix)
        target = replace(planar, alpha=kind.alpha)
    if not keeps_gamut:
        return target
    target = replace(target, primaries=source.primaries, siting=source.siting)
    if own and full_range and is_video:
        target = replace(target, full_range=source.full_range)
    if not keeps_hdr:
        return target
    halved = target.subsample == (1, 1) != source.subsample
    siting = Siting.TOP_LEFT if halved and matrix is Matrix.BT2020 else source.siting
    return replace(target, transfer=source.transfer, peak_nits=source.peak_nits, siting=siting)


def of_still(frames: FrameFormat, *, full_range: bool) -> FrameFormat:
    """Return JPEG's (full range) or WebP's format, in BT.601."""
    if frames.floating:
        return frames
    planar = replace(frames, layout=PlaneOrder.PLANAR, shift=0, matrix=Matrix.BT601, full_range=full_range)
    return replace(planar, siting=Siting.CENTRE)


def target_aspect(sample_aspect: Fraction, sizes: Sizes) -> Fraction:
    """Return the sample aspect that keeps the shape at the target size."""
    (source_width, source_height), (width, height) = sizes.source, sizes.target
    change = Fraction(source_width * height, source_height * width)
    return sample_aspect if abs(change - 1) < SHAPE_TOLERANCE else sample_aspect * change
