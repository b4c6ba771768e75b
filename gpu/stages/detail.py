"""Fine luma of the source over broad strokes: what it is, and the constants that every device computes it with.

The luma of the source at the target's size is split by a low-pass at the finest size that a network works at. What is
above that, weighted by the variance of the luma under the low-pass, is added to R', G' and B' of the painting alike.
Where the variance is that of an edge, the weight falls, so that an edge that the painting moved or turned gets no halo
(the self-guided filter of He, Sun and Tang, "Guided image filtering", 2010, whose coefficient is 1 less this weight);
where it is no more than that of noise and compression, nothing is added. `gpu.reference.kernels.detail` computes it in
float64.
"""

from __future__ import annotations

from framebrush.gpu.sizes import Size, Sizes

COARSE = 2
"""The low-pass has the working size over this: a painter's finest layers work at half the size of its input."""

EDGE_CODES = 25.0
"""Standard deviation under the low-pass, in codes of 8 bits, at which the weight is one half: faces vary by less,
outlines by more."""

NOISE_CODES = 3.0
"""And below which the weight falls towards 0."""

EDGE_VARIANCE, NOISE_VARIANCE = ((codes / 255.0) ** 2 for codes in (EDGE_CODES, NOISE_CODES))
"""The same of luma 0..1."""


def coarse_size(sizes: Sizes) -> Size:
    """Width and height that the luma is reduced to, and enlarged from, for the low-pass."""
    width, height = (min(-(-side // COARSE), whole) for side, whole in zip(sizes.working, sizes.target, strict=True))
    return width, height
