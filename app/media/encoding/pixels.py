"""Pixel formats of results."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Literal

from framebrush.gpu.frame import FrameFormat, Matrix, PlaneOrder
from framebrush.media.ffmpeg_planes import SUBSAMPLING, Packing, packing

AUTO, SOURCE = "auto", "source"
"""Placeholders of a pixel format: suited to codec and source, and closest to the source."""

Hdr = Literal["keep", "sdr"]
"""Treatment of HDR: PQ or HLG again, or SDR. SDR stays SDR."""

LEAST_HDR_BITS = 10
"""Least bits of HDR (BT.2100)."""

_CHROMA = ("420", "422", "444")  # of results
CHROMA = {subsample: ":".join(digits) for digits, subsample in SUBSAMPLING.items()}
"""Notation of subsampling."""

_BITS = (8, 10, 12, 16)
OPAQUE_FORMATS = tuple(
    f"{kind}{'' if bits == 8 else f'{bits}le'}"
    for bits in _BITS
    for kind in (*(f"yuv{digits}p" for digits in _CHROMA), "gbrp")
)
ALPHA_FORMATS = tuple(
    f"{kind}{'' if bits == 8 else f'{bits}le'}"
    for bits in _BITS
    for kind in (*(f"yuva{digits}p" for digits in _CHROMA), "gbrap")
    if (kind, bits) != ("yuva420p", 12)  # FFmpeg has no such format
)
GREY_FORMATS = ("gray", "gray10le", "gray12le", "gray16le")
FLOAT_FORMATS = ("gbrpf16le", "gbrpf32le", "gbrapf16le", "gbrapf32le")
PIXEL_FORMATS = OPAQUE_FORMATS + ALPHA_FORMATS + GREY_FORMATS + FLOAT_FORMATS
"""All formats that are written, as planar names; other layouts are up to the encoder."""

PALETTE = "pal8"
"""Pictures with 256 chosen colours."""

PACKED_RGB = ("bgr0", "bgra")
"""FFV1's formats for R'G'B' of 8 bits, converted while encoding."""

_OTHER_LAYOUTS = {
    "nv12": "yuv420p",
    "p010le": "yuv420p10le",
    "rgb24": "gbrp",
    "rgb48le": "gbrp16le",
    "rgb48be": "gbrp16le",
    "rgba": "gbrap",
    "rgba64le": "gbrap16le",
    "rgba64be": "gbrap16le",
    "yuvj420p": "yuv420p",
    "yuvj444p": "yuv444p",
    PALETTE: "gbrp",
    **dict(zip(PACKED_RGB, ("gbrp", "gbrap"), strict=True)),
}


def planar(name: str) -> str:
    """Return an encoder format's name in PIXEL_FORMATS."""
    return _OTHER_LAYOUTS.get(name, name)


def name_of(frames: FrameFormat) -> str:
    """Return frames' format in PIXEL_FORMATS."""
    alpha = "a" if frames.alpha else ""
    if frames.floating:
        return f"gbr{alpha}pf{frames.bits}le"
    if frames.layout is PlaneOrder.GREY:
        return "gray" if frames.bits == 8 else f"gray{frames.bits}le"
    chroma = CHROMA[frames.subsample].replace(":", "")
    kind = f"gbr{alpha}p" if frames.layout is PlaneOrder.GBR else f"yuv{alpha}{chroma}p"
    return kind if frames.bits == 8 else f"{kind}{frames.bits}le"


def parsed(text: str) -> str:
    """Parse `--pix-fmt`. Raises ValueError."""
    name = text.lower()
    for known in (planar(f"{name}le"), planar(name)):
        if known in (AUTO, SOURCE, *PIXEL_FORMATS):
            return known
    close = difflib.get_close_matches(name, PIXEL_FORMATS, n=2)
    hint = f"did you mean {' or '.join(close)}? " if close else ""
    raise ValueError(
        f"unknown pixel format {text!r}; {hint}one is {AUTO}, {SOURCE}, or one of {', '.join(OPAQUE_FORMATS[:4])}, "
        "with 10le, 12le or 16le after it for more bits, f16le or f32le after gbrp for floats, yuva or gbrap for "
        "alpha, and gray without colours"
    )


def packing_of(name: str) -> Packing:
    """Return an encoder format's memory layout. Raises ValueError."""
    kind = packing(name)
    if kind is None:
        raise ValueError(f"no frame becomes {name}")
    return kind


TO_WATCH_8_BITS = "yuv420p"


def to_watch(source: FrameFormat) -> str:
    """Return the format for all players, 4:2:0."""
    return TO_WATCH_8_BITS if source.bits == 8 else "yuv420p10le"


def closest(source: FrameFormat, names: Iterable[str], *, painted: bool = True) -> str:
    """Return a source's closest format; painted grey counts as 4:2:0."""

    def order(name: str) -> tuple[Cost, int, int]:
        return cost(source, name, painted=painted), -sum(packing_of(name).subsample), packing_of(name).bits

    return min(names, key=order)


Cost = tuple[bool, bool, int, int, bool, bool]


def cost(source: FrameFormat, name: str, *, painted: bool = True) -> Cost:
    """Return a format's cost: alpha, colours, chroma, bits, number type."""
    grey = source.layout is PlaneOrder.GREY
    across, down = (1, 1) if grey else source.subsample
    kind = packing_of(name)
    lost = max(0, kind.subsample[0] - across) + max(0, kind.subsample[1] - down)
    colourless = kind.layout is PlaneOrder.GREY
    kinds = source.matrix is Matrix.RGB, source.floating, grey and not painted
    differs = kinds != (kind.layout is PlaneOrder.GBR, kind.floating, colourless)
    missing, needless = source.alpha and not kind.alpha, kind.alpha and not source.alpha
    bare = colourless and (painted or not grey)
    lost = 0 if colourless else lost
    return missing, bare, lost, max(0, _exact_bits(source) - _exact_bits(kind)), differs, needless


def _exact_bits(form: FrameFormat | Packing) -> int:
    return {16: 11, 32: 24}[form.bits] if form.floating else form.bits
