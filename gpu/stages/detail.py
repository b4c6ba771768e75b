"""Fine luma of the source over broad strokes: what it is, and the constants that every device computes it with.

The luma of the source at the target's size is split by a low-pass at the finest size that a network works at. What is
above that, weighted by the variance of the luma under the low-pass, is added to R', G' and B' of the painting alike.
Where the variance is that of an edge, the weight falls, so that an edge that the painting moved or turned gets no halo
(the self-guided filter of He, Sun and Tang, "Guided image filtering", 2010, whose coefficient is 1 less this weight);
where it is no more than that of noise and compression, nothing is added. `detail` computes it in float64.
"""

from __future__ import annotations

import numpy as np

from framebrush.gpu import colour
from framebrush.gpu.colour import Array
from framebrush.gpu.frame import Matrix
from framebrush.gpu.layouts import Pixels, Record, packed
from framebrush.gpu.passes import Buffer, Pass, Tensor, Work
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages.resample import TO_DETAIL, Resampling, resample, resampled

COARSE = 2
"""The low-pass has the working size over this: a painter's finest layers work at half the size of its input."""

EDGE_CODES = 25.0
"""Standard deviation under the low-pass, in codes of 8 bits, at which the weight is one half: faces vary by less,
outlines by more."""

NOISE_CODES = 3.0
"""And below which the weight falls towards 0."""

EDGE_VARIANCE, NOISE_VARIANCE = ((codes / 255.0) ** 2 for codes in (EDGE_CODES, NOISE_CODES))
"""The same of luma 0..1."""

DETAIL = packed(
    ("source_size", *Pixels),  # of the planes of source
    ("low_size", *Pixels),  # and of low
    ("size", *Pixels),  # of the picture made
    ("taps", "<u4"),  # of the filter
    ("edge", "<f4"),  # variance at which the weight is one half
    ("noise_squared", "<f4"),  # of the variance of noise
)


def coarse_size(sizes: Sizes) -> Size:
    """Width and height that the luma is reduced to, and enlarged from, for the low-pass."""
    width, height = (min(-(-side // COARSE), whole) for side, whole in zip(sizes.working, sizes.target, strict=True))
    return width, height


def detail(source: Array, coarse: Size) -> Array:
    """Fine luma (H, W) of a source (3, H, W) at the target's size, as it is added to a painting at full detail.

    coarse: of the low-pass, `coarse_size`. Every value is the luma's distance from its local mean,
    times a weight 0..1 of the local variance.
    """
    luma = np.tensordot(colour.luma_weights(Matrix.BT709), source, axes=1)
    moments = resample(np.stack([luma, luma**2]), coarse, TO_DETAIL)
    mean, square = resample(moments, (luma.shape[1], luma.shape[0]), TO_DETAIL)
    variance = np.maximum(square - mean**2, 0.0)
    no_edge = EDGE_VARIANCE / (variance + EDGE_VARIANCE)
    no_noise = variance**2 / (variance**2 + NOISE_VARIANCE**2)
    fine: Array = no_edge * no_noise * (luma - mean)
    return fine


def fine_luma(sizes: Sizes) -> Buffer:
    """The fine luma of a frame, at the target's size."""
    return Buffer("detail", "float32", sizes.target[0] * sizes.target[1], kept=True)


def work(sizes: Sizes, source: Tensor) -> Work:
    """What makes it of the source at the target's size: the means of luma and of its square at the coarse size, and
    from there back."""
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
    """Of detail. source_size, low_size: of the planes that are read. size: of the picture made. Each is (width,
    height)."""
    record = np.zeros((), DETAIL)
    record["source_size"], record["low_size"], record["size"], record["taps"] = source_size, low_size, size, taps
    record["edge"], record["noise_squared"] = EDGE_VARIANCE, NOISE_VARIANCE**2
    return record
