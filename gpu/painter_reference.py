"""Painter networks computed in float64 by NumPy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from framebrush.gpu.painter import FRAME, Painter

Picture = npt.NDArray[np.float64]


def computed(painter: Painter, frame: Picture, mix: Sequence[float]) -> Picture:
    """Compute the painting (3, H, W) of a frame. mix: weights of paintings."""
    weights = np.asarray(mix, np.float64) @ painter.rows.astype(np.float64)
    made: list[Picture] = []
    for layer in painter.layers:
        read = frame if layer.a == FRAME else made[layer.a]
        if layer.b is not None:
            read = np.concatenate([read, made[layer.b][:, layer.crop :, layer.crop :]])
        read = np.pad(read, ((0, 0), layer.pad, layer.pad), mode="edge")
        shape = layer.outputs, layer.inputs, layer.side, layer.side
        kernel = weights[layer.kernel : layer.kernel + int(np.prod(shape))].reshape(shape)
        windows = np.lib.stride_tricks.sliding_window_view(read, shape[2:], axis=(1, 2))
        sums = np.tensordot(kernel, windows[:, :: layer.stride, :: layer.stride], ([1, 2, 3], [0, 3, 4]))
        sums += weights[layer.bias : layer.bias + layer.outputs, None, None]
        if layer.relu:
            sums = np.maximum(sums, 0.0)
        if layer.shuffle:
            height, width = sums.shape[1:]
            sums = sums.reshape(-1, 2, 2, height, width).transpose(0, 3, 1, 4, 2).reshape(-1, 2 * height, 2 * width)
        made.append(sums)
    return made[-1]
