"""Frames, formats, sizes and looks for tests of every kernel."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from framebrush.gpu import colour
from framebrush.gpu.frame import (
    Frame,
    FrameFormat,
    Matrix,
    Plane,
    PlaneOrder,
    Primaries,
    Siting,
    Transfer,
    bgra8,
    gbrp,
    nv12,
    rgba8,
    yuv420p,
)
from framebrush.gpu.look import Look, ToneCurve
from framebrush.gpu.stages import planes_to_tensor
from framebrush.models.brushes import MAP_SIDE, MARK_COLUMNS, MARK_ROWS, Maps
from framebrush.models.soft_masks import MASK_SIDE, Masks

HDR10: dict[str, Any] = {"matrix": Matrix.BT2020, "primaries": Primaries.BT2020, "siting": Siting.TOP_LEFT}

FORMATS = {
    "yuv420p": FrameFormat(64, 48, PlaneOrder.PLANAR, subsample=(1, 1)),
    "yuv420p odd": FrameFormat(61, 47, PlaneOrder.PLANAR, subsample=(1, 1)),
    "yuv420p one pixel": FrameFormat(1, 1, PlaneOrder.PLANAR, subsample=(1, 1)),
    "yuv420p several blocks": FrameFormat(1283, 113, PlaneOrder.PLANAR, subsample=(1, 1)),
    "yuvj420p centre bt601": FrameFormat(
        64, 48, PlaneOrder.PLANAR, subsample=(1, 1), matrix=Matrix.BT601, full_range=True, siting=Siting.CENTRE
    ),
    "yuv420p top-left": FrameFormat(62, 46, PlaneOrder.PLANAR, subsample=(1, 1), siting=Siting.TOP_LEFT),
    "yuv420p top": FrameFormat(62, 46, PlaneOrder.PLANAR, subsample=(1, 1), siting=Siting.TOP),
    "yuv420p bottom-left": FrameFormat(63, 45, PlaneOrder.PLANAR, subsample=(1, 1), siting=Siting.BOTTOM_LEFT),
    "yuv420p bottom": FrameFormat(63, 45, PlaneOrder.PLANAR, subsample=(1, 1), siting=Siting.BOTTOM),
    "yuv422p": FrameFormat(63, 48, PlaneOrder.PLANAR, subsample=(1, 0)),
    "yuv440p": FrameFormat(64, 47, PlaneOrder.PLANAR, subsample=(0, 1)),
    "yuv444p": FrameFormat(64, 48, PlaneOrder.PLANAR),
    "yuv411p": FrameFormat(66, 48, PlaneOrder.PLANAR, subsample=(2, 0)),
    "yuv410p centre": FrameFormat(67, 45, PlaneOrder.PLANAR, subsample=(2, 2), siting=Siting.CENTRE),
    "yuv422p10": FrameFormat(64, 48, PlaneOrder.PLANAR, 10, subsample=(1, 0)),
    "yuv420p12 bt2020": FrameFormat(64, 48, PlaneOrder.PLANAR, 12, subsample=(1, 1), matrix=Matrix.BT2020),
    "yuv420p ycgco": FrameFormat(64, 48, PlaneOrder.PLANAR, subsample=(1, 1), matrix=Matrix.YCGCO),
    "yuv444p ycgco full": FrameFormat(61, 47, PlaneOrder.PLANAR, matrix=Matrix.YCGCO, full_range=True),
    "yuv420p derived": FrameFormat(
        64, 48, PlaneOrder.PLANAR, subsample=(1, 1), matrix=Matrix.CHROMA_DERIVED, primaries=Primaries.DISPLAY_P3
    ),
    "yuv444p16 full": FrameFormat(64, 48, PlaneOrder.PLANAR, 16, full_range=True),
    "nv12": nv12(64, 48),
    "nv12 odd": nv12(61, 47),
    "nv16": FrameFormat(64, 48, PlaneOrder.SEMI_PLANAR, subsample=(1, 0)),
    "nv24": FrameFormat(64, 48, PlaneOrder.SEMI_PLANAR),
    "p010": nv12(64, 48, bits=10),
    "p012 full": FrameFormat(64, 48, PlaneOrder.SEMI_PLANAR, 12, shift=4, subsample=(1, 1), full_range=True),
    "p016": FrameFormat(64, 48, PlaneOrder.SEMI_PLANAR, 16, subsample=(1, 1)),
    "grey": FrameFormat(61, 48, PlaneOrder.GREY),
    "grey10 full": FrameFormat(64, 47, PlaneOrder.GREY, 10, full_range=True),
    "gbrp": FrameFormat(61, 47, PlaneOrder.GBR, matrix=Matrix.RGB, full_range=True),
    "gbrp10 limited": FrameFormat(64, 48, PlaneOrder.GBR, 10, matrix=Matrix.RGB),
    "rgba": rgba8(61, 47),
    "bgra": bgra8(61, 47),
    "rgba64": FrameFormat(64, 48, PlaneOrder.RGBA, 16, matrix=Matrix.RGB, full_range=True),
    "gbrpf32": gbrp(61, 47, bits=32, floating=True),
    "gbrpf16": gbrp(64, 48, bits=16, floating=True),
    "hdr10": FrameFormat(64, 48, PlaneOrder.SEMI_PLANAR, 10, shift=6, subsample=(1, 1), transfer=Transfer.PQ, **HDR10),
    "pq 4000 nits": FrameFormat(
        61, 47, PlaneOrder.PLANAR, 10, subsample=(1, 1), transfer=Transfer.PQ, peak_nits=4000.0, **HDR10
    ),
    "pq no more than white": FrameFormat(
        64, 48, PlaneOrder.PLANAR, 10, subsample=(1, 1), transfer=Transfer.PQ, peak_nits=100.0, **HDR10
    ),
    "pq display p3 rgb": FrameFormat(
        64,
        48,
        PlaneOrder.GBR,
        12,
        matrix=Matrix.RGB,
        full_range=True,
        transfer=Transfer.PQ,
        primaries=Primaries.DISPLAY_P3,
    ),
    "pq floats": replace(
        gbrp(61, 47, bits=32, floating=True), transfer=Transfer.PQ, primaries=Primaries.BT2020, peak_nits=4000.0
    ),
    "hlg": FrameFormat(64, 48, PlaneOrder.PLANAR, 10, subsample=(1, 1), transfer=Transfer.HLG, **HDR10),
    "hlg 8 bits odd": FrameFormat(61, 47, PlaneOrder.PLANAR, subsample=(1, 1), transfer=Transfer.HLG, **HDR10),
}
"""Every layout, depth, subsampling, siting, matrix, range and transfer at least once."""

SDR = [name for name, picture in FORMATS.items() if picture.transfer is Transfer.SDR]
HDR = [name for name, picture in FORMATS.items() if picture.transfer is not Transfer.SDR]

KEPT = ["hdr10", "pq 4000 nits", "pq no more than white", "pq display p3 rgb", "pq floats", "hlg"]
"""Formats that are painted as HDR."""

W, H = 62, 38
WORKING = [(20, 13), (31, 38), (62, 19), (100, 57), (62, 60), (1, 1)]
"""Working sizes for a frame of about 62x38."""

LOOKS = [
    Look(dither=False),
    Look(),
    Look(strength=0.4),
    Look(strength=0.0, dither=False),
    Look(keep_colours=True),
    Look(keep_colours=True, strength=0.7, split=0.3),
    Look(exposure_ev=1.3),
    Look(exposure_ev=-2.0, tone_curve=ToneCurve.REINHARD),
    Look(exposure_ev=2.0, tone_curve=ToneCurve.REINHARD),
    Look(exposure_ev=1.0, tone_curve=ToneCurve.HABLE),
    Look(tone_curve=ToneCurve.HABLE),
    Look(saturation=0.0, dither=False),
    Look(saturation=1.6, strength=0.7, keep_colours=True, exposure_ev=0.5),
    Look(split=0.5),
    Look(split=1.0, exposure_ev=1.0),
    Look(detail=1.0, dither=False),
    Look(detail=0.4, strength=0.6, split=0.3, keep_colours=True, exposure_ev=-1.0),
]
"""Every part of a look, alone and together."""

PLANAR_TARGETS = {
    "yuv422p": FrameFormat(64, 48, PlaneOrder.PLANAR, subsample=(1, 0)),
    "yuv422p10": FrameFormat(64, 48, PlaneOrder.PLANAR, 10, subsample=(1, 0), matrix=Matrix.BT2020),
    "yuv422p12 centre full": FrameFormat(
        64, 48, PlaneOrder.PLANAR, 12, subsample=(1, 0), siting=Siting.CENTRE, full_range=True
    ),
    "yuv420p12": yuv420p(64, 48, bits=12),
    "yuv444p": FrameFormat(64, 48, PlaneOrder.PLANAR),
    "yuv444p10 bt601": FrameFormat(64, 48, PlaneOrder.PLANAR, 10, matrix=Matrix.BT601),
    "yuv444p12": FrameFormat(64, 48, PlaneOrder.PLANAR, 12),
    "yuv444p16 full": FrameFormat(64, 48, PlaneOrder.PLANAR, 16, full_range=True),
    "gbrp": gbrp(64, 48),
    "gbrp10": gbrp(64, 48, bits=10),
    "gbrp12": gbrp(64, 48, bits=12),
    "gbrp16": gbrp(64, 48, bits=16),
    "gbrpf16": gbrp(64, 48, bits=16, floating=True),
    "gbrpf32": gbrp(64, 48, bits=32, floating=True),
}
"""Output formats with three planes other than 4:2:0."""

KEPT_TARGETS = {
    "p010 pq": replace(nv12(W, H, bits=10), transfer=Transfer.PQ, **HDR10),
    "yuv420p10 odd hlg": replace(yuv420p(61, 37, bits=10), transfer=Transfer.HLG, **HDR10),
    "yuv422p10 hlg": replace(PLANAR_TARGETS["yuv422p10"], transfer=Transfer.HLG, **HDR10),
    "yuv444p12 pq 4000 nits": replace(PLANAR_TARGETS["yuv444p12"], transfer=Transfer.PQ, peak_nits=4000.0, **HDR10),
    "gbrpf32 hlg": replace(gbrp(64, 48, bits=32, floating=True), transfer=Transfer.HLG, primaries=Primaries.BT2020),
    "gbrp12 pq p3": replace(gbrp(64, 48, bits=12), transfer=Transfer.PQ, primaries=Primaries.DISPLAY_P3),
}
"""HDR output formats."""

TARGETS = [
    nv12(W, H),
    nv12(61, 37),
    nv12(1, 1),
    nv12(W, H, matrix=Matrix.BT601),
    nv12(W, H, bits=10),
    *(replace(nv12(W, H), siting=siting) for siting in Siting),
    replace(nv12(W, H), full_range=True),
    replace(nv12(W, H, bits=10, matrix=Matrix.BT2020), siting=Siting.TOP_LEFT),
    yuv420p(W, H),
    yuv420p(61, 37, bits=10),
    replace(yuv420p(W, H), siting=Siting.CENTRE, full_range=True),
    rgba8(W, H),
    rgba8(61, 37),
    *(replace(target, width=W, height=H) for target in PLANAR_TARGETS.values()),
    *(replace(target, width=61, height=37) for target in PLANAR_TARGETS.values()),
    *(replace(PLANAR_TARGETS["yuv422p10"], siting=siting) for siting in Siting),
]
"""All output formats."""


def rounding(bits: int) -> int:
    """Return the tolerance, in codes, of float32."""
    return 1 << max(0, min(bits, 16) - 12)


def codes_of(plane: Plane, picture: FrameFormat) -> npt.NDArray[np.int64]:
    """Return a plane's codes without unused bits; floats as 16-bit codes."""
    if not picture.floating:
        return (plane >> picture.shift).astype(np.int64)
    assert plane.min() >= 0.0
    assert plane.max() <= 1.0
    return np.rint(plane.astype(np.float64) * 65535).astype(np.int64)


def kept_for_network(frame: Frame) -> npt.NDArray[np.float64]:
    """Return the reference's network input, (3, H, W), for kept HDR."""
    kept = planes_to_tensor.planes_to_rgb(frame, keeps_hdr=True)
    return colour.rolled_off(kept, colour.roll_off(frame.format))


def noise(picture: FrameFormat, seed: int = 0) -> Frame:
    """Return random codes, also illegal, in planes with padded rows.

    Floats exceed 0 and 1; some are NaN or infinite.
    """
    rng = np.random.default_rng(seed)
    return Frame(picture, tuple(_padded(picture, rng, shape) for shape in picture.plane_shapes))


def _padded(picture: FrameFormat, rng: np.random.Generator, shape: tuple[int, ...]) -> Plane:
    rows = np.zeros((shape[0], shape[1] + 5, *shape[2:]), picture.dtype)
    if picture.floating:
        rows[:, : shape[1]] = rng.random(shape) * 1.6 - 0.3
        rows[shape[0] // 2, : shape[1] // 2] = np.resize([np.nan, 7.0, np.inf, 0.5, -np.inf, 0.25], shape[1] // 2)
        return rows[:, : shape[1]]
    rows[:, : shape[1]] = rng.integers(0, 1 << picture.bits, shape, dtype=picture.dtype) << picture.shift
    return rows[:, : shape[1]]


def scene(width: int, height: int) -> Frame:
    """Return RGBA with smooth colours, edges and fine detail."""
    y, x = np.mgrid[0:height, 0:width] / max(width, height)
    picture = np.stack([x, y, 0.5 + 0.5 * np.sin(40 * x * (1 + y))])
    picture[:, height // 4 : height // 2, width // 3 : width // 2] = np.array([0.9, 0.2, 0.1])[:, None, None]
    codes = np.full((height, width, 4), 255, np.uint8)
    codes[..., :3] = np.moveaxis(np.round(np.clip(picture, 0, 1) * 255), 0, -1)
    return Frame(rgba8(width, height), (codes,))


def all_colours(picture: FrameFormat) -> Frame:
    """Return R'G'B' with all codes of grey and primary colours, and random ones.

    picture: GBR, as wide as its codes.
    """
    chance, top = np.random.default_rng(9), (1 << picture.bits) - 1
    ramp = np.linspace(0.0, 1.0, picture.width)
    rows = [(ramp, ramp, ramp)]
    rows += [tuple(ramp * (part == channel) for part in range(3)) for channel in range(3)]
    rows += [tuple(1.0 - row for row in reversed(made)) for made in rows[1:]]
    rows += [tuple(chance.random((3, picture.width)) ** power) for power in (1, 1, 2, 4, 8)]
    low, high = (0, top) if picture.full_range else (64 * (top + 1) // 1024, 940 * (top + 1) // 1024)
    codes = np.rint(np.array(rows[: picture.height]) * (high - low) + low).astype(picture.dtype)
    return Frame(picture, tuple(codes[:, channel] << picture.shift for channel in (1, 2, 0)))


def growing_noise(width: int, height: int) -> npt.NDArray[np.float64]:
    """Return noisy grey, (3, H, W), 0..1, rounded to float32.

    Noise grows from zero at the left to 3/5 of the width, so some parts stay unpainted.
    """
    growing = np.linspace(0.0, 5.0 / 3.0, width)
    grain = np.random.default_rng(5).normal(0.0, 0.3, (3, height, width)) * np.where(growing < 1.0, growing, 0.0)
    return np.clip(0.5 + grain, 0.0, 1.0).astype(np.float32).astype(np.float64)


def maps() -> Maps:
    """Return maps that change strokes' sizes and directions."""
    y, x = np.mgrid[:MAP_SIDE, :MAP_SIDE] / MAP_SIDE
    angle = 0.4 + 2.3 * y  # no upright stroke: either end could be its start
    counts = (x > 0.3) * np.minimum(1.0, 1.4 - 0.8 * y)
    tensors = np.rint(127.0 * counts * np.stack([np.cos(angle), np.sin(angle)]))
    return Maps(np.rint(255.0 * x).astype(np.uint8).tobytes(), tensors.astype(np.int8).tobytes())


def masks() -> Masks:
    """Return masks: a soft face, a hard-edged area, a guide."""
    y, x = (np.mgrid[:MASK_SIDE, :MASK_SIDE] + 0.5) / MASK_SIDE
    face = np.clip(1.6 - 4.0 * np.hypot(x - 0.4, y - 0.5), 0.0, 1.0)
    guide = 0.5 + 0.2 * np.sin(17.0 * x) * np.cos(11.0 * y)
    samples = (np.rint(255.0 * plane).astype(np.uint8).tobytes() for plane in (face, x + 0.3 * y > 0.7, guide))
    return Masks(*samples)


def mark() -> bytes:
    """Return a brush tip, off-centre and tapered."""
    y, x = np.mgrid[:MARK_ROWS, :MARK_COLUMNS]
    inside = np.clip(1.5 - np.abs(y - 30.0) / (30.0 - 0.1 * x), 0.0, 1.0)
    return (255 * inside * (1.0 - 0.002 * x) * (np.abs(y - 40) > 2)).astype(np.uint8).tobytes()
