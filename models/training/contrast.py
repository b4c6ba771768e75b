"""Contrast of a painting, folded into its last convolution."""

from __future__ import annotations

import numpy as np

from framebrush.models.colours.luma import LUMA
from framebrush.models.training.painter_network import Weights

LAST = "out"
"""Last convolution of a network. Only a pixel shuffle follows, so changes of its output are exact."""


def with_contrast(weights: Weights, luma_gain: float, luma_mean: float) -> Weights:
    """Return weights that add (luma_gain - 1) * (luma - luma_mean) to all channels."""
    kernel, bias = weights[LAST]
    # output channels are ordered by colour, then by place in the pixel shuffle
    kernels, biases = kernel.reshape(3, -1, *kernel.shape[1:]), bias.reshape(3, -1)
    more = luma_gain - 1.0
    sharper = kernels + more * np.tensordot(LUMA, kernels, 1)
    level = biases + more * (np.tensordot(LUMA, biases, 1) - luma_mean)
    changed = sharper.reshape(kernel.shape).astype(np.float32), level.reshape(bias.shape).astype(np.float32)
    return {**weights, LAST: changed}
