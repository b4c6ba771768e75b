"""Fine luma of the source, added over broad strokes.

It is luma minus its low-pass at the finest working size, with less weight at noise and at edges, against halos (He, Sun
and Tang, "Guided image filtering", 2010).
"""

from __future__ import annotations

import numpy as np

from framebrush.gpu.colour import Array
from framebrush.gpu.layouts import Pixels, Record, packed
from framebrush.gpu.passes import Buffer, Pass, Tensor, Work
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages.cells import luma_of
from framebrush.gpu.stages.resample import TO_DETAIL, Resampling, resample, resampled

COARSE = 2
"""Divisor of the working size for the low-pass: a painter's finest layers work at half its input's size."""

EDGE_CODES = 25.0
"""Standard deviation under the low-pass, in codes of 8 bits, with weight one half: faces vary less, outlines more."""

NOISE_CODES = 3.0
"""Standard deviation below which the weight falls towards 0."""

EDGE_VARIANCE, NOISE_VARIANCE = ((codes / 255.0) ** 2 for codes in (EDGE_CODES, NOISE_CODES))
"""Variances of luma 0..1 for these deviations."""

DETAIL = packed(
    ("source_size", *Pixels),  # of the source's planes
    ("low_size", *Pixels),  # of the low-pass planes
    ("size", *Pixels),  # of the result
    ("taps", "<u4"),  # weights of the filter
    ("edge", "<f4"),  # variance with weight one half
    ("noise_squared", "<f4"),  # square of the noise variance
)


def coarse_size(sizes: Sizes) -> Size:
    """Return width and height of the low-pass."""
    width, height = (min(-(-side // COARSE), whole) for side, whole in zip(sizes.working, sizes.target, strict=True))
    return width, height


def detail(source: Array, coarse: Size) -> Array:
    """Compute a source's fine luma (H, W). coarse: from `coarse_size`."""
    luma = luma_of(source)
    moments = resample(np.stack([luma, luma**2]), coarse, TO_DETAIL)
    mean, square = resample(moments, (luma.shape[1], luma.shape[0]), TO_DETAIL)
    variance = np.maximum(square - mean**2, 0.0)
    no_edge = EDGE_VARIANCE / (variance + EDGE_VARIANCE)
    no_noise = variance**2 / (variance**2 + NOISE_VARIANCE**2)
    fine: Array = no_edge * no_noise * (luma - mean)
    return fine


def fine_luma(sizes: Sizes) -> Buffer:
    return Buffer("detail", "float32", sizes.target[0] * sizes.target[1], kept=True)


def work(sizes: Sizes, source: Tensor) -> Work:
    """Make the work: coarse means, then fine luma."""
    whole, coarse = sizes.target, coarse_size(sizes)
    down = Resampling.of(whole, coarse, TO_DETAIL, "luma to its low-pass")
    up = Resampling.of(coarse, whole, TO_DETAIL, "low-pass to target size")
    low, size = Tensor.of("low-pass", coarse), down.between.size_px
    moments = resampled(source.size_px, size, size, down.taps_x)
    record = constants(source.size_px, up.between.size_px, whole, up.taps_y)
    reads, writes = (source, up.between, up.rows), (fine_luma(sizes),)
    return Work(
        "detail",
        (
            Pass("detail_moments", (source, down.columns), (down.between,), size, moments, element_of=source),
            down.along_columns(low),
            up.along_rows(low),
            Pass("detail", reads, writes, whole, record, element_of=source),
        ),
    )


def constants(source_size: Size, low_size: Size, size: Size, taps: int) -> Record:
    """Make the constants for planes, low-pass and result."""
    record = np.zeros((), DETAIL)
    record["source_size"], record["low_size"], record["size"], record["taps"] = source_size, low_size, size, taps
    record["edge"], record["noise_squared"] = EDGE_VARIANCE, NOISE_VARIANCE**2
    return record
